#include "friction/nodal_condense.h"

#include "friction/condense_limits.h"

#include <stdio.h>
#include <string.h>

bool cst_nodal_condense_pays(const cst_mixed *m)
{
    int touched = 0;
    for (int j = 0; j < m->nodes.count; j++)
        touched += m->touched[j];
    return cst_nodes_lent(m->problem) && touched < CST_CONDENSE_MOST * m->nodes.count;
}

/* Eliminates the nodes without contacts from the Schur complement of a cloth body; the caller of the friction solver provides
 * this Schur complement. Returns the same codes as cst_schur_find. */
static int condense_lent(const cst_schur *lent, int nodes, int dim, const bool *touched, int threads, cst_arena *arena,
                         cst_schur *out)
{
    bool *kept = CST_TAKE_RAW(arena, bool, (size_t)lent->kept);
    int32_t *order = CST_TAKE_RAW(arena, int32_t, (size_t)lent->kept);
    if (arena->failed)
        return nodes;
    for (int j = 0; j < lent->kept; j++) {
        kept[j] = touched[lent->vertex[j]];
        order[j] = j;
    }
    const int fault =
        cst_schur_find(arena, lent->kept, dim, lent->row_start, lent->column, lent->block, order, kept, threads, out);
    if (fault >= 0)
        return fault == lent->kept ? nodes : lent->vertex[fault];
    for (int j = 0; j < out->kept; j++)
        out->vertex[j] = lent->vertex[out->vertex[j]];
    return -1;
}

/* Returns true if the caller of the friction solver provides a Schur complement of the cloth body that contains all nodes with
 * contacts. */
static bool is_lent(const cst_body *body, int nodes, const bool *touched)
{
    for (int j = 0; body->nodal_schur && j < nodes; j++)
        if (touched[j] && body->nodal_schur->index[j] < 0)
            return false;
    return body->nodal_schur != NULL;
}

/* Returns true if at least half of the nodes of the Schur complement have contacts. */
static bool fits(const cst_schur *lent, const bool *touched)
{
    static const double MORE = 2.0; /* docs/constants.md */
    int count = 0;
    for (int j = 0; j < lent->kept; j++)
        count += touched[lent->vertex[j]];
    return lent->kept <= MORE * count;
}

/* One cloth body: its index, the number of its first node among the nodes of all cloth, and how many nodes it has. */
typedef struct nodal_part {
    int body, first, nodes;
} nodal_part;

/* Sets *part to the next cloth body, or to the first cloth body if part->body is -1. Returns false if there is no further
 * cloth body. */
static bool next_part(const cst_body_problem *problem, nodal_part *part)
{
    part->first += part->nodes;
    for (part->body++; part->body < problem->bodies; part->body++)
        if (problem->body[part->body].kind == CST_BODY_NODAL) {
            part->nodes = problem->body[part->body].size / problem->dim;
            return true;
        }
    return false;
}

/* Finds the Schur complement of each cloth body on its nodes with contacts. */
static cst_status find_complements(const cst_mixed *m, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                                   size_t message_size)
{
    const cst_body_problem *problem = m->problem;
    for (nodal_part part = {.body = -1}; next_part(problem, &part);) {
        const int k = part.body, nodes = part.nodes;
        const cst_body *body = problem->body + k;
        const bool *touched = m->touched + part.first;
        const bool lent = is_lent(body, nodes, touched);
        out->lent[k] = lent && fits(body->nodal_schur, touched);
        if (out->lent[k]) {
            out->of[k] = *body->nodal_schur;
            continue;
        }
        const int fault = lent ? condense_lent(body->nodal_schur, nodes, problem->dim, touched, threads, arena, out->of + k)
                               : cst_schur_find(arena, nodes, problem->dim, body->row_start, body->column, body->matrix,
                                                body->nodal_factor->fronts.order, touched, threads, out->of + k);
        if (fault == nodes)
            return CST_OUT_OF_MEMORY;
        if (fault >= 0) {
            snprintf(message, message_size, "body %d: its matrix is not positive definite at node %d", k, fault);
            return CST_BAD_PROBLEM;
        }
    }
    return CST_SOLVED;
}

/* Joins the Schur complements of all cloth bodies into one matrix. */
static bool join(const cst_mixed *m, cst_arena *arena, cst_nodal_condensed *out)
{
    const cst_body_problem *problem = m->problem;
    const int dim = problem->dim, square = dim * dim;
    const size_t block_bytes = sizeof(double) * (size_t)square;
    int64_t blocks = 0;
    int count = 0, first = 0;
    for (nodal_part part = {.body = -1}; next_part(problem, &part);) {
        const cst_schur *of = out->of + part.body;
        blocks += of->row_start[of->kept];
        count += of->kept;
    }
    cst_nodes *nodes = &out->nodes;
    nodes->count = count;
    nodes->row_start = CST_TAKE(arena, int64_t, (size_t)count + 1);
    nodes->column = CST_TAKE_RAW(arena, int32_t, (size_t)blocks);
    nodes->block = CST_TAKE_RAW(arena, double, (size_t)(blocks * square));
    nodes->diagonal = CST_TAKE_RAW(arena, double, (size_t)count *(size_t)square);
    out->node = CST_TAKE_RAW(arena, int32_t, (size_t)count);
    out->order = CST_TAKE_RAW(arena, int32_t, (size_t)count);
    if (arena->failed)
        return false;
    int64_t filled = 0;
    for (nodal_part part = {.body = -1}; next_part(problem, &part);) {
        const cst_schur *of = out->of + part.body;
        for (int j = 0; j < of->kept; j++) {
            out->node[first + j] = part.first + of->vertex[j];
            for (int64_t e = of->row_start[j]; e < of->row_start[j + 1]; e++) {
                double *to = nodes->diagonal + (int64_t)(first + j) * square;
                if (of->column[e] != j) {
                    nodes->column[filled] = first + of->column[e];
                    to = nodes->block + filled++ * square;
                }
                memcpy(to, of->block + e * square, block_bytes);
            }
            nodes->row_start[first + j + 1] = filled;
        }
        first += of->kept;
    }
    return true;
}

/* Returns true if the matrix of the cloth couples `node` with an eliminated node. `index`: as in find_order. */
static bool is_rim(const cst_body *body, const int32_t *index, int32_t node)
{
    for (int64_t e = body->row_start[node]; e < body->row_start[node + 1]; e++)
        if (index[body->column[e]] < 0)
            return true;
    return false;
}

/* Finds the order in which Newton's method eliminates the nodes of the Schur complement. The nodes keep the order of the cloth's
 * Cholesky factor, but neighbours of eliminated nodes come last in each cloth body, because their part of the Schur complement is
 * nearly full. `index` (nodes): position of each node in the Schur complement, or -1 for an eliminated node. */
static void find_order(const cst_mixed *m, const int32_t *index, cst_nodal_condensed *out)
{
    const cst_body_problem *problem = m->problem;
    int at = 0;
    for (nodal_part part = {.body = -1}; next_part(problem, &part);) {
        const cst_body *body = problem->body + part.body;
        const int32_t *own = index + part.first;
        for (int rim = 0; rim < 2; rim++)
            for (int q = 0; q < part.nodes; q++) {
                const int32_t node = body->nodal_factor->fronts.order[q];
                if (own[node] >= 0 && is_rim(body, own, node) == (rim == 1))
                    out->order[at++] = own[node];
            }
    }
}

cst_status cst_nodal_condense(const cst_mixed *m, int threads, cst_arena *arena, cst_nodal_condensed *out, char *message,
                              size_t message_size)
{
    const int64_t touches = m->nodes.touch_start[m->problem->contacts];
    *out = (cst_nodal_condensed){.of = CST_TAKE(arena, cst_schur, (size_t)m->problem->bodies),
                                 .lent = CST_TAKE(arena, bool, (size_t)m->problem->bodies)};
    out->nodes = (cst_nodes){.dim = m->nodes.dim,
                             .touch_start = m->nodes.touch_start,
                             .touch_node = CST_TAKE_RAW(arena, int32_t, (size_t)touches),
                             .touch_h = m->nodes.touch_h};
    int32_t *index = CST_TAKE_RAW(arena, int32_t, (size_t)m->nodes.count);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    const cst_status status = find_complements(m, threads, arena, out, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (!join(m, arena, out))
        return CST_OUT_OF_MEMORY;
    for (int j = 0; j < m->nodes.count; j++)
        index[j] = -1;
    for (int j = 0; j < out->nodes.count; j++)
        index[out->node[j]] = j;
    for (int64_t t = 0; t < touches; t++)
        out->nodes.touch_node[t] = index[m->nodes.touch_node[t]];
    find_order(m, index, out);
    return CST_SOLVED;
}
