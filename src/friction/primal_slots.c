#include "friction/primal_slots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/small_matrix.h"

static bool is_orthogonal(int dim, const double *h)
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(cst_small_dot(dim, h + i * dim, h + j * dim) - (i == j)) <= 1e-9))
                return false;
    return true;
}

static bool check_contacts(const cst_body_problem *problem, const cst_nodes *nodes, char *message, size_t size)
{
    for (int c = 0; c < problem->contacts; c++) {
        const int64_t first = nodes->touch_start[c], touches = nodes->touch_start[c + 1] - first;
        const int sides = (problem->side_a[c].body >= 0) + (problem->side_b[c].body >= 0);
        if (touches < 1 || touches != sides) {
            snprintf(message, size,
                     "contact %d does not touch one node per side: the primal form needs that (the mixed one does not)", c);
            return false;
        }
        for (int64_t t = first; t < first + touches; t++)
            if (!is_orthogonal(problem->dim, nodes->touch_h + t * problem->dim * problem->dim)) {
                snprintf(message, size, "contact %d: its block on a node is not orthogonal: the primal form needs that", c);
                return false;
            }
    }
    return true;
}

static void scaled(int square, const double *h, double factor, double *out)
{
    for (int k = 0; k < square; k++)
        out[k] = factor * h[k];
}

/* Assigns to each contact one copy of each node on which it acts (copies of nodes: primal_slots.h). For a contact between two
 * nodes, stores each of its two copies as the mate of the other. Also sets the blocks of the orthogonal matrix G, which rotates
 * node velocities to the contact frames. `used` (nodes): scratch. */
static void place_contacts(const cst_body_problem *problem, cst_primal_slots *s, int32_t *used)
{
    const cst_nodes *nodes = s->nodes;
    const int dim = s->dim, square = dim * dim;
    for (int32_t a = 0; a < s->count; a++) {
        s->mate[a] = s->contact[a] = -1;
        for (int k = 0; k < dim; k++)
            s->own[a * square + k * (dim + 1)] = 1.0;
    }
    for (int c = 0; c < problem->contacts; c++) {
        const int64_t t = nodes->touch_start[c];
        const double *h_a = nodes->touch_h + t * square, *h_b = h_a + square;
        const bool pair = nodes->touch_start[c + 1] - t == 2;
        const int32_t node_a = nodes->touch_node[t], a = s->first_copy[node_a] + used[node_a]++;
        const double factor = pair ? sqrt(0.5) : 1.0;
        s->contact[a] = c;
        scaled(square, h_a, factor, s->own + a * square);
        for (int k = 0; k < dim; k++)
            s->offset[a * dim + k] = factor * problem->velocity_offset[c * dim + k];
        if (pair) {
            const int32_t node_b = nodes->touch_node[t + 1], b = s->first_copy[node_b] + used[node_b]++;
            s->mate[a] = b;
            s->mate[b] = a;
            scaled(square, h_b, factor, s->other + a * square);
            scaled(square, h_a, factor, s->other + b * square);
            scaled(square, h_b, -factor, s->own + b * square);
        }
    }
}

/* One row of the matrix What = G A G^T (primal_gauss_seidel.h) while it is built. If the row has no block in column t, at[t] is
 * 0; otherwise, at[t] - 1 is the index of this block in the arrays `slot` and `block`. */
typedef struct row_builder {
    int32_t *at;
    int32_t *slot;
    double *block;
    int count;
} row_builder;

/* Adds the contribution of one block M of the nodal matrix A to a row of the matrix What = G A G^T. The block M couples the node
 * i, to which the row belongs, with a node j. `g`: block of the rotation G for node i. `b`: index of a copy of the node j. If the
 * copy b belongs to a contact between two nodes, the block M contributes to two block columns of What: that of the copy b and
 * that of its mate. */
static void add_coupling(const cst_primal_slots *s, row_builder *row, const double *g, const double *M, double factor, int32_t b)
{
    const int dim = s->dim, square = dim * dim;
    double left[9] = {0};
    cst_small_add_product(dim, g, M, left);
    for (int side = 0; side < 2; side++) {
        const int32_t slot = side == 0 ? b : s->mate[b];
        if (slot < 0)
            continue;
        const double *g_b = side == 0 ? s->own + b * square : s->other + slot * square;
        if (row->at[slot] == 0) {
            row->at[slot] = ++row->count;
            row->slot[row->count - 1] = slot;
            memset(row->block + (row->count - 1) * square, 0, (size_t)square * sizeof(double));
        }
        double *block = row->block + (row->at[slot] - 1) * square;
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++)
                block[i * dim + j] += factor * cst_small_dot(dim, left + i * dim, g_b + j * dim);
    }
}

static void gather_row(const cst_primal_slots *s, int32_t slot, row_builder *row)
{
    const cst_nodes *nodes = s->nodes;
    const int square = s->dim * s->dim;
    row->count = 0;
    for (int side = 0; side < 2; side++) {
        const int32_t a = side == 0 ? slot : s->mate[slot];
        if (a < 0)
            continue;
        const double *g = side == 0 ? s->own + slot * square : s->other + slot * square;
        const int32_t i = s->node[a];
        const double share = 1.0 / (s->first_copy[i + 1] - s->first_copy[i]);
        add_coupling(s, row, g, nodes->diagonal + i * square, share, a);
        for (int64_t e = nodes->row_start[i]; e < nodes->row_start[i + 1]; e++) {
            const int32_t j = nodes->column[e];
            const double both = share / (s->first_copy[j + 1] - s->first_copy[j]);
            for (int32_t b = s->first_copy[j]; b < s->first_copy[j + 1]; b++)
                add_coupling(s, row, g, nodes->block + e * square, both, b);
        }
    }
    for (int k = 0; k < row->count; k++)
        row->at[row->slot[k]] = 0;
}

/* Returns an upper bound of the number of blocks in one row of What = G A G^T. A row of What that belongs to a contact between
 * two nodes is a linear combination of the rows of both nodes in the nodal matrix A. A row of What that belongs to one node only
 * is computed from the row of this node. Each copy of a node that A couples with a node of the row gives the row at most two
 * blocks. The two blocks are in the column of the copy and in the column of its mate (the other copy of the same contact). */
static int64_t row_bound(const cst_primal_slots *s, int32_t slot)
{
    int64_t bound = 0;
    for (int side = 0; side < 2; side++) {
        const int32_t a = side == 0 ? slot : s->mate[slot];
        if (a < 0)
            continue;
        bound += 2;
        for (int64_t e = s->nodes->row_start[s->node[a]]; e < s->nodes->row_start[s->node[a] + 1]; e++)
            bound += 2 * (s->first_copy[s->nodes->column[e] + 1] - s->first_copy[s->nodes->column[e]]);
    }
    return bound;
}

static bool build_matrix(cst_primal_slots *s, cst_arena *arena)
{
    const int dim = s->dim, square = dim * dim;
    int64_t widest = 0, most = 0;
    for (int32_t slot = 0; slot < s->count; slot++) {
        const int64_t bound = row_bound(s, slot);
        widest = bound > widest ? bound : widest;
        most += bound;
    }
    row_builder row = {.at = CST_TAKE(arena, int32_t, (size_t)s->count),
                       .slot = CST_TAKE_RAW(arena, int32_t, (size_t)widest),
                       .block = CST_TAKE_RAW(arena, double, (size_t)(widest * square))};
    s->row_start = CST_TAKE(arena, int64_t, (size_t)s->count + 1);
    s->column = CST_TAKE_RAW(arena, int32_t, (size_t)most);
    s->block = CST_TAKE_RAW(arena, double, (size_t)(most * square));
    if (arena->failed)
        return false;
    for (int32_t slot = 0; slot < s->count; slot++) {
        int64_t at = s->row_start[slot];
        gather_row(s, slot, &row);
        for (int k = 0; k < row.count; k++) {
            double *to = s->block + at * square;
            if (row.slot[k] == slot)
                to = s->diagonal + slot * square;
            else
                s->column[at++] = row.slot[k];
            memcpy(to, row.block + k * square, (size_t)square * sizeof(double));
        }
        s->row_start[slot + 1] = at;
    }
    return true;
}

static bool invert_diagonal(cst_primal_slots *s)
{
    const int dim = s->dim, square = dim * dim;
    for (int32_t slot = 0; slot < s->count; slot++)
        for (int k = 0; k < dim; k++) {
            double unit[3] = {0}, column[3];
            unit[k] = 1.0;
            if (cst_small_solve(dim, s->diagonal + slot * square, unit, 1e-15, column) < dim)
                return false;
            for (int i = 0; i < dim; i++)
                s->inverse[slot * square + i * dim + k] = column[i];
        }
    return true;
}

cst_status cst_primal_slots_build(const cst_body_problem *problem, const cst_nodes *nodes, cst_arena *arena,
                                  cst_primal_slots *out, char *message, size_t message_size)
{
    const int dim = problem->dim, square = dim * dim;
    *out = (cst_primal_slots){.dim = dim, .nodes = nodes};
    if (!check_contacts(problem, nodes, message, message_size))
        return CST_BAD_PROBLEM;
    int32_t *used = CST_TAKE(arena, int32_t, (size_t)nodes->count);
    out->first_copy = CST_TAKE(arena, int32_t, (size_t)nodes->count + 1);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int64_t t = 0; t < nodes->touch_start[problem->contacts]; t++)
        used[nodes->touch_node[t]]++;
    for (int32_t i = 0; i < nodes->count; i++) {
        out->first_copy[i + 1] = out->first_copy[i] + (used[i] > 0 ? used[i] : 1);
        used[i] = 0;
    }
    const size_t count = (size_t)(out->count = out->first_copy[nodes->count]);
    out->node = CST_TAKE_RAW(arena, int32_t, count);
    out->mate = CST_TAKE_RAW(arena, int32_t, count);
    out->contact = CST_TAKE_RAW(arena, int32_t, count);
    out->own = CST_TAKE(arena, double, count *(size_t)square);
    out->other = CST_TAKE(arena, double, count *(size_t)square);
    out->diagonal = CST_TAKE(arena, double, count *(size_t)square);
    out->inverse = CST_TAKE(arena, double, count *(size_t)square);
    out->rhs = CST_TAKE(arena, double, count *(size_t)dim);
    out->offset = CST_TAKE(arena, double, count *(size_t)dim);
    double *spread = CST_TAKE(arena, double, count *(size_t)dim);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int32_t i = 0; i < nodes->count; i++)
        for (int32_t a = out->first_copy[i]; a < out->first_copy[i + 1]; a++) {
            out->node[a] = i;
            for (int k = 0; k < dim; k++)
                spread[a * dim + k] = nodes->rhs[i * dim + k] / (out->first_copy[i + 1] - out->first_copy[i]);
        }
    place_contacts(problem, out, used);
    cst_primal_rotate(out, spread, out->rhs);
    if (!build_matrix(out, arena))
        return CST_OUT_OF_MEMORY;
    if (!invert_diagonal(out)) {
        snprintf(message, message_size, "a diagonal block of a nodal body is singular");
        return CST_BAD_PROBLEM;
    }
    return CST_SOLVED;
}

void cst_primal_rotate(const cst_primal_slots *s, const double *v, double *u)
{
    const int dim = s->dim, square = dim * dim;
    for (int32_t slot = 0; slot < s->count; slot++) {
        double part[3] = {0};
        cst_small_apply(dim, s->own + slot * square, v + slot * dim, u + slot * dim);
        if (s->mate[slot] >= 0)
            cst_small_apply(dim, s->other + slot * square, v + s->mate[slot] * dim, part);
        for (int k = 0; k < dim; k++)
            u[slot * dim + k] += part[k];
    }
}

void cst_primal_rotate_back(const cst_primal_slots *s, const double *u, double *v)
{
    const int dim = s->dim, square = dim * dim;
    for (int32_t copy = 0; copy < s->count; copy++) {
        const int32_t mate = s->mate[copy];
        double part[3] = {0};
        cst_small_apply_transposed(dim, s->own + copy * square, u + copy * dim, v + copy * dim);
        if (mate >= 0) /* contribution of the mate */
            cst_small_apply_transposed(dim, s->other + mate * square, u + mate * dim, part);
        for (int k = 0; k < dim; k++)
            v[copy * dim + k] += part[k];
    }
}
