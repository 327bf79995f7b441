/* Contacts of tied bodies: their halves once the ties are eliminated (friction/ties.h). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "friction/ties.h"

enum { PARALLEL_CONTACTS = 128 };

/* Of the largest number that a contact's halves had before. A half of a place that ties leave no motion, next to a clamp or on a core
 * that the world holds, vanishes but for rounding. W does not see the square of this: the half is left out, so that friction does
 * not divide by rounding, and what hangs on a held core falls into islands. */
static const double STILL = 1e-8;

/* What a contact's halves become: of each of its bodies that is no hub, then of each core. */
typedef struct outline {
    int halves;
    cst_half half[CST_HALVES_MAX]; /* body, first and length */
    int bodies;                    /* how many of them are of bodies */
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

static void draw(const cst_ties *ties, const cst_half given[2], outline *out)
{
    *out = (outline){0};
    for (int s = 0; s < 2; s++) {
        if (given[s].body < 0 || ties->plan.role[given[s].body] == CST_TIE_HUB)
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

/* Whether a half of the outline has numbers of its own: it is shared otherwise. */
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

/* z - Q^T Q z into `out`, and -Y^T Q z into the half of the core. d (dim x rows): scratch. */
static void condense_leaf(const cst_ties *ties, const cst_halves *halves, const cst_half *given, double *d, cst_half *out,
                          cst_half *core)
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
    for (int c = 0; c < dim; c++) {
        double *z = out->z + (int64_t)c * out->length;
        memset(z, 0, sizeof(double) * (size_t)(given->first - out->first));
        memcpy(z + (given->first - out->first), given->z + (int64_t)c * given->length,
               sizeof(double) * (size_t)given->length);
        z += leaf->first - out->first;
        for (int r = 0; r < leaf->rows; r++) {
            const double weight = d[c * leaf->rows + r], *q = leaf->q + (int64_t)r * leaf->length;
            for (int k = 0; k < leaf->length; k++)
                z[k] -= weight * q[k];
        }
        for (int r = 0; r < leaf->rows && core; r++) {
            const double weight = d[c * leaf->rows + r], *y = leaf->y + (int64_t)r * leaf->width;
            double *zeta = core->z + (int64_t)c * core->length;
            for (int k = 0; k < leaf->width; k++)
                zeta[leaf->column[k]] -= weight * y[k];
        }
    }
}

static void add_hub(const cst_ties *ties, const cst_half *given, cst_half *core)
{
    for (int c = 0; c < ties->dim; c++) {
        double *zeta = core->z + (int64_t)c * core->length + ties->hub_at[given->body] + given->first;
        for (int k = 0; k < given->length; k++)
            zeta[k] += given->z[(int64_t)c * given->length + k];
    }
}

/* zeta <- K^-1 zeta, then zeta - P^T P zeta. */
static void condense_core(int dim, const cst_tie_core *core, cst_half *half)
{
    const int n = core->size;
    cst_envelope_forward(&core->M, dim, half->length, 0, half->z);
    for (int c = 0; c < dim; c++)
        for (int r = 0; r < core->rows; r++) {
            double *zeta = half->z + (int64_t)c * half->length, sum = 0.0;
            const double *p = core->p + (int64_t)r * n;
            for (int k = 0; k < n; k++)
                sum += p[k] * zeta[k];
            for (int k = 0; k < n; k++)
                zeta[k] -= sum * p[k];
        }
}

static double largest_of(int dim, const cst_half *half)
{
    double largest = 0.0;
    for (int64_t k = 0; k < (int64_t)dim * half->length; k++)
        largest = fmax(largest, fabs(half->z[k]));
    return largest;
}

static void fill(const cst_ties *ties, const cst_halves *halves, const cst_half given[2], int sides, double *d, cst_half *half)
{
    int at = 0; /* bodies that are no hubs come first, in the order given */
    double size = 0.0;
    for (int s = 0; s < sides; s++)
        if (half[s].body >= 0 && ties->plan.role[half[s].body] == CST_TIE_HUB)
            memset(half[s].z, 0, sizeof(double) * (size_t)ties->dim * (size_t)half[s].length);
    for (int s = 0; s < 2; s++) {
        if (given[s].body < 0)
            continue;
        size = fmax(size, largest_of(ties->dim, given + s));
        const int32_t core = ties->plan.core_of[given[s].body];
        cst_half *of_core = core >= 0 ? core_half(ties, core, sides, half) : NULL;
        if (ties->plan.role[given[s].body] == CST_TIE_HUB) {
            add_hub(ties, given + s, of_core);
            continue;
        }
        if (ties->plan.role[given[s].body] == CST_TIE_LEAF)
            condense_leaf(ties, halves, given + s, d, half + at, of_core);
        at++;
    }
    for (int s = at; s < sides; s++)
        if (half[s].body >= 0)
            condense_core(ties->dim, ties->core + ties->plan.core_of[half[s].body], half + s);
    for (int s = 0; s < sides; s++)
        if (half[s].body >= 0 && largest_of(ties->dim, half + s) <= STILL * size)
            half[s].body = -1;
}

/* States: those of the bodies, with all that a core has at its first hub. */
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

/* sides, entries, and the places of all halves but for their numbers. */
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
    out->half = CST_TAKE_RAW(arena, cst_half, (size_t)count *(size_t)out->sides);
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

/* Halves that were left out make room, if all contacts can spare it: W is sparse without cores, and solvers go by the number of sides. */
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

bool cst_ties_condense(const cst_ties *ties, const cst_halves *halves, const int32_t *chosen, int count, int threads,
                       cst_arena *arena, cst_halves *out)
{
    const int used = cst_threads_for(threads, count, PARALLEL_CONTACTS);
    int most = 0;
    for (int k = 0; k < ties->leaves; k++)
        most = ties->leaf[k].rows > most ? ties->leaf[k].rows : most;
    *out = (cst_halves){.state = CST_TAKE_RAW(arena, int64_t, (size_t)ties->bodies->problem->bodies + 1)};
    double *scratch = CST_TAKE_RAW(arena, double, (size_t)used *(size_t)(ties->dim * most));
    if (arena->failed || !lay_out_halves(ties, halves, chosen, count, arena, out))
        return false;
    lay_out_states(ties, halves, out->state);
    int begun = 0; /* threads that have taken their room */
#pragma omp parallel num_threads(used)
    {
        int thread;
#pragma omp atomic capture
        thread = begun++;
        double *d = scratch + (int64_t)thread * (ties->dim * most);
#pragma omp for schedule(static)
        for (int k = 0; k < count; k++)
            fill(ties, halves, halves->half + 2 * (int64_t)chosen[k], out->sides, d, out->half + (int64_t)out->sides * k);
    }
    close_gaps(count, out);
    return true;
}
