#include "friction/nodal_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "friction/inverse_root.h"
#include "math/small_matrix.h"
#include "sparse/block_inverse.h"

/* ---------------------------------------------------------------------------------------------------------------- products */

/* Replaces v by A^-1 v, with the matrix A of the cloth nodes that are not eliminated. */
static void solve(const cst_nodal_form *form, double *v)
{
    for (int k = 0; k < form->factors; k++) {
        double *own = v + (int64_t)form->first_node[k] * form->nodes->dim;
        if (form->part[k])
            cst_block_cholesky_solve_kept(form->factor[k], form->part[k]->index, form->work, own);
        else
            cst_block_cholesky_solve(form->factor[k], form->work, own);
    }
}

bool cst_nodal_form_solve_all(const cst_mixed *mixed, const cst_nodal_form *form, cst_arena *arena, double *v)
{
    if (!form || form->condensed)
        return cst_nodes_guess(mixed->problem, &mixed->nodes, v, arena, v);
    solve(form, v);
    return true;
}

static void begin_product(cst_system *system, const double *x)
{
    cst_nodal_form *form = system->state;
    const int dim = system->dim;
    memset(form->s, 0, sizeof(double) * (size_t)form->vertices * (size_t)dim);
    for (int i = 0; i < system->contacts; i++)
        for (int64_t t = form->touch_start[i]; t < form->touch_start[i + 1]; t++) {
            double part[3], *to = form->s + (int64_t)form->touch[t].vertex * dim;
            cst_small_apply_transposed(dim, form->touch[t].g, x + (int64_t)i * dim, part);
            for (int c = 0; c < dim; c++)
                to[c] += part[c];
        }
    for (int j = 0; j < form->nodes->count; j++)
        for (int c = 0; c < dim; c++)
            form->s[(int64_t)j * dim + c] /= form->unit[j];
    solve(form, form->s);
    for (int j = 0; j < form->nodes->count; j++)
        for (int c = 0; c < dim; c++)
            form->s[(int64_t)j * dim + c] /= form->unit[j];
}

static void off_diagonal(const cst_system *system, int contact, const double *x, double *beta)
{
    const cst_nodal_form *form = system->state;
    const int dim = system->dim;
    double own[3];
    cst_small_apply(dim, system->diagonal + (int64_t)contact * dim * dim, x + (int64_t)contact * dim, own);
    for (int c = 0; c < dim; c++)
        beta[c] = system->b[(int64_t)contact * dim + c] - own[c];
    for (int64_t t = form->touch_start[contact]; t < form->touch_start[contact + 1]; t++) {
        double part[3];
        cst_small_apply(dim, form->touch[t].g, form->s + (int64_t)form->touch[t].vertex * dim, part);
        for (int c = 0; c < dim; c++)
            beta[c] += part[c];
    }
}

static const cst_coupling NODAL = {.form = CST_FORM_MIXED, .begin = begin_product, .off_diagonal = off_diagonal};

const cst_nodal_form *cst_nodal_form_of(const cst_system *system)
{
    return system->coupling == &NODAL ? system->state : NULL;
}

bool cst_nodal_applies(const cst_mixed *mixed)
{
    for (int64_t h = 0; h < 2 * (int64_t)mixed->problem->contacts; h++) {
        const cst_half *half = mixed->halves.half + h;
        if (half->body >= 0 && half->touch && mixed->problem->body[half->body].size > CST_NODAL_FACTOR_MAX)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- the vertices */

static int chunks_of(const cst_mixed *m, int body)
{
    return (int)((m->halves.state[body + 1] - m->halves.state[body] + m->nodes.dim - 1) / m->nodes.dim);
}

/* Numbers the vertices: first the cloth nodes, then the groups of dim unknowns of all other bodies. The groups of unknowns of
 * body k are numbered from chunk_start[k] on. The function also computes the unit by which the velocity of each cloth node is
 * divided (nodal_system.h). */
static bool take_vertices(const cst_mixed *m, cst_arena *arena, cst_nodal_form *form, int32_t **chunk_start)
{
    const int dim = m->nodes.dim, bodies = m->problem->bodies, nodes = form->nodes->count;
    int32_t *start = CST_TAKE_RAW(arena, int32_t, (size_t)bodies + 1);
    if (arena->failed)
        return false;
    start[0] = nodes;
    for (int k = 0; k < bodies; k++)
        start[k + 1] = start[k] + chunks_of(m, k);
    form->vertices = start[bodies];
    form->rank = CST_TAKE_RAW(arena, uint8_t, form->vertices);
    form->unit = CST_TAKE_RAW(arena, double, nodes);
    form->s = CST_TAKE_RAW(arena, double, (size_t)form->vertices *(size_t)dim);
    if (arena->failed)
        return false;
    memset(form->rank, dim, (size_t)form->vertices);
    for (int k = 0; k < bodies; k++)
        if (start[k + 1] > start[k]) {
            const int64_t states = m->halves.state[k + 1] - m->halves.state[k];
            form->rank[start[k + 1] - 1] = (uint8_t)(states - (int64_t)(start[k + 1] - start[k] - 1) * dim);
        }
    for (int j = 0; j < nodes; j++) {
        double trace = 0.0;
        for (int c = 0; c < dim; c++)
            trace += form->nodes->diagonal[(int64_t)j * dim * dim + c * (dim + 1)];
        form->unit[j] = 1.0 / sqrt(trace / dim);
    }
    *chunk_start = start;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- the touches */

/* Returns the number of groups of dim rows that the half solve L^-1 H^T of a contact fills (half.h). */
static int chunks_touched(const cst_mixed *m, const cst_half *half)
{
    if (half->body < 0)
        return 0;
    if (half->touch)
        return half->touch->count > 0 ? half->touch->dof[half->touch->count - 1] / m->nodes.dim + 1 : 0;
    return chunks_of(m, half->body) - half->first / m->nodes.dim;
}

/* Appends the half solve L^-1 H^T of a contact on one body to the list of coupling matrices: one transposed block for each group
 * of dim rows. Returns a pointer to the next free entry of the list of couplings. For a body without a Cholesky factor L, the
 * transpose of `root`, a square root of the inverse matrix of the body (inverse_root.h), replaces L^-1. */
static cst_nodal_touch *add_half(const cst_mixed *m, const cst_half *half, const cst_inverse_root *root, int32_t first_chunk,
                                 cst_nodal_touch *to)
{
    const int dim = m->nodes.dim, first = half->touch ? 0 : half->first;
    const cst_touched_dofs *touch = half->touch;
    for (int c = 0; c < chunks_touched(m, half); c++, to++) {
        const int begin = (first / dim + c) * dim - first;
        *to = (cst_nodal_touch){.vertex = first_chunk + first / dim + c};
        for (int row = 0; row < dim; row++)
            for (int k = 0; k < dim; k++) {
                if (touch)
                    to->g[row * dim + k] =
                        cst_inverse_root_entry(root, touch->count, touch->dof, touch->h + row * touch->count, begin + k);
                else if (begin + k >= 0 && begin + k < half->length)
                    to->g[row * dim + k] = half->z[(int64_t)row * half->length + begin + k];
            }
    }
    return to;
}

/* Computes a square root of the inverse matrix (inverse_root.h) of each body that has contacts and is solved by a caller's
 * function. */
static cst_status find_roots(const cst_mixed *m, cst_arena *arena, cst_inverse_root **out, char *message, size_t message_size)
{
    cst_inverse_root *root = CST_TAKE(arena, cst_inverse_root, m->problem->bodies);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int64_t h = 0; h < 2 * (int64_t)m->problem->contacts; h++) {
        const cst_half *half = m->halves.half + h;
        if (half->body < 0 || !half->touch || root[half->body].c)
            continue;
        const cst_status status = cst_inverse_root_find(&m->bodies, half->body, arena, root + half->body);
        if (status == CST_BAD_PROBLEM)
            snprintf(message, message_size, "body %d: its solve function failed", half->body);
        if (status != CST_SOLVED)
            return status;
    }
    *out = root;
    return CST_SOLVED;
}

/* Computes the matrices that couple every contact with the cloth nodes and the other bodies on which it acts. The function
 * take_touches multiplies the coupling matrices by the units of the node velocities; scale_system later divides them by the
 * square roots of the compliances of the contacts. */
static bool take_touches(const cst_mixed *m, const int32_t *chunk_start, const cst_inverse_root *root, cst_arena *arena,
                         cst_nodal_form *form)
{
    const cst_nodes *nodes = form->nodes;
    const int n = m->problem->contacts, dim = nodes->dim;
    form->touch_start = CST_TAKE_RAW(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
    form->touch_start[0] = 0;
    for (int i = 0; i < n; i++) {
        const cst_half *half = m->halves.half + 2 * (int64_t)i;
        form->touch_start[i + 1] = form->touch_start[i] + (nodes->touch_start[i + 1] - nodes->touch_start[i]) +
                                   chunks_touched(m, half) + chunks_touched(m, half + 1);
    }
    form->touch = CST_TAKE_RAW(arena, cst_nodal_touch, form->touch_start[n]);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        cst_nodal_touch *to = form->touch + form->touch_start[i];
        for (int64_t t = nodes->touch_start[i]; t < nodes->touch_start[i + 1]; t++, to++) {
            *to = (cst_nodal_touch){.vertex = nodes->touch_node[t]};
            for (int e = 0; e < dim * dim; e++)
                to->g[e] = nodes->touch_h[t * dim * dim + e] * form->unit[to->vertex];
        }
        for (int side = 0; side < 2; side++) {
            const cst_half *half = m->halves.half + 2 * (int64_t)i + side;
            if (half->body >= 0)
                to = add_half(m, half, root + half->body, chunk_start[half->body], to);
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- the factors */

/* Prepares the Cholesky factorisation of the matrix `schur`, the Schur complement of a cloth on its nodes with contacts. */
static bool begin_condensed(const cst_nodal_form *form, const cst_schur *schur, cst_arena *arena, cst_block_cholesky *out)
{
    const int32_t first = form->first_node[form->factors];
    int32_t *order = CST_TAKE_RAW(arena, int32_t, (size_t)schur->kept);
    for (int j = 0; order && j < schur->kept; j++)
        order[j] = form->condensed->order[first + j] - first;
    return order && cst_block_cholesky_begin(arena, schur->kept, form->nodes->dim, schur->row_start, schur->column, order, out);
}

static cst_status take_factors(const cst_mixed *m, int threads, cst_arena *arena, cst_nodal_form *form, char *message,
                               size_t message_size)
{
    const cst_body_problem *problem = m->problem;
    const int dim = problem->dim;
    int64_t work = 0;
    form->factor = CST_TAKE_RAW(arena, const cst_block_cholesky *, problem->bodies);
    form->part = CST_TAKE(arena, const cst_schur *, problem->bodies);
    form->first_node = CST_TAKE(arena, int32_t, (size_t)problem->bodies + 1);
    form->factor_of = CST_TAKE_RAW(arena, int32_t, form->nodes->count);
    for (int k = 0; k < problem->bodies && !arena->failed; k++) {
        const cst_body *body = problem->body + k;
        if (body->kind != CST_BODY_NODAL)
            continue;
        const cst_schur *schur = form->condensed ? form->condensed->of + k : NULL;
        const int nodes = schur ? schur->kept : body->size / dim;
        const bool lent = schur && form->condensed->lent[k];
        const cst_block_cholesky *factor = schur && !lent ? NULL : body->nodal_factor;
        if (!factor) {
            cst_block_cholesky *own = CST_TAKE_RAW(arena, cst_block_cholesky, 1);
            if (arena->failed || !(schur ? begin_condensed(form, schur, arena, own)
                                         : cst_block_cholesky_begin(arena, nodes, dim, body->row_start, body->column, NULL, own)))
                return CST_OUT_OF_MEMORY;
            const int node = cst_block_cholesky_factor(own, schur ? schur->block : body->matrix, threads);
            if (node >= 0) {
                snprintf(message, message_size, "body %d: its matrix is not positive definite at node %d", k,
                         schur ? schur->vertex[node] : node);
                return CST_BAD_PROBLEM;
            }
            factor = own;
        }
        form->factor[form->factors] = factor;
        form->part[form->factors] = lent ? schur : NULL;
        form->first_node[form->factors + 1] = form->first_node[form->factors] + nodes;
        for (int32_t j = form->first_node[form->factors]; j < form->first_node[form->factors + 1]; j++)
            form->factor_of[j] = form->factors;
        form->factors++;
        work = factor->work_size > work ? factor->work_size : work;
    }
    form->work = CST_TAKE_RAW(arena, double, work);
    return arena->failed ? CST_OUT_OF_MEMORY : CST_SOLVED;
}

/* ---------------------------------------------------------------------------------------------------------- the compliances */

/* List of the pairs of nodes on which one contact acts, for all contacts, if both nodes belong to the same cloth body; the pairs
 * are sorted by cloth body. Entry slot[k] is the sorted position of the k-th pair that walk_pairs visits. */
typedef struct pairs {
    int count;
    int32_t *start; /* array (factors + 1) */
    int32_t *slot;
    cst_vertex_pair *pair;
    double *inverse; /* array (count x dim x dim) */
} pairs;

/* Adds the contribution of two cloth nodes of a contact to the diagonal block `W` of the contact. `inverse`: block of the
 * inverse of the cloth's matrix that couples the nodes of `a` and `b`. */
static void add_pair(const cst_nodal_form *form, const cst_nodal_touch *a, const cst_nodal_touch *b, const double *inverse,
                     double *W)
{
    const int dim = form->nodes->dim;
    const double scale = 1.0 / (form->unit[a->vertex] * form->unit[b->vertex]);
    double left[9] = {0}, turned[9];
    for (int e = 0; e < dim * dim; e++)
        turned[e] = scale * b->g[e % dim * dim + e / dim];
    cst_small_add_product(dim, a->g, inverse, left);
    cst_small_add_product(dim, left, turned, W);
}

typedef enum walk { COUNT, FILL, ADD } walk;

/* Visits, for every contact, all pairs of nodes on which the contact acts. Depending on `what`, counts the pairs of each body
 * (COUNT), fills the list of pairs (FILL), or adds the contribution of each pair to the diagonal block of its contact (ADD). */
static void walk_pairs(const cst_nodal_form *form, int contacts, walk what, pairs *to, double *W)
{
    const int dim = form->nodes->dim;
    int at = 0;
    for (int i = 0; i < contacts; i++)
        for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++)
            for (int64_t q = form->touch_start[i]; q < form->touch_start[i + 1]; q++) {
                const cst_nodal_touch *a = form->touch + p, *b = form->touch + q;
                if (a->vertex >= form->nodes->count || b->vertex >= form->nodes->count ||
                    form->factor_of[a->vertex] != form->factor_of[b->vertex])
                    continue;
                const int32_t body = form->factor_of[a->vertex], first = form->first_node[body];
                if (what == COUNT) {
                    to->start[body + 1]++;
                } else if (what == FILL) {
                    to->slot[at] = to->start[body]++;
                    const cst_schur *part = form->part[body];
                    const int32_t row = a->vertex - first, column = b->vertex - first;
                    to->pair[to->slot[at]] =
                        part ? (cst_vertex_pair){part->vertex[row], part->vertex[column]} : (cst_vertex_pair){row, column};
                } else {
                    add_pair(form, a, b, to->inverse + (int64_t)to->slot[at] * dim * dim, W + (int64_t)i * dim * dim);
                }
                at++;
            }
    to->count = at;
}

/* Adds the contribution of all cloth to the diagonal blocks of the Delassus matrix. Returns false if memory ran out. */
static bool add_nodes(const cst_nodal_form *form, int contacts, cst_arena *arena, double *W)
{
    const int square = form->nodes->dim * form->nodes->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    pairs list = {.start = CST_TAKE(arena, int32_t, (size_t)form->factors + 1)};
    if (arena->failed)
        return false;
    walk_pairs(form, contacts, COUNT, &list, W);
    list.slot = CST_TAKE_RAW(arena, int32_t, list.count);
    list.pair = CST_TAKE_RAW(arena, cst_vertex_pair, list.count);
    list.inverse = CST_TAKE_RAW(arena, double, (size_t)list.count *(size_t)square);
    if (arena->failed)
        return false;
    for (int k = 0; k < form->factors; k++)
        list.start[k + 1] += list.start[k];
    walk_pairs(form, contacts, FILL, &list, W);
    for (int k = form->factors; k > 0; k--) /* restores start[k] after the walk */
        list.start[k] = list.start[k - 1];
    list.start[0] = 0;
    for (int k = 0; k < form->factors; k++)
        if (list.start[k + 1] > list.start[k] &&
            !cst_block_inverse(form->factor[k], list.start[k + 1] - list.start[k], list.pair + list.start[k], arena,
                               list.inverse + (int64_t)list.start[k] * square))
            return false;
    walk_pairs(form, contacts, ADD, &list, W);
    cst_arena_release(arena, mark);
    return true;
}

/* Computes the diagonal blocks of the Delassus matrix, which only scale the unknowns of Newton's method. If two nodes of a
 * contact have no block in the Cholesky factor of the cloth, which happens only in self-contact, their coupling is neglected.
 *
 * EXACT: largest number of cloth nodes, without eliminated nodes, for which the exact diagonal blocks are computed. With more
 * than EXACT nodes, approximate compliances replace the exact blocks: they are computed as if all neighbours of a contact's nodes
 * were fixed. The friction residual E also uses the compliances that contacts have if all neighbours of their nodes are fixed.
 * For a cloth of 29,929 vertices on a ball (capstan-bench scale --only sheets), the friction solver takes 0.99 s per time step
 * with approximate compliances, and 1.54 s with exact diagonal blocks. Newton's method takes 13.4 iterations per time step with
 * approximate compliances, and 13.0 with exact diagonal blocks. */
static bool find_compliances(const cst_mixed *m, const cst_nodal_form *form, cst_arena *arena, double *W)
{
    enum { EXACT = 2000 };
    const int dim = form->nodes->dim, contacts = m->problem->contacts;
    memset(W, 0, sizeof(double) * (size_t)contacts * (size_t)(dim * dim));
    if (form->nodes->count > EXACT) {
        for (int64_t k = 0; k < (int64_t)contacts * dim; k++)
            W[k / dim * dim * dim + k % dim * (dim + 1)] = m->judge.w[k / dim];
        return true;
    }
    for (int i = 0; i < contacts; i++)
        for (int64_t t = form->touch_start[i]; t < form->touch_start[i + 1]; t++)
            for (int e = 0; e < dim * dim && form->touch[t].vertex >= form->nodes->count; e++)
                W[(int64_t)i * dim * dim + e] +=
                    cst_small_dot(dim, form->touch[t].g + e / dim * dim, form->touch[t].g + e % dim * dim);
    return add_nodes(form, contacts, arena, W);
}

/* --------------------------------------------------------------------------------------------------------------- the system */

/* Returns the index of a cloth node among all cloth nodes of the problem, eliminated nodes included. `vertex`: index of the node
 * among the nodes that are not eliminated. */
static int64_t node_of(const cst_nodal_form *form, int32_t vertex)
{
    return form->condensed ? form->condensed->node[vertex] : vertex;
}

/* Computes the free velocities of the contacts, and scales impulses by the square roots of the compliances. */
static void scale_system(const cst_mixed *m, cst_nodal_form *form, const double *free_nodes, cst_system *out)
{
    const int dim = out->dim;
    for (int i = 0; i < out->contacts; i++) {
        double *a = out->diagonal + (int64_t)i * dim * dim, *b = out->b + (int64_t)i * dim, trace = 0.0;
        for (int c = 0; c < dim; c++)
            trace += a[c * (dim + 1)] / dim;
        const double w = trace > 0.0 ? trace : m->judge.w[i], root = sqrt(w);
        memcpy(b, m->offset + (int64_t)i * dim, sizeof(double) * (size_t)dim);
        for (int64_t t = form->touch_start[i]; t < form->touch_start[i + 1]; t++) {
            cst_nodal_touch *touch = form->touch + t;
            if (touch->vertex < form->nodes->count)
                for (int e = 0; e < dim * dim; e++)
                    b[e / dim] +=
                        touch->g[e] / form->unit[touch->vertex] * free_nodes[node_of(form, touch->vertex) * dim + e % dim];
            for (int e = 0; e < dim * dim; e++)
                touch->g[e] /= root;
        }
        for (int e = 0; e < dim * dim; e++)
            a[e] /= w;
        for (int c = 0; c < dim; c++)
            b[c] /= root;
        out->weight[i] = root / m->judge.scale;
        out->mu[i] = m->problem->mu[i];
        out->law[i] = m->problem->law ? m->problem->law[i] : (uint8_t)CST_LAW_COULOMB;
    }
}

static cst_status choose_nodes(const cst_mixed *m, int threads, cst_arena *arena, cst_nodal_form *form, char *message,
                               size_t message_size)
{
    form->nodes = &m->nodes;
    if (!cst_nodal_condense_pays(m))
        return CST_SOLVED;
    form->condensed = CST_TAKE_RAW(arena, cst_nodal_condensed, 1);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    form->nodes = &form->condensed->nodes;
    return cst_nodal_condense(m, threads, arena, form->condensed, message, message_size);
}

cst_status cst_nodal_pack(const cst_mixed *m, int threads, cst_arena *arena, cst_system *out, char *message, size_t message_size)
{
    const size_t dim = (size_t)m->problem->dim, n = (size_t)m->problem->contacts, of_nodes = (size_t)m->nodes.count * dim;
    cst_nodal_form *form = CST_TAKE(arena, cst_nodal_form, 1);
    *out = (cst_system){.dim = (int)dim,
                        .contacts = m->problem->contacts,
                        .weight = CST_TAKE_RAW(arena, double, n),
                        .b = CST_TAKE_RAW(arena, double, n *dim),
                        .mu = CST_TAKE_RAW(arena, double, n),
                        .law = CST_TAKE_RAW(arena, uint8_t, n),
                        .diagonal = CST_TAKE_RAW(arena, double, n *dim *dim),
                        .threads = threads,
                        .coupling = &NODAL,
                        .state = form};
    double *free_nodes = CST_TAKE_RAW(arena, double, of_nodes);
    int32_t *chunk_start;
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_inverse_root *root;
    cst_status status = find_roots(m, arena, &root, message, message_size);
    if (status == CST_SOLVED)
        status = choose_nodes(m, threads, arena, form, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (!take_vertices(m, arena, form, &chunk_start) || !take_touches(m, chunk_start, root, arena, form))
        return CST_OUT_OF_MEMORY;
    status = take_factors(m, threads, arena, form, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (!find_compliances(m, form, arena, out->diagonal))
        return CST_OUT_OF_MEMORY;
    memcpy(free_nodes, m->nodes.rhs, sizeof(double) * of_nodes);
    if (!cst_nodal_form_solve_all(m, form, arena, free_nodes))
        return CST_OUT_OF_MEMORY;
    scale_system(m, form, free_nodes, out);
    return CST_SOLVED;
}
