#include "friction/newton_bodies.h"

#include <string.h>

#include "base/simd.h"
#include "friction/product.h"
#include "math/small_matrix.h"

bool cst_newton_bodies_apply(const cst_system *system)
{
    int bodies, sides;
    const int64_t *state;
    const cst_half *half = cst_product_halves(system, &sides, &bodies, &state);
    for (int64_t h = 0; half && h < sides * (int64_t)system->contacts; h++)
        if (half[h].body >= 0 && half[h].touch)
            return false;
    return half != NULL;
}

/* --------------------------------------------------------------------------------------------------------------- pattern */

/* For each body, the list of its neighbours: first the body itself, then all bodies that share a contact with it. */
typedef struct neighbours {
    int64_t *start; /* array (bodies + 1): list starts */
    int32_t *body;
    /* for each neighbour of a body: in a block row of the body in Newton's matrix, the number of blocks before the first block of
     * the neighbour; all block rows of a body have the same layout */
    int64_t *run;
} neighbours;

/* Sorts the half solves L^-1 H^T of the contacts by body. The entries start[k] to start[k + 1] - 1 of `touching` are the indices
 * of the half solves on body k. */
static bool sort_halves(cst_arena *arena, const cst_newton_bodies *b, int64_t **start, int32_t **touching)
{
    const int64_t halves = b->sides * (int64_t)b->system->contacts;
    *start = CST_TAKE(arena, int64_t, (size_t)b->bodies + 2);
    *touching = CST_TAKE_RAW(arena, int32_t, halves);
    if (arena->failed)
        return false;
    int64_t *next = *start + 1;
    for (int64_t h = 0; h < halves; h++)
        if (b->half[h].body >= 0)
            next[b->half[h].body + 1]++;
    for (int k = 0; k < b->bodies; k++)
        next[k + 1] += next[k];
    for (int64_t h = 0; h < halves; h++)
        if (b->half[h].body >= 0)
            (*touching)[next[b->half[h].body]++] = (int32_t)h;
    return true;
}

static bool find_neighbours(cst_arena *arena, const cst_newton_bodies *b, neighbours *out)
{
    int64_t *start;
    int32_t *touching;
    if (!sort_halves(arena, b, &start, &touching))
        return false;
    int32_t *stamp = CST_TAKE(arena, int32_t, b->bodies);
    out->start = CST_TAKE(arena, int64_t, (size_t)b->bodies + 1);
    /* a contact on k bodies adds at most k - 1 neighbours to the list of each of its bodies */
    const int64_t most = (b->sides - 1) * start[b->bodies] + b->bodies;
    out->body = CST_TAKE_RAW(arena, int32_t, most);
    out->run = CST_TAKE_RAW(arena, int64_t, most);
    if (arena->failed)
        return false;
    int64_t count = 0;
    for (int k = 0; k < b->bodies; k++) {
        int64_t chunks = 0;
        stamp[k] = k + 1;
        out->body[count] = k;
        out->run[count++] = 0;
        chunks += b->chunk_start[k + 1] - b->chunk_start[k];
        for (int64_t t = start[k]; t < start[k + 1]; t++) {
            const cst_half *of_contact = b->half + touching[t] / b->sides * (int64_t)b->sides;
            for (int s = 0; s < b->sides; s++) {
                const int32_t other = of_contact[s].body;
                if (other < 0 || stamp[other] == k + 1)
                    continue;
                stamp[other] = k + 1;
                out->body[count] = other;
                out->run[count++] = chunks;
                chunks += b->chunk_start[other + 1] - b->chunk_start[other];
            }
        }
        out->start[k + 1] = count;
    }
    return true;
}

static bool take_pattern(cst_arena *arena, const neighbours *near, cst_newton_bodies *b)
{
    const int chunks = b->chunk_start[b->bodies], dim = b->system->dim;
    b->row_start = CST_TAKE(arena, int64_t, (size_t)chunks + 1);
    b->rank = CST_TAKE(arena, uint8_t, chunks);
    if (arena->failed)
        return false;
    for (int k = 0; k < b->bodies; k++) {
        const int64_t last = near->start[k + 1] - 1;
        const int64_t length = near->run[last] + b->chunk_start[near->body[last] + 1] - b->chunk_start[near->body[last]];
        for (int32_t c = b->chunk_start[k]; c < b->chunk_start[k + 1]; c++) {
            const int64_t left = b->state[k + 1] - b->state[k] - (int64_t)(c - b->chunk_start[k]) * dim;
            b->rank[c] = (uint8_t)(left < dim ? left : dim);
            b->row_start[c + 1] = b->row_start[c] + length;
        }
    }
    b->column = CST_TAKE_RAW(arena, int32_t, b->row_start[chunks]);
    b->block = CST_TAKE_RAW(arena, double, (size_t)b->row_start[chunks] * (size_t)(dim * dim));
    if (arena->failed)
        return false;
    for (int k = 0; k < b->bodies; k++)
        for (int32_t c = b->chunk_start[k]; c < b->chunk_start[k + 1]; c++) {
            int64_t e = b->row_start[c];
            for (int64_t t = near->start[k]; t < near->start[k + 1]; t++)
                for (int32_t d = b->chunk_start[near->body[t]]; d < b->chunk_start[near->body[t] + 1]; d++)
                    b->column[e++] = d;
        }
    return true;
}

static int64_t run_of(const neighbours *near, int32_t body, int32_t other)
{
    int64_t t = near->start[body];
    while (near->body[t] != other)
        t++;
    return near->run[t];
}

/* Finds the half solves L^-1 H^T of the friction problem (half.h), and divides the unknowns of each body into groups of dim
 * numbers. */
static bool take_bodies(cst_arena *arena, const cst_system *system, cst_newton_bodies *b)
{
    const int dim = system->dim;
    *b = (cst_newton_bodies){.system = system};
    b->half = cst_product_halves(system, &b->sides, &b->bodies, &b->state);
    b->chunk_start = CST_TAKE(arena, int32_t, (size_t)b->bodies + 1);
    for (int k = 0; !arena->failed && k < b->bodies; k++)
        b->chunk_start[k + 1] = b->chunk_start[k] + (int32_t)((b->state[k + 1] - b->state[k] + dim - 1) / dim);
    return !arena->failed;
}

double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_newton_bodies b;
    neighbours near;
    if (!take_bodies(arena, system, &b) || !find_neighbours(arena, &b, &near))
        return 0.0;
    double cubes = 0.0, products = 0.0;
    for (int k = 0; k < b.bodies; k++) {
        const double size = (double)(b.state[k + 1] - b.state[k]);
        cubes += size * size * size;
        /* skips the body itself */
        for (int64_t t = near.start[k] + 1; t < near.start[k + 1]; t++)
            products += 0.5 * size * (double)(b.state[near.body[t] + 1] - b.state[near.body[t]]);
    }
    const double all = (double)b.state[b.bodies];
    cst_arena_release(arena, mark);
    return all > 0.0 ? 2.0 / 3.0 * cubes + 2.0 * products * products / all : 0.0;
}

bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *b)
{
    const int dim = system->dim;
    const size_t n = (size_t)system->contacts;
    cst_arena scratch;
    cst_arena_begin(&scratch, &arena->allocator);
    bool done = take_bodies(arena, system, b);
    const int sides = b->sides, pairs = sides * sides;
    b->run = CST_TAKE(arena, int64_t, (size_t)pairs * n);
    b->inverse = CST_TAKE_RAW(arena, double, n *(size_t)(dim * dim));
    b->s = CST_TAKE_RAW(arena, double, b->state[b->bodies]);
    neighbours near;
    int64_t largest = 0;
    for (int k = 0; k < b->bodies; k++)
        largest = b->state[k + 1] - b->state[k] > largest ? b->state[k + 1] - b->state[k] : largest;
    done = done && !arena->failed && find_neighbours(&scratch, b, &near) && take_pattern(arena, &near, b);
    for (size_t i = 0; done && i < n; i++)
        for (int a = 0; a < pairs; a++) {
            const cst_half *of = b->half + (size_t)sides * i, *from = of + a / sides, *to = of + a % sides;
            if (from->body >= 0 && to->body >= 0)
                b->run[(size_t)pairs * i + (size_t)a] = run_of(&near, from->body, to->body);
        }
    if (done) {
        b->line = CST_TAKE(arena, double, largest);
        b->right = CST_TAKE_RAW(arena, double, (size_t)b->chunk_start[b->bodies] * (size_t)dim);
        done = !arena->failed && cst_block_lu_begin(arena, b->chunk_start[b->bodies], dim, b->row_start, b->column, NULL, &b->lu);
    }
    if (!done)
        arena->failed = true;
    cst_arena_end(&scratch);
    return done;
}

/* --------------------------------------------------------------------------------------------------------------- numeric */

void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse)
{
    double m[9];
    for (int k = 0; k < dim * dim; k++)
        m[k] = f_r[k] + rho * f_u[k];
    cst_small_invert(dim, m, dim, inverse);
}

/* Adds the product Z_from D Z_to^T to Newton's matrix, with the half solves Z_from and Z_to of one contact on two bodies and
 * the dim x dim matrix D. */
static inline __attribute__((always_inline)) void add_pair(cst_newton_bodies *b, const cst_half *from, const cst_half *to,
                                                           int64_t run, const double *d, int dim)
{
    const int square = dim * dim, length = to->length;
    const double *z0 = to->z, *z1 = to->z + length, *z2 = dim == 3 ? to->z + 2 * (int64_t)length : z1;
    double *line = b->line;
    for (int i = 0; i < from->length; i++) {
        double left[3] = {0.0, 0.0, 0.0}; /* row i of Z_from D */
        for (int c = 0; c < dim; c++)
            for (int k = 0; k < dim; k++)
                left[c] += from->z[(int64_t)k * from->length + i] * d[k * dim + c];
        for (int j = 0; j < length; j++)
            line[j] = left[0] * z0[j] + left[1] * z1[j] + left[2] * z2[j];
        const int row = from->first + i;
        double *block = b->block + (b->row_start[b->chunk_start[from->body] + row / dim] + run + to->first / dim) * square +
                        (int64_t)(row % dim) * dim;
        for (int j = 0, c = to->first % dim; j < length; j++) {
            block[c] += line[j];
            if (++c == dim) {
                c = 0;
                block += square;
            }
        }
    }
}

static inline __attribute__((always_inline)) void add_contact(cst_newton_bodies *b, int64_t i, int dim)
{
    double d[9];
    bool open = true; /* true if f_u = 0 */
    const double *inverse = b->inverse + i * dim * dim, *f_u = b->f_u + i * dim * dim;
    for (int r = 0; r < dim; r++)
        for (int c = 0; c < dim; c++) {
            d[r * dim + c] = 0.0;
            for (int k = 0; k < dim; k++)
                d[r * dim + c] += inverse[r * dim + k] * f_u[k * dim + c];
            open = open && f_u[r * dim + c] == 0.0;
        }
    if (open)
        return;
    const int sides = b->sides, pairs = sides * sides;
    for (int a = 0; a < pairs; a++) {
        const cst_half *of = b->half + sides * i, *from = of + a / sides, *to = of + a % sides;
        if (from->body >= 0 && to->body >= 0)
            add_pair(b, from, to, b->run[pairs * i + a], d, dim);
    }
}

CST_MULTIVERSION
static void add_contacts_3d(cst_newton_bodies *b)
{
    for (int64_t i = 0; i < b->system->contacts; i++)
        add_contact(b, i, 3);
}

CST_MULTIVERSION
static void add_contacts_2d(cst_newton_bodies *b)
{
    for (int64_t i = 0; i < b->system->contacts; i++)
        add_contact(b, i, 2);
}

void cst_newton_bodies_factor(cst_newton_bodies *b, const double *f_r, const double *f_u, double rho, double floor)
{
    const int dim = b->system->dim, square = dim * dim, chunks = b->chunk_start[b->bodies];
    b->f_u = f_u;
    memset(b->block, 0, sizeof(double) * (size_t)b->row_start[chunks] * (size_t)square);
    for (int k = 0; k < b->bodies; k++) /* K starts with the identity */
        for (int32_t c = b->chunk_start[k]; c < b->chunk_start[k + 1]; c++)
            for (int d = 0; d < dim; d++)
                b->block[(b->row_start[c] + c - b->chunk_start[k]) * square + d * (dim + 1)] = 1.0;
    for (int64_t i = 0; i < b->system->contacts; i++)
        cst_newton_invert(dim, f_r + i * square, f_u + i * square, rho, b->inverse + i * square);
    if (dim == 3)
        add_contacts_3d(b);
    else
        add_contacts_2d(b);
    cst_block_lu_factor(&b->lu, b->block, b->rank, floor);
}

/* Copies the unknowns of all bodies from the array b->s to the array b->right, where each body takes a multiple of dim entries.
 * If `to_chunks` is false, the function copies in the opposite direction, from b->right to b->s. */
static void copy_states(cst_newton_bodies *b, bool to_chunks)
{
    const int dim = b->system->dim;
    for (int k = 0; k < b->bodies; k++) {
        double *states = b->s + b->state[k], *chunks = b->right + (int64_t)b->chunk_start[k] * dim;
        const size_t bytes = sizeof(double) * (size_t)(b->state[k + 1] - b->state[k]);
        memcpy(to_chunks ? chunks : states, to_chunks ? states : chunks, bytes);
    }
}

void cst_newton_bodies_solve(cst_newton_bodies *b, const double *residual, double *dx)
{
    const int dim = b->system->dim;
    double t[3];
    memset(b->s, 0, sizeof(double) * (size_t)b->state[b->bodies]);
    for (int64_t i = 0; i < b->system->contacts; i++) {
        cst_small_apply(dim, b->inverse + i * dim * dim, residual + i * dim, t);
        cst_half_move(dim, b->sides, b->half + b->sides * i, b->state, t, b->s);
    }
    copy_states(b, true);
    cst_block_lu_solve(&b->lu, b->right);
    copy_states(b, false);
    for (int64_t i = 0; i < b->system->contacts; i++) {
        double u[3] = {0}, left[3], own[3];
        cst_half_read(dim, b->sides, b->half + b->sides * i, b->state, b->s, u);
        cst_small_apply(dim, b->f_u + i * dim * dim, u, own);
        for (int k = 0; k < dim; k++)
            left[k] = residual[i * dim + k] - own[k];
        cst_small_apply(dim, b->inverse + i * dim * dim, left, t);
        for (int k = 0; k < dim; k++)
            dx[i * dim + k] += t[k];
    }
}
