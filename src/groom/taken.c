#include "groom/taken.h"

#include <math.h>
#include <string.h>

#include "collide/distance_segment.h"
#include "math/vector3.h"

enum { LANES = 8, BLOCKS_PER_CHUNK = 1 << 10, CHUNKS_FIRST = 64 };

typedef struct block {
    float middle[3][LANES], half[3][LANES];
    int32_t owner[LANES];
    int32_t next; /* -1: none */
    int used;
} block;

struct cst_taken {
    const cst_taken *earlier;
    cst_arena *arena;
    double cell, half, radius;
    int32_t *head; /* by the hash of the cell */
    size_t mask;
    block **chunk;
    size_t chunks;
    int32_t blocks;
    bool *released;
};

cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena)
{
    cst_taken *taken = CST_TAKE(arena, cst_taken, 1);
    size_t slots = 64;
    while (slots < pieces)
        slots *= 2;
    int32_t *head = CST_TAKE_RAW(arena, int32_t, slots);
    block **chunk = CST_TAKE(arena, block *, CHUNKS_FIRST);
    if (!taken || !head || !chunk)
        return NULL;
    memset(head, -1, slots * sizeof *head);
    *taken = (cst_taken){.earlier = earlier,
                         .arena = arena,
                         .cell = 2.0 * half + near,
                         .half = half,
                         .radius = radius,
                         .head = head,
                         .mask = slots - 1,
                         .chunk = chunk,
                         .chunks = CHUNKS_FIRST};
    return taken;
}

/* Whatever is asked for: whole numbers. */
static int64_t cell_of(const cst_taken *taken, double x)
{
    return (int64_t)fmin(fmax(floor(x / taken->cell), -1e15), 1e15);
}

static size_t slot_of(const cst_taken *taken, int64_t i, int64_t j, int64_t k)
{
    const uint64_t mixed =
        (uint64_t)i * 0x9E3779B97F4A7C15u ^ (uint64_t)j * 0xBF58476D1CE4E5B9u ^ (uint64_t)k * 0x94D049BB133111EBu;
    return (size_t)(mixed ^ mixed >> 31) & taken->mask;
}

static block *block_at(const cst_taken *taken, int32_t number)
{
    return taken->chunk[number / BLOCKS_PER_CHUNK] + number % BLOCKS_PER_CHUNK;
}

/* Another block at the front of a slot; NULL: out of memory. */
static block *add_block(cst_taken *taken, size_t slot)
{
    const size_t which = (size_t)taken->blocks / BLOCKS_PER_CHUNK;
    if (which == taken->chunks) {
        block **more = CST_TAKE(taken->arena, block *, 2 * taken->chunks);
        if (!more)
            return NULL;
        memcpy(more, taken->chunk, taken->chunks * sizeof *more);
        taken->chunk = more;
        taken->chunks *= 2;
    }
    if (!taken->chunk[which] && !(taken->chunk[which] = CST_TAKE(taken->arena, block, BLOCKS_PER_CHUNK)))
        return NULL;
    block *made = block_at(taken, taken->blocks);
    made->next = taken->head[slot];
    taken->head[slot] = taken->blocks++;
    return made;
}

bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner)
{
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (a[k] + b[k]);
    const size_t slot = slot_of(taken, cell_of(taken, middle[0]), cell_of(taken, middle[1]), cell_of(taken, middle[2]));
    block *to = taken->head[slot] >= 0 ? block_at(taken, taken->head[slot]) : NULL;
    if ((!to || to->used == LANES) && !(to = add_block(taken, slot)))
        return false;
    for (int k = 0; k < 3; k++) {
        to->middle[k][to->used] = (float)middle[k];
        to->half[k][to->used] = (float)(0.5 * (b[k] - a[k]));
    }
    to->owner[to->used++] = owner;
    return true;
}

bool cst_taken_reserve(cst_taken *taken, int hairs)
{
    taken->released = CST_TAKE(taken->arena, bool, hairs);
    return taken->released != NULL;
}

void cst_taken_release(cst_taken *taken, int hair)
{
    taken->released[hair] = true;
}

/* ------------------------------------------------------------------------------------------------------------------- looking */

/* A piece that looks for others. */
typedef struct looker {
    const double *a, *b;
    double room; /* the least so far */
    double *away;
    double radii; /* both */
    int hair;
    float middle[3], t[3], h;
} looker;

/* Which of a block may be nearer than D; without branches, to run side by side. */
static void sift(const looker *l, const block *of, float D, int *maybe)
{
    for (int i = 0; i < LANES; i++) {
        const float x = of->middle[0][i] - l->middle[0], y = of->middle[1][i] - l->middle[1], z = of->middle[2][i] - l->middle[2];
        const float u = of->half[0][i], v = of->half[1][i], w = of->half[2][i];
        const float along = x * l->t[0] + y * l->t[1] + z * l->t[2], own = u * l->t[0] + v * l->t[1] + w * l->t[2];
        const float across = x * x + y * y + z * z - along * along, lean = u * u + v * v + w * w - own * own;
        const float wide = D + sqrtf(lean > 0.0f ? lean : 0.0f), ahead = along < 0.0f ? -along : along,
                    reach = own < 0.0f ? -own : own;
        maybe[i] = (across <= wide * wide) & (ahead <= D + l->h + reach) & (i < of->used);
    }
}

static void look_closely(looker *l, const block *of, int i)
{
    double p[3], q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)of->middle[k][i] - (double)of->half[k][i];
        q[k] = (double)of->middle[k][i] + (double)of->half[k][i];
    }
    const cst_segments near = cst_segment_segment(l->a, l->b, p, q);
    if (!(near.distance - l->radii < l->room))
        return;
    l->room = near.distance - l->radii;
    for (int k = 0; k < 3; k++)
        l->away[k] = l->a[k] + near.s * (l->b[k] - l->a[k]) - p[k] - near.t * (q[k] - p[k]);
}

static void look_in_slot(looker *l, const cst_taken *taken, size_t slot)
{
    for (int32_t n = taken->head[slot]; n >= 0;) {
        const block *of = block_at(taken, n);
        int maybe[LANES];
        /* Single precision errs by less than a thousandth where pieces are some millimetres long. */
        sift(l, of, 1.001f * (float)(l->room + l->radii) + 1e-6f, maybe);
        for (int i = 0; i < LANES; i++)
            if (maybe[i] && (of->owner[i] < 0 || (of->owner[i] != l->hair && !taken->released[of->owner[i]])))
                look_closely(l, of, i);
        n = of->next;
    }
}

static void look_in(looker *l, const cst_taken *taken, double limit)
{
    int64_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double reach = 0.5 * fabs(l->b[k] - l->a[k]) + taken->half + limit + l->radii, middle = 0.5 * (l->a[k] + l->b[k]);
        low[k] = cell_of(taken, middle - reach);
        high[k] = cell_of(taken, middle + reach);
    }
    for (int64_t i = low[0]; i <= high[0]; i++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t k = low[2]; k <= high[2]; k++)
                look_in_slot(l, taken, slot_of(taken, i, j, k));
}

double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3])
{
    looker l = {.a = a, .b = b, .room = limit, .away = away};
    double half[3];
    for (int k = 0; k < 3; k++) {
        l.middle[k] = (float)(0.5 * (a[k] + b[k]));
        half[k] = 0.5 * (b[k] - a[k]);
    }
    l.h = (float)cst_normalise3(half);
    for (int k = 0; k < 3; k++)
        l.t[k] = (float)half[k];
    for (const cst_taken *here = taken; here; here = here->earlier) {
        l.hair = here == taken ? hair : -1;
        l.radii = radius + here->radius;
        look_in(&l, here, limit);
    }
    return l.room;
}
