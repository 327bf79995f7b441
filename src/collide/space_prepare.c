/* Joins centreline pieces to their neighbours, and cuts them into segments with capsules for the broad phase. Pieces that are
 * near no plane, and near no other shape according to the neighbour list (kept_pairs.h), are not cut unless a new list is made;
 * most pieces of hairs are such pieces. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/distance_solid_space.h"
#include "collide/mesh_space.h"
#include "collide/pair_rows.h"
#include "collide/space_search.h"
#include "math/vector3.h"

static uint8_t flags_of(const cst_space_scene *scene, int32_t owner)
{
    return scene->owner_flags ? scene->owner_flags[owner] : 0;
}

/* `spread`: upper bound (m) for the difference between the displacements of a point of the segment and of its middle */
static void find_capsule_way(const cst_space_search *d, int32_t index, double spread, cst_capsule *out)
{
    const cst_segment *segment = &d->segment[index];
    cst_piece_way_at(d->scene, segment->piece, cst_segment_s(segment, 0.5), out->way);
    out->spread = spread;
}

static double spread_of(const cst_space_search *d, const cst_placed_piece *piece)
{
    const cst_stretch stretch = cst_stretch_of(d, piece->first);
    return d->scene->way ? cst_stretch_spread(d->scene, &stretch) : 0.0;
}

static cst_capsule capsule_of(const cst_space_search *d, int32_t index, double spread)
{
    const cst_segment *segment = &d->segment[index];
    const cst_space_scene *scene = d->scene;
    cst_capsule out = {.radius = scene->piece[segment->piece].radius + segment->wide + cst_piece_margin(scene, segment->piece)};
    for (int k = 0; k < 3; ++k) {
        out.center[k] = 0.5 * (segment->line[0][k] + segment->line[1][k]);
        out.half[k] = 0.5 * (segment->line[1][k] - segment->line[0][k]);
    }
    if (scene->way)
        find_capsule_way(d, index, spread, &out);
    return out;
}

static void join_owner(const cst_space_scene *scene, cst_placed_piece *placed, cst_owner_range *range)
{
    const int32_t first = range->first, last = first + range->count - 1;
    for (int32_t i = first; i < last; ++i)
        if (cst_pieces_meet(&scene->piece[i], &scene->piece[i + 1], false))
            cst_join_pieces(&placed[i], i, &placed[i + 1], i + 1);
    if (scene->piece[last].owner_closed && cst_pieces_meet(&scene->piece[last], &scene->piece[first], true))
        cst_join_pieces(&placed[last], last, &placed[first], first);
    double turned = 0.0;
    for (int32_t i = first; i <= last; ++i) {
        cst_placed_piece *piece = &placed[i];
        if (piece->prev >= 0 && i > first)
            turned += cst_joint_turn(piece);
        piece->turned = turned;
        turned += piece->piece->curvature * piece->piece->length;
    }
    if (placed[first].prev >= 0)
        turned += cst_joint_turn(&placed[first]);
    range->turning = turned;
}

static void place_pieces(cst_space_search *d)
{
    const cst_space_scene *scene = d->scene;
    CST_PARALLEL_FOR(d->threads, schedule(static), (int i = 0; i < scene->pieces; ++i), {
        cst_place_piece(&scene->piece[i], scene->shape ? &scene->shape[i] : NULL, &scene->curve[scene->piece[i].owner],
                        &d->placed[i]);
        d->placed[i].usable = d->placed[i].usable && isfinite(cst_piece_margin(scene, i));
    });
    for (int i = 0; i < scene->pieces; ++i) {
        const int32_t owner = scene->piece[i].owner;
        assert(owner >= 0 && owner < scene->owners);
        if (i == 0 || scene->piece[i - 1].owner != owner)
            d->owner[owner] = (cst_owner_range){.first = i};
        ++d->owner[owner].count;
    }
    CST_PARALLEL_FOR(d->threads, schedule(dynamic, 64), (int i = 0; i < scene->owners; ++i), {
        if (d->owner[i].count)
            join_owner(scene, d->placed, &d->owner[i]);
    });
}

static cst_box solid_box(const cst_solid *solid, double about)
{
    double center[3] = {0.0, 0.0, 0.0}, half[3] = {0.0, 0.0, 0.0};
    switch (solid->kind) {
    case CST_SOLID_PLANE: /* planes have no box */
        return (cst_box){.low = {1.0}, .high = {0.0}};
    case CST_SOLID_SPHERE:
    case CST_SOLID_CAPSULE:
    case CST_SOLID_CYLINDER:
        half[0] = half[1] = half[2] = solid->size[0];
        if (solid->kind == CST_SOLID_CAPSULE)
            half[2] += solid->size[1];
        if (solid->kind == CST_SOLID_CYLINDER)
            half[2] = solid->size[1];
        break;
    case CST_SOLID_BOX:
        memcpy(half, solid->size, sizeof half);
        break;
    case CST_SOLID_MESH: {
        const cst_box whole = cst_mesh_space_box(solid->mesh);
        for (int k = 0; k < 3; ++k) {
            center[k] = 0.5 * (whole.low[k] + whole.high[k]);
            half[k] = 0.5 * (whole.high[k] - whole.low[k]);
        }
        break;
    }
    }
    cst_box box;
    double at[3];
    cst_apply3(solid->frame, center, at);
    cst_add3(1.0, solid->position, at);
    for (int k = 0; k < 3; ++k) {
        const double *row = solid->frame + 3 * k;
        const double wide = fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        box.low[k] = at[k] - wide - about - solid->rounding;
        box.high[k] = at[k] + wide + about + solid->rounding;
    }
    return box;
}

static cst_moving_box moving_box_of(const cst_space_scene *scene, int index)
{
    const cst_solid *solid = &scene->solid[index];
    cst_moving_box out = {.box = solid_box(solid, cst_solid_margin(scene, index))};
    if (!scene->solid_way)
        return out;
    const cst_solid_way *way = &scene->solid_way[index];
    double middle[3], reach = 0.0;
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5 * (out.box.low[k] + out.box.high[k]);
        reach += 0.25 * (out.box.high[k] - out.box.low[k]) * (out.box.high[k] - out.box.low[k]);
    }
    cst_solid_way_at(solid, way, middle, out.way);
    out.spread = way->spread + sqrt(reach * cst_dot3(way->turn, way->turn));
    return out;
}

static void find_keys(cst_space_search *d)
{
    const cst_space_scene *scene = d->scene;
    int ignored = 0;
    CST_PARALLEL_FOR(d->threads, schedule(static) reduction(+ : ignored), (int i = 0; i < scene->pieces; ++i), {
        const cst_piece *piece = &scene->piece[i];
        const double turned = d->placed[i].turned;
        ignored += !d->placed[i].usable;
        d->key[i] = (cst_shape_key){.owner = piece->owner,
                                    .flags = flags_of(scene, piece->owner),
                                    .owner_closed = piece->owner_closed,
                                    .edge = piece->edge,
                                    .turned = {turned, turned + piece->curvature * piece->length}};
    });
    for (int i = 0; i < scene->solids; ++i) {
        const cst_solid *solid = &scene->solid[i];
        const bool usable = cst_solid_usable(solid) && isfinite(cst_solid_margin(scene, i));
        ignored += !usable;
        d->box[i] = usable ? moving_box_of(scene, i) : (cst_moving_box){.box = {.low = {1.0}, .high = {0.0}}};
        d->key[scene->pieces + i] = (cst_shape_key){.owner = solid->owner, .flags = flags_of(scene, solid->owner)};
    }
    d->ignored = ignored;
}

bool cst_space_place_pieces(cst_space_search *d, cst_arena *arena)
{
    const cst_space_scene *scene = d->scene;
    d->placed = CST_TAKE_RAW(arena, cst_placed_piece, scene->pieces);
    d->owner = CST_TAKE(arena, cst_owner_range, scene->owners);
    d->key = CST_TAKE_RAW(arena, cst_shape_key, (size_t)scene->pieces + (size_t)scene->solids);
    d->box = CST_TAKE_RAW(arena, cst_moving_box, scene->solids);
    d->first = NULL;
    d->segments = 0;
    if (arena->failed)
        return false;
    place_pieces(d);
    find_keys(d);
    return true;
}

/* --------------------------------------------------------------------------------------------------------------------- cut */

static void cut_piece(const cst_space_search *d, int index)
{
    cst_placed_piece *piece = &d->placed[index];
    cst_segment *segment = d->segment + piece->first;
    for (int j = 0; j < piece->count; ++j)
        segment[j].piece = index; /* also for unusable pieces */
    if (piece->usable)
        cst_cut_piece(piece, index, segment);
    const double spread = piece->usable ? spread_of(d, piece) : 0.0;
    for (int j = 0; j < piece->count; ++j) {
        const int32_t at = piece->first + j;
        d->wide[at] = piece->usable ? segment[j].wide : 0.0;
        d->capsule[at] = piece->usable ? capsule_of(d, at, spread) : (cst_capsule){.radius = -1.0};
    }
}

/* Cuts each centreline piece into `count` segments if its field `count` is positive. */
static bool cut_counted(cst_space_search *d, cst_arena *arena)
{
    const cst_space_scene *scene = d->scene;
    int64_t sum = 0;
    d->first = CST_TAKE_RAW(arena, int32_t, (size_t)scene->pieces + 1);
    for (int i = 0; i < scene->pieces && d->first; ++i) {
        d->placed[i].first = d->first[i] = (int32_t)sum;
        sum += d->placed[i].count;
        if (sum + scene->solids > INT32_MAX)
            return false;
    }
    const size_t segments = cst_roomy(sum);
    d->segment = CST_TAKE_RAW(arena, cst_segment, segments);
    d->capsule = CST_TAKE_RAW(arena, cst_capsule, segments);
    d->wide = CST_TAKE_RAW(arena, double, segments);
    if (arena->failed)
        return false;
    d->segments = d->first[scene->pieces] = (int)sum;
    CST_PARALLEL_FOR(d->threads, schedule(dynamic, 256), (int i = 0; i < scene->pieces; ++i), {
        if (d->placed[i].count > 0)
            cut_piece(d, i);
    });
    return true;
}

bool cst_space_cut(cst_space_search *d, const uint8_t *wanted, cst_arena *arena)
{
    const cst_space_scene *scene = d->scene;
    bool done = d->first != NULL;
    for (int i = 0; done && i < scene->pieces; ++i)
        done = d->placed[i].count > 0 || (wanted && !wanted[i]);
    if (done)
        return true;
    CST_PARALLEL_FOR(d->threads, schedule(dynamic, 256), (int i = 0; i < scene->pieces; ++i), {
        if (d->placed[i].count == 0 && (!wanted || wanted[i]))
            cst_count_segments(&d->placed[i]);
    });
    return cut_counted(d, arena);
}

void cst_space_prepare_pieces(cst_space_search *d)
{
    const cst_space_scene *scene = d->scene;
    for (int i = 0; i < scene->pieces; ++i) {
        d->placed[i].piece = &scene->piece[i];
        d->placed[i].view = &scene->curve[scene->piece[i].owner];
    }
}

void cst_space_prepare_ways(cst_space_search *d)
{
    const cst_space_scene *scene = d->scene;
    cst_space_prepare_pieces(d);
    CST_PARALLEL_FOR(d->threads, schedule(static), (int i = 0; i < scene->pieces; ++i), {
        const cst_placed_piece *piece = &d->placed[i];
        const double spread = piece->usable && piece->count > 0 ? spread_of(d, piece) : 0.0;
        for (int j = piece->first; j < piece->first + piece->count; ++j) {
            cst_capsule *capsule = &d->capsule[j];
            memset(capsule->way, 0, sizeof capsule->way);
            capsule->spread = 0.0;
            if (scene->way && capsule->radius >= 0.0)
                find_capsule_way(d, j, spread, capsule);
        }
    });
    for (int i = 0; i < scene->solids; ++i)
        if (d->box[i].box.low[0] <= d->box[i].box.high[0])
            d->box[i] = moving_box_of(scene, i);
}
