#include "collide/kept_touches.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/distance_solid_space.h"
#include "collide/key.h"
#include "collide/mesh_space.h"
#include "collide/pair_rows.h"
#include "collide/space_motion.h"
#include "math/vector3.h"

/* ------------------------------------------------------------------------------------------------------------------- key */

static uint64_t key_of_piece(const cst_space_scene *scene, int index)
{
    const cst_piece *piece = &scene->piece[index];
    const cst_curve_view *curve = &scene->curve[piece->owner];
    const double number[] = {piece->length, piece->radius,       piece->curvature,
                             piece->s,      piece->owner_length, cst_piece_margin(scene, index)};
    uint64_t key = (uint64_t)index;
    cst_key_add(&key, (uint64_t)piece->owner << 32 ^ (uint64_t)piece->feature << 1 ^ (uint64_t)piece->owner_closed);
    cst_key_add_reals(&key, number, (int)(sizeof number / sizeof *number));
    const bool known = scene->shape && scene->shape[index].has_key;
    if (known)
        cst_key_add(&key, scene->shape[index].key);
    for (int i = 0; i <= 2 && !known; ++i) {
        double x[6];
        if (piece->curvature == 0.0 && i == 1)
            continue;
        curve->at(curve->user, piece->feature, 0.5 * i * piece->length, x, x + 3);
        cst_key_add_reals(&key, x, 6);
    }
    return key;
}

static uint64_t key_of_solid(const cst_space_scene *scene, int index)
{
    const cst_solid *solid = &scene->solid[index];
    const double margin = cst_solid_margin(scene, index);
    uint64_t key = ~(uint64_t)index;
    cst_key_add(&key, (uint64_t)solid->owner << 32 ^ (uint64_t)solid->feature << 8 ^ (uint64_t)solid->kind);
    if (solid->kind == CST_SOLID_MESH && solid->mesh) {
        cst_key_add(&key, (uint64_t)(uintptr_t)solid->mesh);
        cst_key_add(&key, cst_mesh_space_checksum(solid->mesh));
    }
    cst_key_add_reals(&key, solid->size, 3);
    cst_key_add_reals(&key, &solid->rounding, 1);
    cst_key_add_reals(&key, solid->position, 3);
    cst_key_add_reals(&key, solid->frame, 9);
    cst_key_add_reals(&key, &margin, 1);
    return key;
}

bool cst_space_keepable(const cst_space_scene *scene)
{
    for (int i = 0; i < scene->pieces; ++i)
        if (scene->piece[i].edge)
            return false;
    return true;
}

uint64_t cst_space_key(const cst_space_scene *scene, int threads)
{
    uint64_t sum = 0; /* integers: the order does not matter */
    CST_PARALLEL_FOR(threads, schedule(static) reduction(+ : sum), (int i = 0; i < scene->pieces; ++i), {
        sum += key_of_piece(scene, i);
    });
    for (int i = 0; i < scene->solids; ++i)
        sum += key_of_solid(scene, i);
    uint64_t key = sum;
    const double number[] = {scene->flat, scene->solid_depth};
    cst_key_add_reals(&key, number, 2);
    cst_key_add(&key, (uint64_t)scene->pieces << 32 ^ (uint64_t)scene->solids);
    for (int i = 0; i < scene->aparts; ++i)
        cst_key_add(&key, (uint64_t)scene->apart[i].low << 32 ^ (uint64_t)scene->apart[i].high);
    for (int i = 0; i < scene->owners && scene->owner_flags; ++i)
        cst_key_add(&key, scene->owner_flags[i]);
    return key;
}

/* ------------------------------------------------------------------------------------------------------------------ ways */

/* Returns the left side of the first inequality in kept_touches.h for a centreline piece: the larger of its values at the two
 * ends of the piece. The inequality has the factor 2, because a change of a displacement increases the search distance
 * (space_motion.h) twice: directly, and by the larger difference from the displacements of neighbouring points. */
static double off_way(const cst_piece_way *w, const cst_piece_way *W, double f)
{
    double largest = 0.0;
    for (int end = 0; end < 2; ++end) {
        double off = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double x = w->way[end][k] - f * W->way[end][k];
            off += x * x;
        }
        largest = fmax(largest, off);
    }
    return 2.0 * sqrt(largest) + fmax(0.0, w->spread - f * W->spread);
}

/* Returns an upper bound, over all points of a solid, for the left side of the inequality for solids at the top of
 * kept_touches.h. For an infinite plane, the returned bound is finite only if the rotation in the later search is exactly f times
 * the rotation in the first search (f: factor in the inequality). */
static double off_solid_way(const cst_solid *solid, const cst_solid_way *w, const cst_solid_way *W, double f)
{
    double off[3], turn[3];
    for (int k = 0; k < 3; ++k) {
        off[k] = w->way[k] - f * W->way[k];
        turn[k] = w->turn[k] - f * W->turn[k];
    }
    const double turned = sqrt(cst_dot3(turn, turn)), arm = solid->kind == CST_SOLID_PLANE ? INFINITY : cst_solid_reach(solid);
    return sqrt(cst_dot3(off, off)) + (turned > 0.0 ? turned * arm : 0.0) + fmax(0.0, w->spread - f * W->spread);
}

static bool covers_by(const cst_kept_touches *kept, const cst_space_scene *scene, double f, int threads)
{
    double least = INFINITY;
    int outside = 0;
    CST_PARALLEL_FOR(threads, schedule(static) reduction(+ : outside) reduction(min : least),
                     (int i = 0; i < scene->pieces; ++i), {
        const double margin = cst_piece_margin(scene, i);
        outside += !(off_way(&scene->way[i], &kept->way[i], f) <= CST_WAY_SLACK * margin);
        least = fmin(least, margin);
    });
    for (int i = 0; i < scene->solids && !outside; ++i)
        outside += !(off_solid_way(&scene->solid[i], &scene->solid_way[i], &kept->solid_way[i], f) <= CST_SOLID_SLACK * least);
    return outside == 0;
}

/* Returns the factor f from 0 to 1 that minimises the sum of |w - f W|^2 over the ends of all centreline pieces. The vectors w
 * and W are the displacements of an end in the later search and in the first search (kept_touches.h). The sum over the pieces is
 * computed in fixed blocks, so that it is the same for any number of threads. */
static double factor_of(const cst_kept_touches *kept, const cst_space_scene *scene, int threads)
{
    enum { BLOCKS = 64 };
    double part[BLOCKS][2], both = 0.0, square = 0.0;
    CST_PARALLEL_FOR(threads, schedule(static), (int block = 0; block < BLOCKS; ++block), {
        const int64_t from = (int64_t)scene->pieces * block / BLOCKS, to = (int64_t)scene->pieces * (block + 1) / BLOCKS;
        part[block][0] = part[block][1] = 0.0;
        for (int64_t i = from; i < to; ++i)
            for (int end = 0; end < 2; ++end) {
                part[block][0] += cst_dot3(scene->way[i].way[end], kept->way[i].way[end]);
                part[block][1] += cst_dot3(kept->way[i].way[end], kept->way[i].way[end]);
            }
    });
    for (int block = 0; block < BLOCKS; ++block) {
        both += part[block][0];
        square += part[block][1];
    }
    return square > 0.0 ? fmax(0.0, fmin(1.0, both / square)) : 0.0;
}

bool cst_kept_covers(const cst_kept_touches *kept, const cst_space_scene *scene, int threads)
{
    if (!scene->way || !kept->way)
        return !scene->way;
    return covers_by(kept, scene, 1.0, threads) || covers_by(kept, scene, factor_of(kept, scene, threads), threads);
}

/* Displacements of the two ends of a centreline piece; for a solid that does not rotate, both are the displacement of the solid.
 * `half`: half their difference (m). `spread`: their uncertainty (m). */
typedef struct pair_side {
    double way[2][3], half, spread;
} pair_side;

static pair_side side_of_piece(const cst_piece_way *way)
{
    pair_side out = {.spread = way->spread};
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double off = way->way[1][k] - way->way[0][k];
        out.way[0][k] = way->way[0][k];
        out.way[1][k] = way->way[1][k];
        square += off * off;
    }
    out.half = 0.5 * sqrt(square);
    return out;
}

static pair_side side_of_solid(const cst_solid_way *way)
{
    pair_side out = {.spread = way->spread};
    for (int k = 0; k < 3; ++k)
        out.way[0][k] = out.way[1][k] = way->way[k];
    return out;
}

/* Returns an upper bound (m) for the relative displacement of a point of shape a and a point of shape b, over all pairs of
 * points. */
static double most_apart(const pair_side *a, const pair_side *b)
{
    double most = 0.0;
    for (int ends = 0; ends < 4; ++ends) {
        double apart[3];
        cst_subtract3(a->way[ends / 2], b->way[ends % 2], apart);
        most = fmax(most, cst_dot3(apart, apart));
    }
    return sqrt(most) + a->half + b->half + a->spread + b->spread;
}

/* Returns the sum (m) of two terms: a lower bound for the relative displacement of any point of shape a and any point of shape b,
 * and the uncertainties of both displacements. The lower bound follows from the displacements of the middles of the two
 * shapes. */
static double least_apart(const pair_side *a, const pair_side *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double apart = 0.5 * (a->way[0][k] + a->way[1][k] - b->way[0][k] - b->way[1][k]);
        square += apart * apart;
    }
    return fmax(0.0, sqrt(square) - a->half - b->half) + a->spread + b->spread;
}

static bool turns(const cst_solid_way *way)
{
    return way->turn[0] != 0.0 || way->turn[1] != 0.0 || way->turn[2] != 0.0;
}

bool cst_kept_covers_pair(const cst_kept_touches *kept, const cst_space_scene *scene, int32_t a, int32_t b)
{
    const int32_t solid = b - scene->pieces;
    const double margin = cst_pair_margin(scene, a, b), margin_a = cst_piece_margin(scene, a);
    const pair_side w_a = side_of_piece(&scene->way[a]), W_a = side_of_piece(&kept->way[a]);
    if (solid < 0 || (!turns(&scene->solid_way[solid]) && !turns(&kept->solid_way[solid]))) {
        const pair_side w_b = solid < 0 ? side_of_piece(&scene->way[b]) : side_of_solid(&scene->solid_way[solid]);
        const pair_side W_b = solid < 0 ? side_of_piece(&kept->way[b]) : side_of_solid(&kept->solid_way[solid]);
        if (most_apart(&w_a, &w_b) <= fmax(CST_COME_NEAR * margin, least_apart(&W_a, &W_b) + CST_WAY_SLACK * margin))
            return true;
    }
    if (!(off_way(&scene->way[a], &kept->way[a], 1.0) <= CST_WAY_SLACK * margin_a))
        return false;
    if (solid < 0)
        return off_way(&scene->way[b], &kept->way[b], 1.0) <= CST_WAY_SLACK * cst_piece_margin(scene, b);
    return off_solid_way(&scene->solid[solid], &scene->solid_way[solid], &kept->solid_way[solid], 1.0) <=
           CST_SOLID_SLACK * margin_a;
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

bool cst_kept_begin(cst_kept_touches *kept, const cst_space_scene *scene)
{
    cst_arena *arena = &kept->arena;
    const size_t touches = cst_roomy(kept->touches);
    cst_arena_release(arena, (cst_arena_mark){0});
    arena->failed = false;
    kept->there = false;
    kept->touches = kept->jobs = 0;
    kept->job = NULL;
    kept->touch_room = (int)touches;
    kept->joint = CST_TAKE_RAW(arena, cst_joint, scene->pieces);
    kept->row = CST_TAKE(arena, int32_t, (size_t)scene->pieces + 1);
    kept->segments = CST_TAKE(arena, uint16_t, scene->pieces);
    kept->way = scene->way ? CST_TAKE_RAW(arena, cst_piece_way, scene->pieces) : NULL;
    kept->solid_way = scene->way ? CST_TAKE_RAW(arena, cst_solid_way, scene->solids) : NULL;
    kept->touch = CST_TAKE_RAW(arena, cst_touch_space, touches);
    if (arena->failed)
        return false;
    if (scene->way && scene->pieces > 0)
        memcpy(kept->way, scene->way, (size_t)scene->pieces * sizeof *kept->way);
    if (scene->way && scene->solids > 0 && scene->solid_way)
        memcpy(kept->solid_way, scene->solid_way, (size_t)scene->solids * sizeof *kept->solid_way);
    return true;
}

bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more, double part)
{
    /* SPARE: an arena cannot free the old array, so the new array gets more room than the contacts will probably need. */
    static const double SPARE = 1.25;
    const size_t needed = (size_t)kept->touches + more;
    if (needed > INT32_MAX / 2)
        return false;
    if (needed <= (size_t)kept->touch_room)
        return true;
    const double expected = fmin(SPARE * (double)needed / part, INT32_MAX / 2);
    const size_t room = cst_roomy((int64_t)fmax(expected, (double)needed));
    cst_touch_space *larger = CST_TAKE_RAW(&kept->arena, cst_touch_space, room);
    if (!larger)
        return false;
    memcpy(larger, kept->touch, (size_t)kept->touches * sizeof *larger);
    kept->touch = larger;
    kept->touch_room = (int)room;
    return true;
}

bool cst_kept_reserve_jobs(cst_kept_touches *kept, int64_t jobs)
{
    assert(kept->jobs == 0);
    kept->job = jobs <= INT32_MAX ? CST_TAKE_RAW(&kept->arena, cst_kept_job, jobs) : NULL;
    return kept->job;
}
