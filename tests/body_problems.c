#include "tests/body_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct solve_link {
    test_bodies *made;
    int body;
} solve_link;

void test_dense_solve(int size, const double *A, int columns, double *x)
{
    double *m = malloc(sizeof(double) * (size_t)size * (size_t)size);
    if (!m)
        abort();
    memcpy(m, A, sizeof(double) * (size_t)size * (size_t)size);
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int i = k + 1; i < size; i++)
            if (fabs(m[i * size + k]) > fabs(m[pivot * size + k]))
                pivot = i;
        for (int c = 0; c < size; c++) {
            const double t = m[k * size + c];
            m[k * size + c] = m[pivot * size + c];
            m[pivot * size + c] = t;
        }
        for (int c = 0; c < columns; c++) {
            const double t = x[c * size + k];
            x[c * size + k] = x[c * size + pivot];
            x[c * size + pivot] = t;
        }
        for (int i = k + 1; i < size; i++) {
            const double f = m[i * size + k] / m[k * size + k];
            for (int c = k; c < size; c++)
                m[i * size + c] -= f * m[k * size + c];
            for (int c = 0; c < columns; c++)
                x[c * size + i] -= f * x[c * size + k];
        }
    }
    for (int c = 0; c < columns; c++)
        for (int k = size - 1; k >= 0; k--) {
            for (int j = k + 1; j < size; j++)
                x[c * size + k] -= m[k * size + j] * x[c * size + j];
            x[c * size + k] /= m[k * size + k];
        }
    free(m);
}

/* View of a body's block in the dense matrix of all. */
static double *entry(const test_bodies *made, int body, int row, int column)
{
    return made->A + (size_t)(made->offset[body] + row) * (size_t)made->dofs + (size_t)(made->offset[body] + column);
}

static bool solve_callback(void *user, double *x)
{
    const solve_link *link = user;
    test_bodies *made = link->made;
    const int size = made->problem.body[link->body].size;
    if (++made->solve_calls >= made->solve_failing && made->solve_failing > 0)
        return false;
    double *own = malloc(sizeof(double) * (size_t)size * (size_t)size);
    if (!own)
        abort();
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            own[i * size + j] = *entry(made, link->body, i, j);
    test_dense_solve(size, own, 1, x);
    for (int i = 0; i < size && made->solve_factor != 0.0; i++)
        x[i] *= made->solve_factor;
    if (made->blind_dof > 0)
        x[made->blind_dof - 1] = 0.0;
    free(own);
    return true;
}

static bool defect_callback(void *user, double *x, const double *f, double *defect, double *terms)
{
    const solve_link *link = user;
    const int size = link->made->problem.body[link->body].size;
    link->made->defect_calls++;
    for (int i = 0; i < size; i++) {
        defect[i] = -f[i];
        terms[i] = fabs(f[i]);
        for (int j = 0; j < size; j++) {
            defect[i] += *entry(link->made, link->body, i, j) * x[j];
            terms[i] += fabs(*entry(link->made, link->body, i, j) * x[j]);
        }
    }
    return true;
}

void test_bodies_lend(test_bodies *made, double **factor)
{
    cst_body *bodies = (cst_body *)made->problem.body;
    for (int at = 0; at < made->problem.bodies; at++) {
        cst_body *body = bodies + at;
        const int size = body->size, band = body->kind == CST_BODY_BAND ? body->bandwidth : size;
        factor[at] = NULL;
        if (body->kind == CST_BODY_SOLVE)
            body->defect = defect_callback;
        if (body->kind != CST_BODY_DENSE && body->kind != CST_BODY_BAND)
            continue;
        double *L = CST_TAKE(&made->arena, double, size *size), *packed = CST_TAKE(&made->arena, double, size *(band + 1));
        for (int i = 0; i < size; i++)
            for (int j = 0; j <= i; j++) {
                double sum = *entry(made, at, i, j);
                for (int k = 0; k < j; k++)
                    sum -= L[i * size + k] * L[j * size + k];
                L[i * size + j] = i == j ? sqrt(sum) : sum / L[j * size + j];
                const double kept = i == j ? 1.0 / L[i * size + i] : L[i * size + j];
                if (body->kind == CST_BODY_DENSE)
                    packed[i * (i + 1) / 2 + j] = kept;
                else if (i - j <= band)
                    packed[i * (band + 1) + band - (i - j)] = kept;
            }
        body->factor = factor[at] = packed;
    }
}

/* ---------------------------------------------------------------------------------------------------------------- bodies */

/* A = m I + sum of positive semidefinite couplings of dofs at most `reach` apart. */
static void couple_dofs(test_bodies *made, cst_rng *rng, int body, int size, int reach, double stiffness)
{
    const double mass = cst_rng_log_range(rng, 0.5, 4);
    for (int i = 0; i < size; i++)
        *entry(made, body, i, i) += mass;
    for (int i = 0; i < size; i++)
        for (int j = i + 1; j < size && j <= i + reach; j++) {
            const double k = mass * stiffness * cst_rng_uniform(rng) / reach, a = cst_rng_normal(rng), b = cst_rng_normal(rng);
            *entry(made, body, i, i) += k * a * a;
            *entry(made, body, j, j) += k * b * b;
            *entry(made, body, i, j) += k * a * b;
            *entry(made, body, j, i) += k * a * b;
        }
}

/* Springs of random directions between nodes 1 and `across` apart, as in a strip of cloth. */
static void couple_nodes(test_bodies *made, cst_rng *rng, int body, int dim, int nodes, double stiffness)
{
    enum { ACROSS = 3 };
    const double mass = cst_rng_log_range(rng, 0.5, 4);
    for (int i = 0; i < dim * nodes; i++)
        *entry(made, body, i, i) += mass * (i % dim + 1);
    for (int i = 0; i < nodes; i++)
        for (int step = 1; step <= ACROSS; step += ACROSS - 1) {
            const int j = i + step;
            double t[3];
            if (j >= nodes)
                continue;
            cst_rng_direction(rng, dim, t);
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++) {
                    const double k = mass * stiffness * (t[a] * t[b] + (a == b ? 0.1 : 0.0));
                    *entry(made, body, dim * i + a, dim * i + b) += k;
                    *entry(made, body, dim * j + a, dim * j + b) += k;
                    *entry(made, body, dim * i + a, dim * j + b) -= k;
                    *entry(made, body, dim * j + a, dim * i + b) -= k;
                }
        }
}

static void give_dense(test_bodies *made, cst_body *body, int at)
{
    double *matrix = CST_TAKE(&made->arena, double, body->size * body->size);
    for (int i = 0; i < body->size; i++)
        for (int j = 0; j < body->size; j++) /* the upper triangle is not to be read */
            matrix[i * body->size + j] = j <= i ? *entry(made, at, i, j) : NAN;
    body->matrix = matrix;
}

static void give_band(test_bodies *made, cst_body *body, int at)
{
    const int width = body->bandwidth + 1;
    double *matrix = CST_TAKE(&made->arena, double, body->size *width);
    for (int i = 0; i < body->size; i++)
        for (int k = 0; k < width; k++) {
            const int j = i - body->bandwidth + k;
            matrix[i * width + k] = j >= 0 ? *entry(made, at, i, j) : NAN;
        }
    body->matrix = matrix;
}

static void give_nodal(test_bodies *made, cst_body *body, int at, int dim)
{
    const int nodes = body->size / dim;
    int64_t *row_start = CST_TAKE(&made->arena, int64_t, nodes + 1);
    int32_t *column = CST_TAKE(&made->arena, int32_t, nodes * nodes);
    double *block = CST_TAKE(&made->arena, double, body->size * body->size);
    int64_t count = 0;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            bool coupled = false;
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++) {
                    block[(count * dim + a) * dim + b] = *entry(made, at, dim * i + a, dim * j + b);
                    coupled |= block[(count * dim + a) * dim + b] != 0.0;
                }
            if (coupled)
                column[count++] = j;
        }
        row_start[i + 1] = count;
    }
    body->matrix = block;
    body->row_start = row_start;
    body->column = column;
}

static cst_body_kind pick_kind(cst_rng *rng, int kinds)
{
    for (;;) {
        const int kind = cst_rng_integer(rng, 4);
        if (kinds & (1 << kind))
            return (cst_body_kind)kind;
    }
}

static void make_bodies(test_bodies *made, cst_rng *rng, const test_bodies_options *options)
{
    const int dim = options->dim;
    const double stiffness = options->stiffness > 0 ? options->stiffness : 3;
    cst_body *body = CST_TAKE(&made->arena, cst_body, options->bodies);
    made->offset = CST_TAKE(&made->arena, int, options->bodies + 1);
    for (int at = 0; at < options->bodies; at++) {
        body[at].kind = pick_kind(rng, options->kinds);
        const int nodes = options->nodes > 0 ? options->nodes : 6 + cst_rng_integer(rng, 7);
        body[at].size = body[at].kind == CST_BODY_NODAL ? dim * nodes : 3 + cst_rng_integer(rng, 12);
        body[at].bandwidth = body[at].kind == CST_BODY_BAND ? cst_rng_integer(rng, 5) : 0;
        made->offset[at + 1] = made->offset[at] + body[at].size;
    }
    made->dofs = made->offset[options->bodies];
    made->A = CST_TAKE(&made->arena, double, made->dofs * made->dofs);
    for (int at = 0; at < options->bodies; at++) {
        double *rhs = CST_TAKE(&made->arena, double, body[at].size);
        switch (body[at].kind) {
        case CST_BODY_DENSE:
            couple_dofs(made, rng, at, body[at].size, body[at].size, stiffness);
            give_dense(made, body + at, at);
            break;
        case CST_BODY_BAND:
            couple_dofs(made, rng, at, body[at].size, body[at].bandwidth, stiffness);
            give_band(made, body + at, at);
            break;
        case CST_BODY_SOLVE: {
            solve_link *link = CST_TAKE(&made->arena, solve_link, 1);
            *link = (solve_link){made, at};
            couple_dofs(made, rng, at, body[at].size, body[at].size, stiffness);
            body[at].solve = solve_callback;
            body[at].user = link;
            break;
        }
        case CST_BODY_NODAL:
            couple_nodes(made, rng, at, dim, body[at].size / dim, stiffness);
            give_nodal(made, body + at, at, dim);
            break;
        }
        for (int i = 0; i < body[at].size; i++)
            rhs[i] = *entry(made, at, i, i) * cst_rng_normal(rng);
        body[at].rhs = rhs;
    }
    made->problem.bodies = options->bodies;
    made->problem.body = body;
}

/* -------------------------------------------------------------------------------------------------------------- contacts */

/* Rows n, t1, (t2) of a random rotation. */
static void random_frame(cst_rng *rng, int dim, double *frame)
{
    cst_rng_direction(rng, dim, frame);
    if (dim == 2) {
        frame[2] = -frame[1];
        frame[3] = frame[0];
        return;
    }
    double along;
    do {
        cst_rng_direction(rng, 3, frame + 3);
        along = frame[0] * frame[3] + frame[1] * frame[4] + frame[2] * frame[5];
    } while (fabs(along) > 0.9);
    for (int k = 0; k < 3; k++)
        frame[3 + k] = (frame[3 + k] - along * frame[k]) / sqrt(1 - along * along);
    for (int k = 0; k < 3; k++)
        frame[6 + k] = frame[(k + 1) % 3] * frame[3 + (k + 2) % 3] - frame[(k + 2) % 3] * frame[3 + (k + 1) % 3];
}

/* Nodal bodies are touched at one node, or two of them with weights that add up to one; others at some random dofs. */
static cst_contact_side make_side(test_bodies *made, cst_rng *rng, const test_bodies_options *options, int body,
                                  const double *frame, double sign, int avoid_node)
{
    const int dim = options->dim;
    if (body < 0)
        return (cst_contact_side){.body = -1};
    const cst_body *on = made->problem.body + body;
    int32_t *dof = CST_TAKE(&made->arena, int32_t, on->size);
    double *h = CST_TAKE(&made->arena, double, dim * on->size);
    int count = 0;
    if (on->kind == CST_BODY_NODAL) {
        const int nodes = on->size / dim, touched = options->one_node ? 1 : 1 + cst_rng_integer(rng, 2);
        int node;
        do
            node = cst_rng_integer(rng, nodes - touched + 1);
        while (node == avoid_node);
        const double weight = touched == 1 ? 1 : cst_rng_range(rng, 0.2, 0.8);
        count = dim * touched;
        for (int k = 0; k < count; k++) {
            dof[k] = dim * node + k;
            for (int row = 0; row < dim; row++)
                h[row * count + k] = sign * (k < dim ? weight : 1 - weight) * frame[row * dim + k % dim];
        }
    } else {
        for (int k = 0; k < on->size; k++)
            if (cst_rng_uniform(rng) < 0.4 || (count == 0 && k == on->size - 1))
                dof[count++] = k;
        for (int k = 0; k < dim * count; k++)
            h[k] = sign * cst_rng_normal(rng) * 0.6;
    }
    return (cst_contact_side){.body = body, .dofs = count, .dof = dof, .h = h};
}

static void make_contacts(test_bodies *made, cst_rng *rng, const test_bodies_options *options)
{
    const int dim = options->dim, n = options->contacts;
    cst_contact_side *side_a = CST_TAKE(&made->arena, cst_contact_side, n), *side_b = CST_TAKE(&made->arena, cst_contact_side, n);
    double *offset = CST_TAKE(&made->arena, double, n *dim), *mu = CST_TAKE(&made->arena, double, n);
    uint8_t *law = CST_TAKE(&made->arena, uint8_t, n);
    made->problem.side_a = side_a;
    made->problem.side_b = side_b;
    for (int i = 0; i < n; i++) {
        double frame[9];
        int a = cst_rng_integer(rng, options->bodies), b = cst_rng_integer(rng, options->bodies);
        const double obstacle = cst_rng_uniform(rng);
        if (b == a && !options->same_body && options->bodies > 1)
            b = (a + 1) % options->bodies;
        else if (b == a && !options->same_body)
            b = -1;
        if (obstacle < 0.15)
            a = -1;
        else if (obstacle < 0.3)
            b = -1;
        if (a < 0 && b < 0)
            b = 0;
        random_frame(rng, dim, frame);
        side_a[i] = make_side(made, rng, options, a, frame, 1, -1);
        const bool apart = a >= 0 && a == b && made->problem.body[a].kind == CST_BODY_NODAL; /* or both sides might cancel */
        side_b[i] = make_side(made, rng, options, b, frame, -1, apart ? side_a[i].dof[0] / dim : -1);
        law[i] = (uint8_t)(cst_rng_uniform(rng) < options->bilateral ? CST_LAW_BILATERAL : CST_LAW_COULOMB);
        offset[i * dim] = law[i] == CST_LAW_BILATERAL ? 0 : 0.05 * (0.1 + cst_rng_exponential(rng));
        mu[i] = options->mu >= 0 ? options->mu : cst_rng_integer(rng, 4) == 0 ? 0 : cst_rng_range(rng, 0.1, 0.8);
    }
    made->problem.dim = dim;
    made->problem.contacts = n;
    made->problem.velocity_offset = offset;
    made->problem.mu = mu;
    made->problem.law = options->bilateral > 0 ? law : NULL;
}

static void add_rows(test_bodies *made, int contact, const cst_contact_side *side)
{
    const int dim = made->problem.dim;
    if (side->body >= 0)
        for (int row = 0; row < dim; row++)
            for (int k = 0; k < side->dofs; k++)
                made->H[(contact * dim + row) * made->dofs + made->offset[side->body] + side->dof[k]] +=
                    side->h[row * side->dofs + k];
}

static void eliminate(test_bodies *made)
{
    const int m = made->problem.dim * made->problem.contacts, dofs = made->dofs;
    double *solved = CST_TAKE(&made->arena, double, (m + 1) * dofs);
    made->H = CST_TAKE(&made->arena, double, m *dofs);
    made->W = CST_TAKE(&made->arena, double, m *m);
    made->w = CST_TAKE(&made->arena, double, m);
    for (int i = 0; i < made->problem.contacts; i++) {
        add_rows(made, i, made->problem.side_a + i);
        add_rows(made, i, made->problem.side_b + i);
    }
    memcpy(solved, made->H, sizeof(double) * (size_t)(m * dofs));
    for (int at = 0; at < made->problem.bodies; at++)
        memcpy(solved + m * dofs + made->offset[at], made->problem.body[at].rhs,
               sizeof(double) * (size_t)made->problem.body[at].size);
    test_dense_solve(dofs, made->A, m + 1, solved);
    for (int i = 0; i < m; i++) {
        made->w[i] = made->problem.velocity_offset[i];
        for (int k = 0; k < dofs; k++)
            made->w[i] += made->H[i * dofs + k] * solved[m * dofs + k];
        for (int j = 0; j < m; j++)
            for (int k = 0; k < dofs; k++)
                made->W[i * m + j] += made->H[i * dofs + k] * solved[j * dofs + k];
    }
}

test_bodies *test_bodies_make(uint64_t seed, const test_bodies_options *options)
{
    test_bodies *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    cst_rng rng;
    cst_rng_seed(&rng, seed, 17);
    cst_arena_begin(&made->arena, NULL);
    make_bodies(made, &rng, options);
    make_contacts(made, &rng, options);
    eliminate(made);
    return made;
}

void test_bodies_free(test_bodies *made)
{
    cst_arena_end(&made->arena);
    free(made);
}
