#include "friction/nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/exact_sum.h"
#include "math/small_matrix.h"
#include "sparse/block_cholesky.h"

/* ---------------------------------------------------------------------------------------------------------------- matrix */

static bool invert(int dim, const double *A, double *inverse)
{
    for (int c = 0; c < dim; c++) {
        double unit[3] = {0}, x[3];
        unit[c] = 1.0;
        if (cst_small_solve(dim, A, unit, 1e-14, x) < dim)
            return false;
        for (int row = 0; row < dim; row++)
            inverse[row * dim + c] = x[row];
    }
    /* a symmetric matrix is positive definite if the leading minors of its inverse are positive */
    const double *m = inverse;
    const double minor = m[0] * m[dim + 1] - m[1] * m[dim];
    const double last =
        dim == 2 ? 1.0
                 : m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return m[0] > 0.0 && minor > 0.0 && last > 0.0;
}

static int count_nodes(const cst_body_problem *problem, int64_t *blocks)
{
    int count = 0;
    *blocks = 0;
    for (int at = 0; at < problem->bodies; at++)
        if (problem->body[at].kind == CST_BODY_NODAL) {
            const int nodes = problem->body[at].size / problem->dim;
            count += nodes;
            *blocks += problem->body[at].row_start[nodes] - nodes;
        }
    return count;
}

static cst_status copy_rows(const cst_body_problem *problem, cst_nodes *out, int32_t *first, char *message, size_t message_size)
{
    const int dim = problem->dim, square = dim * dim;
    const size_t block_bytes = sizeof(double) * (size_t)square;
    int node = 0;
    int64_t place = 0, filled = 0;
    for (int at = 0; at < problem->bodies; place += problem->body[at++].size) {
        const cst_body *body = problem->body + at;
        first[at] = body->kind == CST_BODY_NODAL ? node : -1;
        if (body->kind != CST_BODY_NODAL)
            continue;
        for (int j = 0; j < body->size / dim; j++, node++) {
            out->place[node] = place + (int64_t)j * dim;
            memcpy(out->rhs + (int64_t)node * dim, body->rhs + (int64_t)j * dim, sizeof(double) * (size_t)dim);
            for (int64_t e = body->row_start[j]; e < body->row_start[j + 1]; e++) {
                const double *block = body->matrix + e * square;
                if (body->column[e] == j) {
                    memcpy(out->diagonal + (int64_t)node * square, block, block_bytes);
                    continue;
                }
                out->column[filled] = first[at] + body->column[e];
                memcpy(out->block + filled++ * square, block, block_bytes);
            }
            out->row_start[node + 1] = filled;
            if (!invert(dim, out->diagonal + (int64_t)node * square, out->inverse + (int64_t)node * square)) {
                snprintf(message, message_size, "body %d: the block of node %d is not positive definite", at, j);
                return CST_BAD_PROBLEM;
            }
        }
    }
    return CST_SOLVED;
}

/* --------------------------------------------------------------------------------------------------------------- touches */

/* Appends the nodes that one side of a contact touches, with their blocks of the contact Jacobian, to the contact's list of
 * nodes. The contact's list of nodes starts at `begin` and ends before `last`; the function returns the new end of the list. */
static int64_t add_touches(const cst_contact_side *side, const int32_t *first, cst_nodes *out, int64_t begin, int64_t last)
{
    const int dim = out->dim;
    if (side->body < 0 || first[side->body] < 0)
        return last;
    for (int k = 0; k < side->dofs; k++) {
        const int32_t node = first[side->body] + side->dof[k] / dim;
        int64_t at = begin;
        while (at < last && out->touch_node[at] != node)
            at++;
        if (at == last)
            out->touch_node[last++] = node;
        for (int row = 0; row < dim; row++)
            out->touch_h[(at * dim + row) * dim + side->dof[k] % dim] += side->h[row * side->dofs + k];
    }
    return last;
}

static int nodes_on(const cst_body_problem *problem, const cst_contact_side *side)
{
    if (side->body < 0 || problem->body[side->body].kind != CST_BODY_NODAL)
        return 0;
    int count = 1;
    for (int k = 1; k < side->dofs; k++)
        count += side->dof[k] / problem->dim != side->dof[k - 1] / problem->dim;
    return count;
}

cst_status cst_nodes_build(const cst_body_problem *problem, cst_arena *arena, cst_nodes *out, char *message, size_t message_size)
{
    const size_t dim = (size_t)problem->dim, square = dim * dim;
    int64_t blocks, touches = 0;
    *out = (cst_nodes){.dim = problem->dim, .count = count_nodes(problem, &blocks)};
    for (int i = 0; i < problem->contacts; i++)
        touches += nodes_on(problem, problem->side_a + i) + nodes_on(problem, problem->side_b + i);
    const size_t count = (size_t)out->count;
    int32_t *first = CST_TAKE(arena, int32_t, (size_t)problem->bodies);
    out->place = CST_TAKE(arena, int64_t, count);
    out->row_start = CST_TAKE(arena, int64_t, count + 1);
    out->column = CST_TAKE(arena, int32_t, (size_t)blocks);
    out->block = CST_TAKE(arena, double, (size_t)blocks *square);
    out->diagonal = CST_TAKE(arena, double, count *square);
    out->inverse = CST_TAKE(arena, double, count *square);
    out->rhs = CST_TAKE(arena, double, count *dim);
    out->touch_start = CST_TAKE(arena, int64_t, (size_t)problem->contacts + 1);
    out->touch_node = CST_TAKE(arena, int32_t, (size_t)touches);
    out->touch_h = CST_TAKE(arena, double, (size_t)touches *square);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    const cst_status status = copy_rows(problem, out, first, message, message_size);
    if (status != CST_SOLVED)
        return status;
    for (int i = 0; i < problem->contacts; i++) {
        const int64_t begin = out->touch_start[i];
        const int64_t middle = add_touches(problem->side_a + i, first, out, begin, begin);
        out->touch_start[i + 1] = add_touches(problem->side_b + i, first, out, begin, middle);
    }
    return CST_SOLVED;
}

/* -------------------------------------------------------------------------------------------------------------- products */

static inline void off_diagonal(int dim, const cst_nodes *nodes, int node, const double *v, double *out)
{
    double sum[3] = {0};
    for (int64_t e = nodes->row_start[node]; e < nodes->row_start[node + 1]; e++) {
        const double *block = nodes->block + e * dim * dim, *other = v + (int64_t)nodes->column[e] * dim;
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                sum[row] += block[row * dim + c] * other[c];
    }
    memcpy(out, sum, sizeof(double) * (size_t)dim);
}

void cst_nodes_off_diagonal(const cst_nodes *nodes, int node, const double *v, double *out)
{
    if (nodes->dim == 3)
        off_diagonal(3, nodes, node, v, out);
    else
        off_diagonal(2, nodes, node, v, out);
}

/* Subtracts the product of a dim x dim block and the vector v from the exact sums `sum` (math/exact_sum.h). */
static void subtract_block(int dim, const double *block, const double *v, cst_exact_sum *sum)
{
    for (int row = 0; row < dim; row++)
        for (int c = 0; c < dim; c++)
            cst_exact_add_product(sum + row, -block[row * dim + c], v[c]);
}

void cst_nodes_defect(const cst_nodes *nodes, int node, const double *v, const double *impulse, double *out)
{
    const int dim = nodes->dim;
    const int64_t at = (int64_t)node * dim;
    cst_exact_sum sum[3] = {{0}};
    for (int c = 0; c < dim; c++) {
        cst_exact_add(sum + c, nodes->rhs[at + c]);
        cst_exact_add(sum + c, impulse[at + c]);
    }
    subtract_block(dim, nodes->diagonal + at * dim, v + at, sum);
    for (int64_t e = nodes->row_start[node]; e < nodes->row_start[node + 1]; e++)
        subtract_block(dim, nodes->block + e * dim * dim, v + (int64_t)nodes->column[e] * dim, sum);
    for (int c = 0; c < dim; c++)
        out[c] = cst_exact_value(sum + c);
}

void cst_nodes_add_compliance(const cst_nodes *nodes, int contact, double *block)
{
    const int dim = nodes->dim;
    for (int64_t t = nodes->touch_start[contact]; t < nodes->touch_start[contact + 1]; t++) {
        const double *h = nodes->touch_h + t * dim * dim, *inverse = nodes->inverse + (int64_t)nodes->touch_node[t] * dim * dim;
        for (int row = 0; row < dim; row++) {
            double product[3];
            cst_small_apply_transposed(dim, inverse, h + row * dim, product);
            for (int c = 0; c < dim; c++)
                block[row * dim + c] += cst_small_dot(dim, product, h + c * dim);
        }
    }
}

void cst_nodes_add_impulses(const cst_nodes *nodes, int contacts, const double *r, double *force)
{
    const int dim = nodes->dim;
    for (int i = 0; i < contacts; i++)
        for (int64_t t = nodes->touch_start[i]; t < nodes->touch_start[i + 1]; t++) {
            double part[3], *to = force + (int64_t)nodes->touch_node[t] * dim;
            cst_small_apply_transposed(dim, nodes->touch_h + t * dim * dim, r + (int64_t)i * dim, part);
            for (int c = 0; c < dim; c++)
                to[c] += part[c];
        }
}

void cst_nodes_gather(const cst_nodes *nodes, const double *v, double *of_nodes)
{
    for (int j = 0; j < nodes->count; j++)
        memcpy(of_nodes + (int64_t)j * nodes->dim, v + nodes->place[j], sizeof(double) * (size_t)nodes->dim);
}

void cst_nodes_scatter(const cst_nodes *nodes, const double *of_nodes, double *v)
{
    for (int j = 0; j < nodes->count; j++)
        memcpy(v + nodes->place[j], of_nodes + (int64_t)j * nodes->dim, sizeof(double) * (size_t)nodes->dim);
}

/* ---------------------------------------------------------------------------------------------------------- lent factors */

bool cst_nodes_lent(const cst_body_problem *problem)
{
    for (int at = 0; at < problem->bodies; at++)
        if (problem->body[at].kind == CST_BODY_NODAL && !problem->body[at].nodal_factor)
            return false;
    return true;
}

bool cst_nodes_guess(const cst_body_problem *problem, const cst_nodes *nodes, const double *rhs, cst_arena *arena, double *v)
{
    int64_t work_size = 0;
    for (int at = 0; at < problem->bodies; at++)
        if (problem->body[at].kind == CST_BODY_NODAL && problem->body[at].nodal_factor->work_size > work_size)
            work_size = problem->body[at].nodal_factor->work_size;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *work = CST_TAKE_RAW(arena, double, (size_t)work_size);
    if (arena->failed)
        return false;
    if (v != rhs)
        memcpy(v, rhs, sizeof(double) * (size_t)nodes->count * (size_t)nodes->dim);
    for (int at = 0; at < problem->bodies; at++)
        if (problem->body[at].kind == CST_BODY_NODAL) {
            cst_block_cholesky_solve(problem->body[at].nodal_factor, work, v);
            v += problem->body[at].size;
        }
    cst_arena_release(arena, mark);
    return true;
}

/* ---------------------------------------------------------------------------------------------------- conjugate gradients */

/* out = A v */
static void multiply(const cst_nodes *nodes, const double *v, double *out)
{
    const int dim = nodes->dim;
    for (int j = 0; j < nodes->count; j++) {
        double own[3];
        cst_nodes_off_diagonal(nodes, j, v, out + (int64_t)j * dim);
        cst_small_apply(dim, nodes->diagonal + (int64_t)j * dim * dim, v + (int64_t)j * dim, own);
        for (int c = 0; c < dim; c++)
            out[(int64_t)j * dim + c] += own[c];
    }
}

/* Computes z_j = A_jj^-1 r_j for every node j, with the diagonal block A_jj of the nodal matrix and the part r_j of the vector r.
 * Returns the largest length of a vector z_j. */
static double precondition(const cst_nodes *nodes, const double *r, double *z)
{
    const int dim = nodes->dim;
    double largest = 0.0;
    for (int j = 0; j < nodes->count; j++) {
        double *z_j = z + (int64_t)j * dim;
        cst_small_apply(dim, nodes->inverse + (int64_t)j * dim * dim, r + (int64_t)j * dim, z_j);
        largest = fmax(largest, cst_small_dot(dim, z_j, z_j));
    }
    return sqrt(largest);
}

static double dot(const double *a, const double *b, int64_t size)
{
    double sum = 0.0;
    for (int64_t k = 0; k < size; k++)
        sum += a[k] * b[k];
    return sum;
}

double cst_nodes_solve(const cst_nodes *nodes, const double *rhs, double tolerance, cst_arena *arena, double *v)
{
    const int64_t size = (int64_t)nodes->count * nodes->dim;
    const int64_t limit = 1000 + 10 * size;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *r = CST_TAKE_RAW(arena, double, (size_t)size), *z = CST_TAKE_RAW(arena, double, (size_t)size);
    double *p = CST_TAKE_RAW(arena, double, (size_t)size), *q = CST_TAKE_RAW(arena, double, (size_t)size);
    if (arena->failed)
        return -1.0;
    const double scale = precondition(nodes, rhs, z);
    if (scale == 0.0) {
        memset(v, 0, sizeof(double) * (size_t)size);
        cst_arena_release(arena, mark);
        return 0.0;
    }
    multiply(nodes, v, q);
    for (int64_t k = 0; k < size; k++)
        r[k] = rhs[k] - q[k];
    double defect = precondition(nodes, r, z), energy = dot(r, z, size);
    memcpy(p, z, sizeof(double) * (size_t)size);
    for (int64_t iteration = 0; iteration < limit && defect > tolerance * scale && energy > 0.0; iteration++) {
        multiply(nodes, p, q);
        const double alpha = energy / dot(p, q, size);
        for (int64_t k = 0; k < size; k++) {
            v[k] += alpha * p[k];
            r[k] -= alpha * q[k];
        }
        defect = precondition(nodes, r, z);
        const double next = dot(r, z, size), beta = next / energy;
        energy = next;
        for (int64_t k = 0; k < size; k++)
            p[k] = z[k] + beta * p[k];
    }
    cst_arena_release(arena, mark);
    return defect / scale;
}
