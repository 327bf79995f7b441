#include "friction/half.h"

#include <stdio.h>
#include <string.h>

#include "base/simd.h"
#include "friction/meeting.h"

typedef double vec4 __attribute__((vector_size(32)));
enum { LANES = CST_STATE_LANES, PARALLEL_MIN = 512 };

static int64_t padded(int64_t count)
{
    return (count + LANES - 1) / LANES * LANES;
}

/* ----------------------------------------------------------------------------------------------------------------- shape */

static bool counts(const cst_bodies *bodies, const cst_contact_side *side)
{
    return side->body >= 0 && !bodies->left_out[side->body];
}

/* Determines which rows of the half solve L^-1 H^T of one contact on one body are stored (L: Cholesky factor of the body, H:
 * contact Jacobian). `a`, `b`: the sides of the contact that act on the body; `b` may be NULL. */
static void shape(const cst_bodies *bodies, const cst_contact_side *a, const cst_contact_side *b, cst_half *out)
{
    const cst_body *body = bodies->problem->body + a->body;
    int first = a->dof[0];
    if (b && b->dof[0] < first)
        first = b->dof[0];
    out->body = a->body;
    out->first = body->kind == CST_BODY_SOLVE ? 0 : first / LANES * LANES;
    out->length = (int32_t)(padded(body->size) - out->first);
}

static void shape_contact(const cst_bodies *bodies, int contact, cst_half half[2])
{
    const cst_contact_side *a = bodies->problem->side_a + contact, *b = bodies->problem->side_b + contact;
    const bool has_a = counts(bodies, a), has_b = counts(bodies, b);
    half[0].body = half[1].body = -1;
    if (has_a)
        shape(bodies, a, has_b && b->body == a->body ? b : NULL, half);
    if (has_b && !(has_a && b->body == a->body))
        shape(bodies, b, NULL, half + has_a);
}

/* --------------------------------------------------------------------------------------------------------------- filling */

/* Adds the transposed Jacobian of one side of a contact to the matrix half->z, entry by entry; both sides may act on the same
 * body. */
static void scatter(int dim, const cst_contact_side *side, cst_half *half)
{
    if (side->body != half->body)
        return;
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < side->dofs; k++)
            half->z[(int64_t)row * half->length + side->dof[k] - half->first] += side->h[row * side->dofs + k];
}

static void forward(const cst_bodies *bodies, int dim, cst_half *half)
{
    cst_envelope_forward(bodies->factor + half->body, dim, half->length, half->first, half->z);
}

/* Lists the dofs of one body on which a contact acts, each dof once, and returns their number. `dof` may be NULL. */
static int merge_dofs(const cst_contact_side *a, const cst_contact_side *b, int32_t body, int32_t *dof)
{
    const int in_a = a->body == body ? a->dofs : 0, in_b = b->body == body ? b->dofs : 0;
    int count = 0;
    for (int i = 0, j = 0; i < in_a || j < in_b; count++) {
        const int32_t next = j == in_b || (i < in_a && a->dof[i] < b->dof[j]) ? a->dof[i] : b->dof[j];
        i += i < in_a && a->dof[i] == next;
        j += j < in_b && b->dof[j] == next;
        if (dof)
            dof[count] = next;
    }
    return count;
}

/* Reserves memory for the contact Jacobians on bodies whose linear systems the caller solves; if both sides of a contact act on
 * one body, the sum of their Jacobians is stored. Sets *any to true if the caller solves the linear systems of at least one
 * body. */
static bool take_touches(const cst_bodies *bodies, const int32_t *order, cst_half *half, cst_arena *arena, bool *any)
{
    const cst_body_problem *problem = bodies->problem;
    *any = false;
    for (int64_t s = 0; s < 2 * (int64_t)problem->contacts; s++) {
        const int contact = order ? order[s / 2] : (int)(s / 2);
        half[s].touch = NULL;
        if (half[s].body < 0 || problem->body[half[s].body].kind != CST_BODY_SOLVE)
            continue;
        const cst_contact_side *a = problem->side_a + contact, *b = problem->side_b + contact;
        cst_touched_dofs *touch = CST_TAKE_RAW(arena, cst_touched_dofs, 1);
        const int count = merge_dofs(a, b, half[s].body, NULL);
        int32_t *dof = CST_TAKE_RAW(arena, int32_t, (size_t)count);
        double *h = CST_TAKE_RAW(arena, double, (size_t)(problem->dim * count));
        if (arena->failed)
            return false;
        merge_dofs(a, b, half[s].body, dof);
        *touch = (cst_touched_dofs){.count = count, .dof = dof, .h = h};
        half[s].touch = touch;
        *any = true;
    }
    return true;
}

/* Writes the transposed Jacobian H^T of a contact to half->z; a later solve turns H^T into the half solve L^-1 H^T. For a SOLVE
 * body with the matrix A, the solve turns H^T into A^-1 H^T. */
static void begin_half(const cst_body_problem *problem, int contact, cst_half *half)
{
    memset(half->z, 0, sizeof(double) * (size_t)problem->dim * (size_t)half->length);
    scatter(problem->dim, problem->side_a + contact, half);
    scatter(problem->dim, problem->side_b + contact, half);
}

static bool fill_by_callback(const cst_body_problem *problem, int contact, cst_half *half)
{
    const cst_body *body = problem->body + half->body;
    const cst_touched_dofs *touch = half->touch;
    begin_half(problem, contact, half);
    for (int row = 0; row < problem->dim; row++) {
        double *y = half->z + (int64_t)row * half->length;
        for (int k = 0; k < touch->count; k++)
            touch->h[row * touch->count + k] = y[touch->dof[k]];
        if (!body->solve(body->user, y))
            return false;
    }
    return true;
}

/* Computes the products A^-1 H^T with the callers' solve functions, body by body, because only one thread at a time is allowed
 * to call the solve function of a body. */
static cst_status fill_solve_bodies(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_half *half,
                                    char *message, size_t message_size)
{
    const cst_body_problem *problem = bodies->problem;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_meetings meetings;
    (void)threads; /* unused in a build without OpenMP */
    if (!cst_meetings_build(half, 2, problem->contacts, problem->bodies, arena, &meetings))
        return CST_OUT_OF_MEMORY;
    int failed = problem->bodies; /* first body with a failed solve */
#pragma omp parallel for schedule(static) num_threads(threads) if (problem->contacts >= PARALLEL_MIN) reduction(min : failed)
    for (int at = 0; at < problem->bodies; at++) {
        if (problem->body[at].kind != CST_BODY_SOLVE)
            continue;
        for (int64_t t = meetings.start[at]; t < meetings.start[at + 1] && at < failed; t++) {
            const int32_t s = meetings.touching[t];
            if (!fill_by_callback(problem, order ? order[s / 2] : s / 2, half + s))
                failed = at;
        }
    }
    cst_arena_release(arena, mark);
    if (failed == problem->bodies)
        return CST_SOLVED;
    snprintf(message, message_size, "body %d: its solve function failed", failed);
    return CST_BAD_PROBLEM;
}

cst_status cst_halves_build(const cst_bodies *bodies, const int32_t *order, int threads, cst_arena *arena, cst_halves *out,
                            char *message, size_t message_size)
{
    (void)threads; /* unused in a build without OpenMP */
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim, n = problem->contacts;
    *out = (cst_halves){.sides = 2,
                        .half = CST_TAKE_RAW(arena, cst_half, 2 * (size_t)n),
                        .state = CST_TAKE_RAW(arena, int64_t, (size_t)problem->bodies + 1)};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    out->state[0] = 0;
    for (int at = 0; at < problem->bodies; at++)
        out->state[at + 1] = out->state[at] + (bodies->left_out[at] ? 0 : padded(problem->body[at].size));
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int k = 0; k < n; k++)
        shape_contact(bodies, order ? order[k] : k, out->half + 2 * (int64_t)k);
    for (int64_t s = 0; s < 2 * (int64_t)n; s++)
        if (out->half[s].body >= 0)
            out->entries += (int64_t)dim * out->half[s].length;
    double *z = CST_TAKE_RAW(arena, double, (size_t)out->entries);
    bool solve_bodies = false;
    if (arena->failed || !take_touches(bodies, order, out->half, arena, &solve_bodies))
        return CST_OUT_OF_MEMORY;
    for (int64_t s = 0; s < 2 * (int64_t)n; s++)
        if (out->half[s].body >= 0) {
            out->half[s].z = z;
            z += (int64_t)dim * out->half[s].length;
        }
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int64_t s = 0; s < 2 * (int64_t)n; s++) {
        cst_half *half = out->half + s;
        if (s + 2 < 2 * (int64_t)n)
            cst_bodies_fetch(bodies, half[2].body, false);
        if (half->body < 0 || half->touch)
            continue;
        begin_half(problem, order ? order[s / 2] : (int)(s / 2), half);
        forward(bodies, dim, half);
    }
    return solve_bodies ? fill_solve_bodies(bodies, order, threads, arena, out->half, message, message_size) : CST_SOLVED;
}

void cst_half_scale(int dim, int sides, cst_half *half, double factor)
{
    for (int s = 0; s < sides; s++) {
        if (half[s].body < 0)
            continue;
        for (int64_t k = 0; k < (int64_t)dim * half[s].length; k++)
            half[s].z[k] *= factor;
        if (half[s].touch)
            for (int k = 0; k < dim * half[s].touch->count; k++)
                half[s].touch->h[k] *= factor;
    }
}

/* ---------------------------------------------------------------------------------------------------------------- states */

static inline __attribute__((always_inline)) void read_state(int dim, const cst_half *half, const double *y, double *u)
{
    const int length = half->length;
    vec4 sum[3] = {{0}};
    for (int k = 0; k < length; k += LANES) {
        const vec4 state = *(const vec4 *)(y + half->first + k);
        for (int c = 0; c < dim; c++)
            sum[c] += *(const vec4 *)(half->z + (int64_t)c * length + k) * state;
    }
    for (int c = 0; c < dim; c++)
        u[c] += (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
}

static inline __attribute__((always_inline)) void move_state(int dim, const cst_half *half, const double *dx, double *y)
{
    const int length = half->length;
    for (int k = 0; k < length; k += LANES) {
        vec4 state = *(const vec4 *)(y + half->first + k);
        for (int c = 0; c < dim; c++)
            state += *(const vec4 *)(half->z + (int64_t)c * length + k) * dx[c];
        *(vec4 *)(y + half->first + k) = state;
    }
}

static void read_touched(int dim, const cst_touched_dofs *touch, const double *y, double *u)
{
    for (int c = 0; c < dim; c++)
        for (int k = 0; k < touch->count; k++)
            u[c] += touch->h[c * touch->count + k] * y[touch->dof[k]];
}

CST_MULTIVERSION
void cst_half_read(int dim, int sides, const cst_half *half, const int64_t *state, const double *y, double *u)
{
    for (int s = 0; s < sides; s++) {
        if (half[s].body < 0)
            continue;
        const double *of_body = y + state[half[s].body];
        if (half[s].touch)
            read_touched(dim, half[s].touch, of_body, u);
        else if (dim == 3)
            read_state(3, half + s, of_body, u);
        else
            read_state(2, half + s, of_body, u);
    }
}

CST_MULTIVERSION
void cst_half_move(int dim, int sides, const cst_half *half, const int64_t *state, const double *dr, double *y)
{
    for (int s = 0; s < sides; s++) {
        if (half[s].body < 0)
            continue;
        if (dim == 3)
            move_state(3, half + s, dr, y + state[half[s].body]);
        else
            move_state(2, half + s, dr, y + state[half[s].body]);
    }
}

CST_MULTIVERSION
void cst_half_add(int dim, const cst_half *half, const double *dr, double *y)
{
    if (dim == 3)
        move_state(3, half, dr, y);
    else
        move_state(2, half, dr, y);
}

/* -------------------------------------------------------------------------------------------------------------- coupling */

static inline __attribute__((always_inline)) void couple(int dim, const cst_half *a, const cst_half *b, double *block)
{
    const int first = a->first > b->first ? a->first : b->first;
    const int last = a->first + a->length; /* the same for b */
    vec4 sum[9] = {{0}};
    for (int k = first; k < last; k += LANES)
        for (int row = 0; row < dim; row++) {
            const vec4 left = *(const vec4 *)(a->z + (int64_t)row * a->length + (k - a->first));
            for (int c = 0; c < dim; c++)
                sum[row * dim + c] += left * *(const vec4 *)(b->z + (int64_t)c * b->length + (k - b->first));
        }
    for (int e = 0; e < dim * dim; e++)
        block[e] += (sum[e][0] + sum[e][1]) + (sum[e][2] + sum[e][3]);
}

CST_MULTIVERSION
void cst_half_couple(int dim, const cst_half *a, const cst_half *b, double *block)
{
    if (a->touch) {
        const int count = a->touch->count;
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                for (int k = 0; k < count; k++)
                    block[row * dim + c] += a->touch->h[row * count + k] * b->z[(int64_t)c * b->length + a->touch->dof[k]];
    } else if (dim == 3) {
        couple(3, a, b, block);
    } else {
        couple(2, a, b, block);
    }
}

CST_MULTIVERSION
double cst_half_trace(int dim, const cst_half *half)
{
    vec4 sum = {0};
    double trace = 0.0;
    if (half->touch) {
        const int count = half->touch->count;
        for (int row = 0; row < dim; row++)
            for (int k = 0; k < count; k++)
                trace += half->touch->h[row * count + k] * half->z[(int64_t)row * half->length + half->touch->dof[k]];
        return trace;
    }
    for (int64_t k = 0; k < (int64_t)dim * half->length; k += LANES) {
        const vec4 z = *(const vec4 *)(half->z + k);
        sum += z * z;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void cst_half_compliance(int dim, int sides, const cst_half *half, double *block)
{
    memset(block, 0, sizeof(double) * (size_t)(dim * dim));
    for (int s = 0; s < sides; s++)
        if (half[s].body >= 0)
            cst_half_couple(dim, half + s, half + s, block);
}

int64_t cst_half_scratch(const cst_bodies *bodies)
{
    int64_t largest = 0;
    for (int at = 0; at < bodies->problem->bodies; at++)
        if (!bodies->left_out[at] && bodies->problem->body[at].size > largest)
            largest = bodies->problem->body[at].size;
    return bodies->problem->dim * padded(largest);
}

static void add_side_product(int dim, const cst_contact_side *side, const cst_half *half, double *block)
{
    if (side->body != half->body)
        return;
    for (int row = 0; row < dim; row++)
        for (int c = 0; c < dim; c++)
            for (int k = 0; k < side->dofs; k++)
                block[row * dim + c] += side->h[row * side->dofs + k] * half->z[(int64_t)c * half->length + side->dof[k]];
}

bool cst_half_compliance_alone(const cst_bodies *bodies, int contact, double *scratch, double *block)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim;
    cst_half half[2];
    memset(block, 0, sizeof(double) * (size_t)(dim * dim));
    shape_contact(bodies, contact, half);
    for (int s = 0; s < 2; s++) {
        if (half[s].body < 0)
            continue;
        const cst_body *body = problem->body + half[s].body;
        half[s].z = scratch;
        half[s].touch = NULL;
        begin_half(problem, contact, half + s);
        if (body->kind == CST_BODY_SOLVE) {
            for (int row = 0; row < dim; row++)
                if (!body->solve(body->user, scratch + (int64_t)row * half[s].length))
                    return false;
            add_side_product(dim, problem->side_a + contact, half + s, block);
            add_side_product(dim, problem->side_b + contact, half + s, block);
        } else {
            forward(bodies, dim, half + s);
            cst_half_couple(dim, half + s, half + s, block);
        }
    }
    return true;
}
