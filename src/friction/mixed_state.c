#include "friction/mixed_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "friction/body_audit.h"
#include "friction/cone.h"
#include "friction/residual.h"
#include "math/small_matrix.h"
#include "sparse/envelope_cholesky.h"

/* --------------------------------------------------------------------------------------------------------------- patches */

/* Returns the block of the nodal matrix A that couples the nodes j and k; NULL: no such block. */
static const double *find_block(const cst_nodes *nodes, int j, int k)
{
    const int square = nodes->dim * nodes->dim;
    if (j == k)
        return nodes->diagonal + (int64_t)j * square;
    for (int64_t e = nodes->row_start[j]; e < nodes->row_start[j + 1]; e++)
        if (nodes->column[e] == k)
            return nodes->block + e * square;
    return NULL;
}

static cst_status invert_patch(const cst_mixed *m, int contact, cst_arena *arena, double *inverse, char *message,
                               size_t message_size)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim, count = (int)(nodes->touch_start[contact + 1] - nodes->touch_start[contact]), size = count * dim;
    const int32_t *node = nodes->touch_node + nodes->touch_start[contact];
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_envelope factor;
    if (!cst_envelope_begin(arena, size, &factor) || !cst_envelope_open(arena, &factor))
        return CST_OUT_OF_MEMORY;
    for (int p = 0; p < count; p++)
        for (int q = 0; q <= p; q++) {
            const double *block = find_block(nodes, node[p], node[q]);
            if (!block)
                continue;
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim && q * dim + c <= p * dim + row; c++)
                    cst_envelope_row(&factor, p * dim + row)[q * dim + c] = block[row * dim + c];
        }
    if (cst_envelope_factor(&factor) >= 0) {
        snprintf(message, message_size, "contact %d: the matrix of the nodes it touches is not positive definite", contact);
        return CST_BAD_PROBLEM;
    }
    for (int k = 0; k < size; k++) { /* the inverse is symmetric */
        double *row = inverse + (int64_t)k * size;
        memset(row, 0, sizeof(double) * (size_t)size);
        row[k] = 1.0;
        cst_envelope_forward(&factor, 1, 0, k, row + k);
        cst_envelope_backward(&factor, row);
    }
    cst_arena_release(arena, mark);
    return CST_SOLVED;
}

/* Computes the local compliance of a contact, and the change of the velocities of its nodes per change of its impulse. */
static void find_response(cst_mixed *m, int contact)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    const int64_t first = nodes->touch_start[contact], count = nodes->touch_start[contact + 1] - first, size = count * dim;
    const double *inverse = m->patch + m->patch_start[contact];
    double *W = m->W + (int64_t)contact * dim * dim;
    for (int64_t p = 0; p < count; p++)
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++) {
                double sum = 0.0;
                for (int64_t q = 0; q < count; q++)
                    sum += cst_small_dot(dim, inverse + (p * dim + row) * size + q * dim,
                                         nodes->touch_h + ((first + q) * dim + c) * dim);
                m->follow[((first + p) * dim + row) * dim + c] = sum;
            }
    cst_half_compliance(dim, 2, m->halves.half + 2 * (int64_t)contact, W);
    for (int64_t t = first; t < first + count; t++)
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                for (int k = 0; k < dim; k++)
                    W[row * dim + c] += nodes->touch_h[(t * dim + row) * dim + k] * m->follow[(t * dim + k) * dim + c];
}

static cst_status build_patches(cst_mixed *m, cst_arena *arena, char *message, size_t message_size)
{
    const int n = m->problem->contacts, dim = m->problem->dim;
    const int64_t touches = m->nodes.touch_start[n];
    int64_t largest = 0;
    m->patch_start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    m->follow = CST_TAKE_RAW(arena, double, (size_t)(touches * dim * dim));
    m->touched = CST_TAKE(arena, bool, (size_t)m->nodes.count);
    m->W = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)(dim * dim));
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int i = 0; i < n; i++) {
        const int64_t size = (m->nodes.touch_start[i + 1] - m->nodes.touch_start[i]) * dim;
        m->patch_start[i + 1] = m->patch_start[i] + size * size;
        largest = size > largest ? size : largest;
    }
    for (int64_t t = 0; t < touches; t++)
        m->touched[m->nodes.touch_node[t]] = true;
    m->patch = CST_TAKE_RAW(arena, double, (size_t)m->patch_start[n]);
    m->defect = CST_TAKE_RAW(arena, double, (size_t)largest);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int i = 0; i < n; i++) {
        const cst_status status = invert_patch(m, i, arena, m->patch + m->patch_start[i], message, message_size);
        if (status != CST_SOLVED)
            return status;
        find_response(m, i);
    }
    return CST_SOLVED;
}

/* ----------------------------------------------------------------------------------------------------------------- sweep */

void cst_mixed_node_defect(const cst_mixed *m, int node, double *defect)
{
    const int dim = m->nodes.dim;
    const int64_t at = (int64_t)node * dim;
    double others[3], own[3];
    cst_nodes_off_diagonal(&m->nodes, node, m->v, others);
    cst_small_apply(dim, m->nodes.diagonal + at * dim, m->v + at, own);
    for (int c = 0; c < dim; c++)
        defect[c] = m->nodes.rhs[at + c] + m->impulse[at + c] - others[c] - own[c];
}

/* Solves for the velocities of the nodes of a contact, with the velocities of all other nodes and all impulses fixed. Returns
 * the largest velocity change. */
static double relax_patch(cst_mixed *m, int contact)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    const int64_t first = nodes->touch_start[contact], count = nodes->touch_start[contact + 1] - first, size = count * dim;
    const double *inverse = m->patch + m->patch_start[contact];
    double largest = 0.0;
    for (int64_t p = 0; p < count; p++)
        cst_mixed_node_defect(m, nodes->touch_node[first + p], m->defect + p * dim);
    for (int64_t p = 0; p < count; p++) {
        double *v = m->v + (int64_t)nodes->touch_node[first + p] * dim, square = 0.0;
        for (int row = 0; row < dim; row++) {
            double change = 0.0;
            for (int64_t k = 0; k < size; k++)
                change += inverse[(p * dim + row) * size + k] * m->defect[k];
            v[row] += change;
            square += change * change;
        }
        cst_keep_largest(&largest, square);
    }
    return sqrt(largest);
}

static void contact_velocity(const cst_mixed *m, int contact, double *u)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    memcpy(u, m->offset + (int64_t)contact * dim, sizeof(double) * (size_t)dim);
    cst_half_read(dim, 2, m->halves.half + 2 * (int64_t)contact, m->halves.state, m->y, u);
    for (int64_t t = nodes->touch_start[contact]; t < nodes->touch_start[contact + 1]; t++) {
        double part[3];
        cst_small_apply(dim, nodes->touch_h + t * dim * dim, m->v + (int64_t)nodes->touch_node[t] * dim, part);
        for (int c = 0; c < dim; c++)
            u[c] += part[c];
    }
}

/* Updates two quantities after the impulse of one contact has changed by `dr`: the vectors L^-1 H^T r of bodies other than cloth
 * (half.h), and the impulses on cloth nodes. If `with_nodes` is true, also updates the velocities of the contact's nodes. */
static void move(cst_mixed *m, int contact, const double *dr, bool with_nodes)
{
    const cst_nodes *nodes = &m->nodes;
    const int dim = nodes->dim;
    cst_half_move(dim, 2, m->halves.half + 2 * (int64_t)contact, m->halves.state, dr, m->y);
    for (int64_t t = nodes->touch_start[contact]; t < nodes->touch_start[contact + 1]; t++) {
        const int64_t at = (int64_t)nodes->touch_node[t] * dim;
        double part[3];
        cst_small_apply_transposed(dim, nodes->touch_h + t * dim * dim, dr, part);
        for (int c = 0; c < dim; c++)
            m->impulse[at + c] += part[c];
        if (!with_nodes)
            continue;
        cst_small_apply(dim, m->follow + t * dim * dim, dr, part);
        for (int c = 0; c < dim; c++)
            m->v[at + c] += part[c];
    }
}

/* Returns the norm of the Alart-Curnier function of a contact, for the scaled impulse w r / V and the scaled velocity u / V.
 * Symbols: w is the compliance of the contact, and V the velocity scale of the friction residual E. For a bilateral contact,
 * returns the norm of u / V. */
static double met_error(const cst_mixed *m, int contact, const double *r, const double *u)
{
    const int dim = m->nodes.dim;
    double r_scaled[3] = {0}, u_scaled[3] = {0}, f[3] = {0};
    for (int c = 0; c < dim; c++) {
        r_scaled[c] = r[c] * m->judge.w[contact] / m->judge.scale;
        u_scaled[c] = u[c] / m->judge.scale;
    }
    if (m->local.law[contact] == CST_LAW_BILATERAL)
        memcpy(f, u_scaled, sizeof f);
    else
        cst_alart_curnier(dim, m->local.mu[contact], r_scaled, u_scaled, f);
    return sqrt(cst_small_dot(dim, f, f));
}

static double visit_contact(cst_mixed *m, int contact)
{
    const int dim = m->nodes.dim;
    double *r = m->r + (int64_t)contact * dim, u[3] = {0}, dr[3], beta[3];
    const double *W = m->W + (int64_t)contact * dim * dim;
    double error = relax_patch(m, contact) / m->judge.scale;
    contact_velocity(m, contact, u);
    cst_keep_largest(&error, met_error(m, contact, r, u));
    cst_small_apply(dim, W, r, beta);
    const double eta = m->eta * m->judge.w[contact];
    for (int c = 0; c < dim; c++) {
        beta[c] = u[c] - beta[c] - eta * r[c];
        dr[c] = -r[c];
    }
    cst_local_contact_solve(&m->local, contact, beta, r);
    for (int c = 0; c < dim; c++)
        dr[c] += r[c];
    move(m, contact, dr, true);
    return error;
}

static double visit_free_node(cst_mixed *m, int node)
{
    const int dim = m->nodes.dim;
    double defect[3] = {0}, change[3] = {0};
    cst_mixed_node_defect(m, node, defect);
    cst_small_apply(dim, m->nodes.inverse + (int64_t)node * dim * dim, defect, change);
    for (int c = 0; c < dim; c++)
        m->v[(int64_t)node * dim + c] += change[c];
    return sqrt(cst_small_dot(dim, change, change)) / m->judge.scale;
}

double cst_mixed_sweep(cst_mixed *m)
{
    double error = 0.0;
    for (int i = 0; i < m->problem->contacts; i++)
        cst_keep_largest(&error, visit_contact(m, i));
    for (int j = 0; j < m->nodes.count; j++)
        if (!m->touched[j])
            cst_keep_largest(&error, visit_free_node(m, j));
    return error;
}

void cst_mixed_set_proximal(cst_mixed *m, double eta)
{
    const int dim = m->nodes.dim;
    m->eta = eta;
    for (int i = 0; i < m->problem->contacts; i++) {
        double W[9];
        memcpy(W, m->W + (int64_t)i * dim * dim, sizeof(double) * (size_t)(dim * dim));
        for (int c = 0; c < dim; c++)
            W[c * (dim + 1)] += eta * m->judge.w[i];
        cst_local_contact_set(&m->local, i, W);
    }
}

void cst_mixed_resume(cst_mixed *m)
{
    memset(m->y, 0, sizeof(double) * (size_t)m->halves.state[m->problem->bodies]);
    memset(m->impulse, 0, sizeof(double) * (size_t)m->nodes.count * (size_t)m->nodes.dim);
    for (int i = 0; i < m->problem->contacts; i++)
        move(m, i, m->r + (int64_t)i * m->nodes.dim, false);
}

/* -------------------------------------------------------------------------------------------------------------- beginning */

static cst_status build_parts(cst_mixed *m, const cst_friction_options *options, cst_arena *arena, char *message,
                              size_t message_size)
{
    cst_status status = cst_nodes_build(m->problem, arena, &m->nodes, message, message_size);
    if (status == CST_SOLVED)
        status = cst_halves_build(&m->bodies, NULL, 1, arena, &m->halves, message, message_size);
    if (status == CST_SOLVED && !cst_audit_halves(&m->bodies, &m->halves, NULL, 1, arena, m->compliance))
        status = CST_OUT_OF_MEMORY;
    if (status == CST_SOLVED)
        status = build_patches(m, arena, message, message_size);
    if (status == CST_SOLVED)
        status = cst_body_judge_begin(&m->bodies, &m->nodes, m->compliance, options->velocity_scale, options->velocity_floor,
                                      arena, &m->judge, message, message_size);
    if (status == CST_SOLVED && !cst_local_contacts_begin(&m->local, m->problem, options, arena))
        status = CST_OUT_OF_MEMORY;
    return status;
}

cst_status cst_mixed_begin(cst_mixed *m, const cst_bodies *bodies, const cst_friction_options *options, double *r,
                           double *compliance, cst_arena *arena, char *message, size_t message_size)
{
    const cst_body_problem *problem = bodies->problem;
    const size_t dim = (size_t)problem->dim;
    *m = (cst_mixed){.problem = problem, .bodies = *bodies, .compliance = compliance, .r = r};
    const cst_status status = build_parts(m, options, arena, message, message_size);
    if (status != CST_SOLVED)
        return status;
    m->offset = CST_TAKE_RAW(arena, double, (size_t)problem->contacts *dim);
    m->y = CST_TAKE(arena, double, (size_t)m->halves.state[problem->bodies]);
    m->v = CST_TAKE(arena, double, (size_t)m->nodes.count *dim);
    m->impulse = CST_TAKE(arena, double, (size_t)m->nodes.count *dim);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    /* cloth nodes have the velocity zero in m->bodies.free_velocity */
    for (int i = 0; i < problem->contacts; i++)
        cst_contact_velocity(problem, m->bodies.offset, i, m->bodies.free_velocity, m->offset + (int64_t)i * problem->dim);
    cst_mixed_set_proximal(m, 0.0);
    cst_mixed_resume(m);
    return CST_SOLVED;
}
