#include "rod/nodal_lengths.h"

#include <string.h>

#include "math/vector3.h"

/* Linear system for the multipliers of the length constraints (nodal_lengths.h). The matrix of the multipliers has one row for
 * each edge of the rod, and is tridiagonal for an open rod. For a closed rod, the last edge is also coupled to the first edge,
 * and the elimination fills the last row of the matrix of the multipliers. */
typedef struct chain {
    /* arrays with one entry per edge: `diagonal`, `next` and `last` contain the diagonal, the first off-diagonal and the last row
     * of the matrix; `value` contains the right-hand side */
    double *diagonal, *next, *last, *value;
} chain;

static double mobility(const cst_nodal_rod *rod, int node)
{
    const int dof = cst_nodal_node(rod, node);
    return dof < rod->held ? 0.0 : 1.0 / rod->mass[dof];
}

/* `along`: receives the edge vector divided by the natural length of the edge. Returns the violation C (m) of the length
 * constraint of the edge. */
static double constraint(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *along)
{
    const double l = rod->rest[edge];
    cst_subtract3(shape->q + cst_nodal_node(rod, edge + 1), shape->q + cst_nodal_node(rod, edge), along);
    const double C = 0.5 * (cst_dot3(along, along) / l - l);
    for (int k = 0; k < 3; ++k)
        along[k] /= l;
    return C;
}

static void fill(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const chain *to)
{
    const int n = rod->edges;
    double first[3] = {0}, before[3] = {0}, along[3];
    memset(to->last, 0, (size_t)n * sizeof *to->last);
    for (int i = 0; i < n; ++i) {
        const double weight = mobility(rod, i) + mobility(rod, i + 1);
        const double C = constraint(rod, shape, i, along);
        /* if the clamp prescribes the positions of both nodes of an edge, the equation of this edge sets its multiplier to 0 */
        to->value[i] = weight > 0.0 ? C : 0.0;
        to->diagonal[i] = weight > 0.0 ? weight * cst_dot3(along, along) : 1.0;
        to->next[i] = 0.0;
        if (i == 0)
            memcpy(first, along, sizeof first);
        else
            to->next[i - 1] = -mobility(rod, i) * cst_dot3(before, along);
        memcpy(before, along, sizeof before);
    }
    if (rod->closed)
        to->last[0] = -mobility(rod, 0) * cst_dot3(before, first);
    to->last[n - 2] += to->next[n - 2];
}

/* Solves the linear system for the multipliers and overwrites `value`, the right-hand side, with the solution. The matrix of the
 * multipliers is positive definite, so its elimination needs no pivoting. */
static void solve(const chain *at, int n)
{
    for (int i = 0; i + 1 < n; ++i) {
        const double across = at->last[i] / at->diagonal[i];
        if (i + 2 < n) {
            const double factor = at->next[i] / at->diagonal[i];
            at->diagonal[i + 1] -= factor * at->next[i];
            at->last[i + 1] -= across * at->next[i];
            at->value[i + 1] -= factor * at->value[i];
        }
        at->diagonal[n - 1] -= across * at->last[i];
        at->value[n - 1] -= across * at->value[i];
    }
    at->value[n - 1] /= at->diagonal[n - 1];
    for (int i = n - 2; i >= 0; --i) {
        const double ahead = i + 2 < n ? at->next[i] * at->value[i + 1] : 0.0;
        at->value[i] = (at->value[i] - ahead - at->last[i] * at->value[n - 1]) / at->diagonal[i];
    }
}

int cst_nodal_restore_lengths(cst_nodal_rod *rod, double dt, double tolerance, int most)
{
    const int n = rod->edges;
    /* The linear system for the multipliers is stored in rod->stretch, which is unused between the end of a step and the next
     * assembly. */
    double *room = (double *)rod->stretch;
    const chain at = {room, room + n, room + 2 * n, room + 3 * n};
    cst_nodal_shape *to = &rod->placed_buffer;
    int iterations = 0;
    memcpy(to->q, rod->now.q, (size_t)rod->total * sizeof *to->q);
    for (; iterations < most && cst_nodal_length_error(rod, to) > tolerance; ++iterations) {
        fill(rod, to, &at);
        solve(&at, n);
        memset(rod->moved, 0, (size_t)rod->total * sizeof *rod->moved);
        for (int i = 0; i < n; ++i) {
            double along[3];
            constraint(rod, to, i, along);
            cst_add3(at.value[i] * mobility(rod, i), along, rod->moved + cst_nodal_node(rod, i));
            cst_add3(-at.value[i] * mobility(rod, i + 1), along, rod->moved + cst_nodal_node(rod, i + 1));
        }
        for (int i = 0; i < rod->total; ++i)
            to->q[i] += rod->moved[i];
    }
    for (int i = 0; i < rod->total; ++i) {
        rod->moved[i] = to->q[i] - rod->now.q[i];
        rod->v[i] += rod->moved[i] / dt;
    }
    if (rod->model->carry)
        rod->model->carry(rod, &rod->now, rod->moved, to);
    memcpy(rod->now.q, to->q, (size_t)rod->total * sizeof *to->q);
    memcpy(rod->now.frame, to->frame, (size_t)(rod->edges * rod->model->frame_size) * sizeof *to->frame);
    cst_nodal_settle(rod);
    return iterations;
}
