#include "groom/taken.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
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
    int32_t *head; /* first block of each hash slot */
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

/* ---------------------------------------------------------------------------------------------------------------- gathering */

/* RUN: number of consecutive segments of a hair that share one search for neighbours. GATHERED_BLOCKS: size, in blocks of
 * segments, of the buffer for copied segments; when the buffer is full, the distances to the copied segments are computed. */
enum { RUN = 4, GATHERED_BLOCKS = 24 };

/* A straight segment: middle, unit direction, half length. */
typedef struct line {
    float middle[3], t[3], h;
} line;

static line line_of(const double *a, const double *b)
{
    line l;
    double half[3];
    for (int k = 0; k < 3; k++) {
        l.middle[k] = (float)(0.5 * (a[k] + b[k]));
        half[k] = 0.5 * (b[k] - a[k]);
    }
    l.h = (float)cst_normalise3(half);
    for (int k = 0; k < 3; k++)
        l.t[k] = (float)half[k];
    return l;
}

/* Sets maybe[i] to 1 if segment i of the block `of` may be within the distance D of the segment `l`. Sets maybe[i] to 0 if
 * condition (1) or (2) of taken.h excludes segment i, or if the block has no segment i. The loop has no branches, so that the
 * compiler can vectorise it. */
static inline void sift(const line *l, const block *of, float D, int *maybe)
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

/* Returns the search distance D, enlarged by 0.1 % and 1e-6 m because distances are compared in single precision. */
static float widened(double D)
{
    return 1.001f * (float)D + 1e-6f;
}

/* Copies of the stored segments that may be near the polyline for which nearby hair is searched. */
typedef struct gathering {
    block near[GATHERED_BLOCKS];
    int blocks;
} gathering;

typedef struct looker {
    const double *point; /* (pieces + 1) points */
    int pieces;
    /* output for each segment of the polyline: least gap (m) to other hair, and vector (m) from the nearest point of other hair
     * to the segment */
    double *room, *away;
    double radii; /* sum of the hair radii (m) */
    int hair;
    line whole, piece[RUN];
    double D; /* search distance (m) */
    gathering *got;
} looker;

static void look_closely(looker *l, int piece, const block *of, int i)
{
    const double *a = l->point + 3 * piece;
    double p[3], q[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)of->middle[k][i] - (double)of->half[k][i];
        q[k] = (double)of->middle[k][i] + (double)of->half[k][i];
    }
    const cst_segments near = cst_segment_segment(a, a + 3, p, q);
    if (!(near.distance - l->radii < l->room[piece]))
        return;
    l->room[piece] = near.distance - l->radii;
    for (int k = 0; k < 3; k++)
        l->away[3 * piece + k] = a[k] + near.s * (a[3 + k] - a[k]) - p[k] - near.t * (q[k] - p[k]);
}

CST_MULTIVERSION static void look_at_gathered(looker *l)
{
    for (int piece = 0; piece < l->pieces; piece++)
        for (int n = 0; n < l->got->blocks; n++) {
            const block *of = l->got->near + n;
            int maybe[LANES];
            sift(l->piece + piece, of, widened(l->room[piece] + l->radii), maybe);
            for (int i = 0; i < LANES; i++)
                if (maybe[i])
                    look_closely(l, piece, of, i);
        }
    l->got->blocks = 0;
}

static void gather_one(looker *l, const block *of, int i)
{
    gathering *g = l->got;
    if (g->blocks == 0 || g->near[g->blocks - 1].used == LANES) {
        if (g->blocks == GATHERED_BLOCKS)
            look_at_gathered(l);
        g->near[g->blocks++].used = 0;
    }
    block *to = g->near + g->blocks - 1;
    for (int k = 0; k < 3; k++) {
        to->middle[k][to->used] = of->middle[k][i];
        to->half[k][to->used] = of->half[k][i];
    }
    to->used++;
}

CST_MULTIVERSION static void gather_from_slot(looker *l, const cst_taken *taken, size_t slot)
{
    const float D = widened(l->D);
    for (int32_t n = taken->head[slot]; n >= 0;) {
        const block *of = block_at(taken, n);
        int maybe[LANES];
        sift(&l->whole, of, D, maybe);
        for (int i = 0; i < LANES; i++)
            if (maybe[i] && (of->owner[i] < 0 || (of->owner[i] != l->hair && !taken->released[of->owner[i]])))
                gather_one(l, of, i);
        n = of->next;
    }
}

/* Returns true if the hash cell may contain a segment near the polyline for which nearby hair is searched. The test replaces the
 * polyline by the straight segment between its two ends, and increases the search distance by the largest distance of the
 * polyline from this segment. */
static bool cell_is_near(const looker *l, const cst_taken *taken, const double *low)
{
    double off[3], along = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        off[k] = low[k] + 0.5 * taken->cell - (double)l->whole.middle[k];
        along += off[k] * (double)l->whole.t[k];
        square += off[k] * off[k];
    }
    const double far = l->D + taken->half + 0.8661 * taken->cell + 1e-6, beyond = fabs(along) - (double)l->whole.h;
    const double across = square - along * along;
    return across + (beyond > 0.0 ? beyond * beyond : 0.0) <= far * far;
}

static void look_in(looker *l, const cst_taken *taken)
{
    int64_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double *first = l->point, *last = l->point + 3 * l->pieces;
        const double reach = 0.5 * fabs(last[k] - first[k]) + taken->half + l->D, middle = 0.5 * (first[k] + last[k]);
        low[k] = cell_of(taken, middle - reach);
        high[k] = cell_of(taken, middle + reach);
    }
    for (int64_t i = low[0]; i <= high[0]; i++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t k = low[2]; k <= high[2]; k++) {
                const double corner[3] = {(double)i * taken->cell, (double)j * taken->cell, (double)k * taken->cell};
                if (cell_is_near(l, taken, corner))
                    gather_from_slot(l, taken, slot_of(taken, i, j, k));
            }
    look_at_gathered(l);
}

/* Returns the largest distance (m) of the inner points of a polyline from the segment between its two ends. */
static double bulge_of(const double *point, int pieces)
{
    const double *a = point, *b = point + 3 * pieces;
    double most = 0.0;
    for (int i = 1; i < pieces; i++) {
        const double *x = point + 3 * i, s = cst_point_segment(x, a, b);
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double off = x[k] - a[k] - s * (b[k] - a[k]);
            square += off * off;
        }
        most = fmax(most, square);
    }
    return sqrt(most);
}

void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away)
{
    gathering got;
    for (int first = 0; first < pieces; first += RUN) {
        looker l = {.point = point + 3 * first,
                    .pieces = pieces - first < RUN ? pieces - first : RUN,
                    .room = room + first,
                    .away = away + 3 * first,
                    .got = &got};
        const double bulge = bulge_of(l.point, l.pieces);
        got.blocks = 0;
        l.whole = line_of(l.point, l.point + 3 * l.pieces);
        for (int i = 0; i < l.pieces; i++) {
            l.piece[i] = line_of(l.point + 3 * i, l.point + 3 * (i + 1));
            l.room[i] = limit;
        }
        for (const cst_taken *here = taken; here; here = here->earlier) {
            l.hair = here == taken ? hair : -1;
            l.radii = radius + here->radius;
            l.D = limit + l.radii + bulge;
            look_in(&l, here);
        }
    }
}

double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3])
{
    const double point[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    double room;
    cst_taken_rooms(taken, hair, radius, point, 1, limit, &room, away);
    return room;
}
