#include "friction/product.h"

#include <math.h>
#include <string.h>

#include "friction/body_audit.h"
#include "friction/meeting.h"

enum { PARALLEL_MIN = 512 };

typedef struct body_states {
    int bodies;
    int sides; /* half solves per contact */
    cst_half
        /* array (contacts x sides): half solves L^-1 H^T; the field `body` of a half solve is the index of a body in this
         * system */
        *half;
    int64_t *state; /* array (bodies + 1): index of the first entry of each body in the vector y */
    double *y;      /* vectors y of all bodies (product.h) */
    double bytes;   /* number of bytes that a sweep reads */
    cst_meetings meetings;
} body_states;

/* ------------------------------------------------------------------------------------------------- reading and moving y */

static inline bool is_zero(int dim, const double *x)
{
    return x[0] == 0.0 && x[1] == 0.0 && (dim == 2 || x[2] == 0.0);
}

static void product_off_diagonal(const cst_system *system, int contact, const double *x, double *beta)
{
    const body_states *states = system->state;
    const int dim = system->dim;
    const double *x_i = x + (int64_t)contact * dim, *b = system->b + (int64_t)contact * dim;
    const double *a = system->diagonal + (int64_t)contact * dim * dim;
    double u[3] = {0};
    cst_half_read(dim, states->sides, states->half + states->sides * (int64_t)contact, states->state, states->y, u);
    for (int row = 0; row < dim; row++) {
        double own = 0.0;
        for (int c = 0; c < dim; c++)
            own += a[row * dim + c] * x_i[c];
        beta[row] = b[row] + (u[row] - own);
    }
}

static void product_moved(cst_system *system, int contact, const double *dx)
{
    const body_states *states = system->state;
    if (!is_zero(system->dim, dx))
        cst_half_move(system->dim, states->sides, states->half + states->sides * (int64_t)contact, states->state, dx, states->y);
}

/* The vector y of a body (product.h) is summed by a single thread, so that no two threads write the same data. */
static void product_begin(cst_system *system, const double *x)
{
    body_states *states = system->state;
    const cst_meetings *meetings = &states->meetings;
    const int dim = system->dim;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= PARALLEL_MIN)
    for (int body = 0; body < states->bodies; body++) {
        double *y = states->y + states->state[body];
        memset(y, 0, sizeof(double) * (size_t)(states->state[body + 1] - states->state[body]));
        for (int64_t t = meetings->start[body]; t < meetings->start[body + 1]; t++) {
            const double *x_i = x + (int64_t)(meetings->touching[t] / states->sides) * dim;
            if (!is_zero(dim, x_i))
                cst_half_add(dim, states->half + meetings->touching[t], x_i, y);
        }
    }
}

static double *product_states(const cst_system *system, long *count)
{
    const body_states *states = system->state;
    *count = (long)states->state[states->bodies];
    return states->y;
}

static int product_row_length(const cst_system *system, int contact)
{
    const body_states *states = system->state;
    cst_meeting meeting;
    int length = 0;
    cst_meeting_begin(&states->meetings, contact, &meeting);
    for (int other; (other = cst_meeting_next(&states->meetings, &meeting)) >= 0;)
        length += other != contact;
    return length;
}

static int product_row(const cst_system *system, int contact, int32_t *column, double *block)
{
    const body_states *states = system->state;
    cst_meeting meeting;
    int length = 0;
    cst_meeting_begin(&states->meetings, contact, &meeting);
    for (int other; (other = cst_meeting_next(&states->meetings, &meeting)) >= 0;) {
        if (other == contact)
            continue;
        if (block) {
            cst_meeting_couple(system->dim, &states->meetings, &meeting, block);
            block += system->dim * system->dim;
        }
        column[length++] = other;
    }
    return length;
}

static void product_block(const cst_system *system, int contact, int other, double *block)
{
    const body_states *states = system->state;
    const int dim = system->dim, sides = states->sides;
    const cst_half *own = states->half + sides * (int64_t)contact, *met = states->half + sides * (int64_t)other;
    memset(block, 0, sizeof(double) * (size_t)(dim * dim));
    for (int s = 0; s < sides; s++)
        for (int t = 0; t < sides; t++)
            if (own[s].body >= 0 && own[s].body == met[t].body)
                cst_half_couple(dim, own + s, met + t, block);
}

/* -------------------------------------------------------------------------------------------------------------- building */

/* Allocates the vectors y of the bodies (product.h), lists the contacts of each body, and computes the number of bytes that a
 * sweep reads. */
static bool finish(body_states *states, int n, int dim, cst_arena *arena)
{
    states->y = CST_TAKE(arena, double, (size_t)states->state[states->bodies]);
    if (arena->failed || !cst_meetings_build(states->half, states->sides, n, states->bodies, arena, &states->meetings))
        return false;
    states->bytes = (double)states->sides * (double)sizeof(cst_half) * n;
    for (int64_t h = 0; h < states->sides * (int64_t)n; h++) {
        const cst_half *half = states->half + h;
        if (half->body >= 0)
            states->bytes += 8.0 * dim * half->length + (half->touch ? (8.0 * dim + 4.0) * half->touch->count : 0.0);
    }
    return true;
}

/* Hash table for a restricted system, which contains only some contacts (system.h): from the index of a body in the whole system
 * to its index in the restricted system. The memory and the time for the hash table depend on the number of contacts in the
 * restricted system, not on the number of bodies in the whole system. */
typedef struct numbering {
    int32_t *key;   /* body index, whole system; -1: free */
    int32_t *value; /* body index, restricted system */
    uint32_t mask;
    int count;
} numbering;

static bool numbering_begin(numbering *table, int most, cst_arena *arena)
{
    uint32_t size = 8;
    while (size < 2 * (uint32_t)most)
        size *= 2;
    *table =
        (numbering){.key = CST_TAKE_RAW(arena, int32_t, size), .value = CST_TAKE_RAW(arena, int32_t, size), .mask = size - 1};
    if (!arena->failed)
        memset(table->key, -1, sizeof *table->key * size);
    return !arena->failed;
}

/* Returns the index of a body in the restricted system; a body without an index gets the next one. */
static int32_t number_of(numbering *table, int32_t body)
{
    uint32_t at = ((uint32_t)body * 2654435761u) & table->mask; /* Knuth's multiplicative hashing */
    while (table->key[at] >= 0 && table->key[at] != body)
        at = (at + 1) & table->mask;
    if (table->key[at] < 0) {
        table->key[at] = body;
        table->value[at] = table->count++;
    }
    return table->value[at];
}

static bool product_restrict(const cst_system *system, const int32_t *chosen, int count, cst_arena *arena, cst_system *out)
{
    const body_states *whole = system->state;
    const int sides = whole->sides;
    body_states *part = CST_TAKE(arena, body_states, 1);
    cst_half *half = CST_TAKE_RAW(arena, cst_half, (size_t)sides * (size_t)count);
    int64_t *state = CST_TAKE(arena, int64_t, (size_t)sides * (size_t)count + 1);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    numbering table;
    if (arena->failed || !numbering_begin(&table, sides * count, arena))
        return false;
    *part = (body_states){.sides = sides, .half = half, .state = state};
    for (int k = 0; k < count; k++)
        for (int s = 0; s < sides; s++) {
            cst_half *kept = half + sides * (int64_t)k + s;
            *kept = whole->half[sides * (int64_t)chosen[k] + s];
            if (kept->body < 0)
                continue;
            const int64_t size = whole->state[kept->body + 1] - whole->state[kept->body];
            kept->body = number_of(&table, kept->body);
            if (kept->body == part->bodies) {
                state[part->bodies + 1] = state[part->bodies] + size;
                part->bodies++;
            }
        }
    cst_arena_release(arena, mark);
    out->state = part;
    return finish(part, count, system->dim, arena);
}

static double product_bytes(const cst_system *system)
{
    const body_states *states = system->state;
    return states->bytes;
}

static const cst_coupling PRODUCT = {
    .form = CST_FORM_PRODUCT,
    .begin = product_begin,
    .linear_data = product_states,
    .off_diagonal = product_off_diagonal,
    .moved = product_moved,
    .row_length = product_row_length,
    .row = product_row,
    .block = product_block,
    .restrict_to = product_restrict,
    .bytes_per_sweep = product_bytes,
};

/* Computes the diagonal blocks of the scaled Delassus matrix, the weights of the contacts' errors, and the scaled free
 * velocities. Divides the half solves L^-1 H^T of each contact by the square root of the contact's compliance. For a contact
 * whose compliance is zero, the largest compliance of all contacts is used instead, or 1 if all are zero, as in rows.c. */
static void scale_system(const cst_bodies *bodies, const int32_t *order, const double *v, double V, const cst_halves *halves,
                         cst_system *out)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = out->dim, n = out->contacts, sides = halves->sides;
    double largest = 0.0;
#pragma omp parallel for schedule(static) num_threads(out->threads) if (n >= PARALLEL_MIN) reduction(max : largest)
    for (int k = 0; k < n; k++) {
        double *a = out->diagonal + (int64_t)k * dim * dim, trace = 0.0;
        cst_half_compliance(dim, sides, halves->half + sides * (int64_t)k, a);
        for (int c = 0; c < dim; c++)
            trace += a[c * (dim + 1)] / dim;
        out->weight[k] = trace;
        largest = fmax(largest, trace);
    }
#pragma omp parallel for schedule(static) num_threads(out->threads) if (n >= PARALLEL_MIN)
    for (int k = 0; k < n; k++) {
        const int i = order ? order[k] : k;
        const double w = out->weight[k] > 0.0 ? out->weight[k] : largest > 0.0 ? largest : 1.0, root = sqrt(w);
        double *a = out->diagonal + (int64_t)k * dim * dim, *b = out->b + (int64_t)k * dim;
        for (int e = 0; e < dim * dim; e++)
            a[e] /= w;
        cst_half_scale(dim, sides, halves->half + sides * (int64_t)k, 1.0 / root);
        cst_contact_velocity(problem, bodies->offset, i, v, b);
        for (int c = 0; c < dim; c++)
            b[c] /= root;
        out->weight[k] = root / V;
        out->mu[k] = problem->mu[i];
        out->law[k] = problem->law ? problem->law[i] : (uint8_t)CST_LAW_COULOMB;
    }
}

bool cst_product_wrap(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int contacts, const double *v,
                      double V, cst_arena *arena, cst_system *out)
{
    const int dim = bodies->problem->dim;
    body_states *states = CST_TAKE(arena, body_states, 1);
    if (!cst_system_take(arena, dim, contacts, out))
        return false;
    *states =
        (body_states){.bodies = bodies->problem->bodies, .sides = halves->sides, .half = halves->half, .state = halves->state};
    scale_system(bodies, order, v, V, halves, out);
    if (!finish(states, contacts, dim, arena))
        return false;
    out->coupling = &PRODUCT;
    out->state = states;
    return true;
}

cst_status cst_product_pack(const cst_bodies *bodies, const int32_t *order, double V, cst_arena *arena, cst_system *out,
                            double *compliance, char *message, size_t message_size)
{
    cst_halves halves;
    const cst_status status = cst_halves_build(bodies, order, out->threads, arena, &halves, message, message_size);
    if (status != CST_SOLVED)
        return status;
    if (compliance && !cst_audit_halves(bodies, &halves, order, out->threads, arena, compliance))
        return CST_OUT_OF_MEMORY;
    const bool wrapped =
        cst_product_wrap(bodies, &halves, order, bodies->problem->contacts, bodies->free_velocity, V, arena, out);
    return wrapped ? CST_SOLVED : CST_OUT_OF_MEMORY;
}

const cst_half *cst_product_halves(const cst_system *system, int *sides, int *bodies, const int64_t **state)
{
    if (system->coupling != &PRODUCT)
        return NULL;
    const body_states *states = system->state;
    *sides = states->sides;
    *bodies = states->bodies;
    *state = states->state;
    return states->half;
}
