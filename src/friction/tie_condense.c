/* Computes the factors Z of the Delassus matrix W = Z^T Z after the elimination of the bilateral constraints (friction/ties.h).
 *
 * Before the elimination, a contact has one factor for each of its bodies: the half solve L^-1 H^T (half.h). The constraints of
 * leaf bodies are eliminated first: leaf bodies are joined only to the world and to hub bodies, which carry other bodies. Hub
 * bodies that are connected by bilateral constraints form a group (core, tie_plan.h), whose constraints are eliminated
 * together. */
#include <assert.h>
#include <string.h>

#include "base/simd.h"
#include "base/threads.h"
#include "friction/ties.h"

typedef double vec4 __attribute__((vector_size(32))); /* CST_STATE_LANES doubles */
enum { PARALLEL_CONTACTS = 128, PARALLEL_LEAVES = 64 };

/* STILL: largest norm of a factor Z of a contact on one body that counts as zero, divided by the largest norm of the contact's
 * half solves before the elimination. Where bilateral constraints allow no motion, for example next to a clamp, the elimination
 * reduces the factors Z of a contact to rounding errors. If the factor Z of a contact on a body counts as zero, the contact is
 * treated as not acting on the body. */
static const double STILL = 1e-8;

/* Layout of the factors of one contact after the elimination of the bilateral constraints: first those on single bodies, then one
 * factor for each group of connected hub bodies. */
typedef struct outline {
    int halves;
    cst_half half[CST_HALVES_MAX]; /* body, first and length; `touch` except on a group of hub bodies; `z` only on a body without
                                    * bilateral constraints */
    /* number of factors on single bodies */
    int bodies;
} outline;

static void add_core(const cst_ties *ties, int32_t core, outline *out)
{
    if (core < 0)
        return;
    const int32_t body = ties->core[core].body;
    for (int k = out->bodies; k < out->halves; k++)
        if (out->half[k].body == body)
            return;
    assert(out->halves < CST_HALVES_MAX);
    out->half[out->halves++] = (cst_half){.body = body, .length = ties->core[core].size};
}

static bool is_hub(const cst_ties *ties, int32_t body)
{
    return body >= 0 && ties->plan.role[body] == CST_TIE_HUB;
}

static void draw(const cst_ties *ties, const cst_half given[2], outline *out)
{
    *out = (outline){0};
    for (int s = 0; s < 2; s++) {
        if (given[s].body < 0 || is_hub(ties, given[s].body))
            continue;
        cst_half half = given[s];
        if (ties->plan.role[given[s].body] == CST_TIE_LEAF) {
            const cst_tie_leaf *leaf = ties->leaf + ties->leaf_of[given[s].body];
            const int32_t end = half.first + half.length;
            half.first = leaf->first < half.first ? leaf->first : half.first;
            half.length = end - half.first;
        }
        out->half[out->bodies++] = half;
    }
    out->halves = out->bodies;
    for (int s = 0; s < 2; s++)
        if (given[s].body >= 0)
            add_core(ties, ties->plan.core_of[given[s].body], out);
}

/* Returns true if bilateral constraints act on the body, so that their elimination changes the factors Z of its contacts. */
static bool is_new(const cst_ties *ties, const cst_half *half)
{
    return ties->plan.role[half->body] != CST_TIE_FREE;
}

static cst_half *core_half(const cst_ties *ties, int32_t core, int sides, cst_half *half)
{
    for (int s = 0; s < sides; s++)
        if (half[s].body == ties->core[core].body)
            return half + s;
    return NULL;
}

/* Corrects the factor Z of a contact on a group of connected hub bodies (bodies that carry others) for the bilateral constraints
 * of the group. The function replaces Z by K^-1 Z without its components along the orthonormal rows of P (K, P: factors of the
 * group, ties.h). */
static void condense_core(int dim, const cst_tie_core *core, double *z)
{
    const int n = core->size;
    cst_envelope_forward(&core->M, dim, n, 0, z);
    for (int c = 0; c < dim; c++)
        for (int r = 0; r < core->rows; r++) {
            double *zeta = z + (int64_t)c * n, sum = 0.0;
            const double *p = core->p + (int64_t)r * n;
            for (int k = 0; k < n; k++)
                sum += p[k] * zeta[k];
            for (int k = 0; k < n; k++)
                zeta[k] -= sum * p[k];
        }
}

/* A contact on a leaf body also acts on the group of hub bodies to which the leaf body is joined. The factor of the contact on
 * the group of hub bodies is zeta = B Q z (z: half solve of the contact on the leaf body, Q: factor of the leaf body, ties.h).
 * The function computes the matrix B, which is the same for all contacts on one leaf body:
 *
 *     `B = -(I - P^T*P) K^-1*Y^T`. */
static void pass_on(const cst_ties *ties, const cst_tie_leaf *leaf, double *passed)
{
    const cst_tie_core *core = ties->core + leaf->core;
    for (int r = 0; r < leaf->rows; r++, passed += core->size) {
        memset(passed, 0, sizeof(double) * (size_t)core->size);
        if (cst_tie_is_left_out(leaf, r))
            continue;
        for (int k = 0; k < leaf->width; k++)
            passed[leaf->column[k]] = -leaf->y[(int64_t)r * leaf->width + k];
        condense_core(1, core, passed);
    }
}

/* Adds the matrix product of `weight` (dim x count) and `from` (count x length) to the matrix `rows` (dim x length); `length` is
 * a multiple of CST_STATE_LANES. */
static inline __attribute__((always_inline)) void add_rows(int dim, int count, const double *weight, const double *from,
                                                           int length, int64_t stride, double *rows)
{
    for (int k = 0; k < length; k += CST_STATE_LANES) {
        vec4 sum[3];
        for (int c = 0; c < dim; c++)
            sum[c] = *(const vec4 *)(rows + c * stride + k);
        for (int r = 0; r < count; r++) {
            const vec4 row = *(const vec4 *)(from + (int64_t)r * length + k);
            for (int c = 0; c < dim; c++)
                sum[c] += weight[c * count + r] * row;
        }
        for (int c = 0; c < dim; c++)
            *(vec4 *)(rows + c * stride + k) = sum[c];
    }
}

CST_MULTIVERSION
static void add_weighted(int dim, int count, const double *weight, const double *from, int length, int64_t stride, double *rows)
{
    if (dim == 3)
        add_rows(3, count, weight, from, length, stride, rows);
    else
        add_rows(2, count, weight, from, length, stride, rows);
}

CST_MULTIVERSION
static double square_of(int dim, const cst_half *half)
{
    vec4 sum = {0};
    for (int64_t k = 0; k < (int64_t)dim * half->length; k += CST_STATE_LANES)
        sum += *(const vec4 *)(half->z + k) * *(const vec4 *)(half->z + k);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Corrects the half solve (half.h) of a contact on a leaf body for the bilateral constraints of the leaf body. `given`, `out`:
 * half solve before and after the correction. `core`: factor of the contact on the group of hub bodies to which the leaf body is
 * joined, or NULL. The function increases `core` by B Q z, the effect of the contact on the hub bodies through the leaf body
 * (function pass_on). `d` (dim x rows): scratch. */
static void condense_leaf(const cst_ties *ties, const cst_halves *halves, const cst_half *given, const double *passed, double *d,
                          cst_half *out, cst_half *core)
{
    const int dim = ties->dim;
    const cst_tie_leaf *leaf = ties->leaf + ties->leaf_of[given->body];
    for (int p = 0; p < leaf->ties; p++) {
        const cst_half *pair = halves->half + 2 * (int64_t)ties->contact[leaf->tie[p]];
        double block[9] = {0};
        cst_half_couple(dim, pair[0].body == leaf->body ? pair : pair + 1, given, block);
        for (int row = 0; row < dim; row++)
            for (int c = 0; c < dim; c++)
                d[c * leaf->rows + p * dim + row] = block[row * dim + c];
    }
    cst_envelope_forward(&leaf->S, dim, leaf->rows, 0, d);
    if (core)
        add_weighted(dim, leaf->rows, d, passed, core->length, core->length, core->z);
    for (int k = 0; k < dim * leaf->rows; k++)
        d[k] = -d[k];
    for (int c = 0; c < dim; c++) {
        double *z = out->z + (int64_t)c * out->length;
        memset(z, 0, sizeof(double) * (size_t)(given->first - out->first));
        memcpy(z + (given->first - out->first), given->z + (int64_t)c * given->length, sizeof(double) * (size_t)given->length);
    }
    add_weighted(dim, leaf->rows, d, leaf->q, leaf->length, out->length, out->z + (leaf->first - out->first));
}

/* Adds the half solve L^-1 H^T (half.h) of a contact on one hub body (a body that carries others) to the contact's factor on the
 * whole group of connected hub bodies. The entries of this factor for other hub bodies do not change. */
static void add_hub(const cst_ties *ties, const cst_half *given, cst_half *core)
{
    assert(core);
    for (int c = 0; c < ties->dim; c++) {
        double *zeta = core->z + (int64_t)c * core->length + ties->hub_at[given->body] + given->first;
        for (int k = 0; k < given->length; k++)
            zeta[k] += given->z[(int64_t)c * given->length + k];
    }
}

static void fill(const cst_ties *ties, const cst_halves *halves, const cst_half given[2], double *const *passed, int sides,
                 double *d, cst_half *half)
{
    /* next factor on a single body */
    int at = 0;
    double size = 0.0;
    cst_half *core[2] = {NULL, NULL};
    for (int s = 0; s < sides; s++)
        if (is_hub(ties, half[s].body))
            memset(half[s].z, 0, sizeof(double) * (size_t)ties->dim * (size_t)half[s].length);
    for (int s = 0; s < 2; s++) {
        if (given[s].body < 0)
            continue;
        const int32_t number = ties->plan.core_of[given[s].body];
        const double square = square_of(ties->dim, given + s);
        size = square > size ? square : size;
        core[s] = number >= 0 ? core_half(ties, number, sides, half) : NULL;
        if (is_hub(ties, given[s].body))
            add_hub(ties, given + s, core[s]);
    }
    for (int s = 0; s < 2; s++) {
        /* if both bodies of the contact belong to the same group of connected hub bodies, the contact has only one factor Z for
         * both bodies, which is corrected only once */
        const bool hub = is_hub(ties, given[s].body), twice = s == 1 && core[0] == core[1] && is_hub(ties, given[0].body);
        assert(!hub || core[s]);
        if (hub && !twice)
            condense_core(ties->dim, ties->core + ties->plan.core_of[given[s].body], core[s]->z);
    }
    for (int s = 0; s < 2; s++) {
        if (given[s].body < 0 || is_hub(ties, given[s].body))
            continue;
        if (ties->plan.role[given[s].body] == CST_TIE_LEAF)
            condense_leaf(ties, halves, given + s, passed[ties->leaf_of[given[s].body]], d, half + at, core[s]);
        at++;
    }
    for (int s = 0; s < sides; s++)
        if (half[s].body >= 0 && square_of(ties->dim, half + s) <= STILL * STILL * size)
            half[s].body = -1;
}

/* Computes where the entries of each body begin in the vector y (product.h). The entries of a whole group of connected hub bodies
 * are stored at the place of its first body; the other bodies of the group have no entries of their own. */
static void lay_out_states(const cst_ties *ties, const cst_halves *halves, int64_t *state)
{
    state[0] = 0;
    for (int32_t b = 0; b < ties->bodies->problem->bodies; b++) {
        int64_t size = halves->state[b + 1] - halves->state[b];
        if (ties->plan.role[b] == CST_TIE_HUB) {
            const cst_tie_core *core = ties->core + ties->plan.core_of[b];
            size = core->body == b ? core->size : 0;
        }
        state[b + 1] = state[b] + size;
    }
}

static bool lay_out_halves(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, cst_arena *arena,
                           cst_halves *out)
{
    outline drawn;
    out->sides = 2;
    for (int k = 0; k < count; k++) {
        draw(ties, halves->half + 2 * (int64_t)chosen[k], &drawn);
        out->sides = drawn.halves > out->sides ? drawn.halves : out->sides;
        for (int s = 0; s < drawn.halves; s++)
            if (is_new(ties, drawn.half + s))
                out->entries += (int64_t)ties->dim * drawn.half[s].length;
    }
    out->half = CST_TAKE_RAW(arena, cst_half, (size_t)count * (size_t)out->sides);
    double *z = CST_TAKE_RAW(arena, double, (size_t)out->entries);
    if (arena->failed)
        return false;
    for (int k = 0; k < count; k++) {
        cst_half *half = out->half + (int64_t)out->sides * k;
        draw(ties, halves->half + 2 * (int64_t)chosen[k], &drawn);
        for (int s = 0; s < out->sides; s++) {
            half[s] = s < drawn.halves ? drawn.half[s] : (cst_half){.body = -1};
            if (half[s].body < 0 || !is_new(ties, half + s))
                continue;
            half[s].z = z;
            z += (int64_t)ties->dim * half[s].length;
        }
    }
    return true;
}

/* Reduces the storage for factors per contact to the largest number of factors that any contact has, but at least two. The
 * solvers treat the Delassus matrix W = Z^T Z as sparse if at most two factors Z are stored for each contact. */
static void close_gaps(int count, cst_halves *halves)
{
    const int before = halves->sides;
    int most = 2;
    for (int k = 0; k < count; k++) {
        int live = 0;
        for (int s = 0; s < before; s++)
            live += halves->half[(int64_t)before * k + s].body >= 0;
        most = live > most ? live : most;
    }
    halves->sides = most;
    for (int k = 0; k < count; k++) {
        cst_half kept[CST_HALVES_MAX];
        int live = 0;
        for (int s = 0; s < before; s++)
            if (halves->half[(int64_t)before * k + s].body >= 0)
                kept[live++] = halves->half[(int64_t)before * k + s];
        for (int s = 0; s < most; s++)
            halves->half[(int64_t)most * k + s] = s < live ? kept[s] : (cst_half){.body = -1};
    }
}

/* For every leaf body k that is joined to hub bodies, computes the matrix B of the function pass_on and stores it in
 * passed[k]. */
static bool pass_on_all(const cst_ties *ties, int threads, cst_arena *arena, double **passed)
{
    size_t numbers = 0;
    for (int k = 0; k < ties->leaves; k++)
        numbers += ties->leaf[k].core >= 0 ? (size_t)ties->leaf[k].rows * (size_t)ties->core[ties->leaf[k].core].size : 0;
    double *next = CST_TAKE_RAW(arena, double, numbers);
    if (arena->failed)
        return false;
    for (int k = 0; k < ties->leaves; k++) {
        passed[k] = next;
        next += ties->leaf[k].core >= 0 ? (size_t)ties->leaf[k].rows * (size_t)ties->core[ties->leaf[k].core].size : 0;
    }
    const int used = cst_threads_for(threads, ties->leaves, PARALLEL_LEAVES);
    (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(used)
    for (int k = 0; k < ties->leaves; k++)
        if (ties->leaf[k].core >= 0)
            pass_on(ties, ties->leaf + k, passed[k]);
    return true;
}

bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out)
{
    const int used = cst_threads_for(threads, count, PARALLEL_CONTACTS);
    int most = 0;
    for (int k = 0; k < ties->leaves; k++)
        most = ties->leaf[k].rows > most ? ties->leaf[k].rows : most;
    *out = (cst_halves){.state = CST_TAKE_RAW(arena, int64_t, (size_t)ties->bodies->problem->bodies + 1)};
    double *scratch = CST_TAKE_RAW(arena, double, (size_t)used *(size_t)(ties->dim * most));
    double **passed = CST_TAKE_RAW(arena, double *, ties->leaves);
    if (arena->failed || !pass_on_all(ties, threads, arena, passed) || !lay_out_halves(ties, halves, chosen, count, arena, out))
        return false;
    lay_out_states(ties, halves, out->state);
    int begun = 0; /* threads with scratch memory so far */
#pragma omp parallel num_threads(used)
    {
        int thread;
#pragma omp atomic capture
        thread = begun++;
        double *d = scratch + (int64_t)thread * (ties->dim * most);
#pragma omp for schedule(static)
        for (int k = 0; k < count; k++)
            fill(ties, halves, halves->half + 2 * (int64_t)chosen[k], passed, out->sides, d, out->half + (int64_t)out->sides * k);
    }
    close_gaps(count, out);
    return true;
}
