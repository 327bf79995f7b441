#include "collide/space_pairs.h"

#include <math.h>
#include <string.h>

#include "collide/distance_solid_space.h"
#include "collide/fold.h"
#include "math/vector3.h"

static const double PI = 3.14159265358979323846;
/* ROUNDING: bound for the relative rounding error of a distance */
static const double ROUNDING = 1e-9;

/* Returns true if the contacts of the centreline piece a and the shape b are known from an earlier search. */
static bool is_known(const cst_space_search *d, int32_t a, int32_t b)
{
    return d->known && cst_kept_covers_pair(d->known, d->scene, a, b);
}

/* ----------------------------------------------------------------------------------------------------------------- rules */

static bool shapes_may_touch(const void *user, int32_t a, int32_t b)
{
    const cst_space_search *d = user;
    const cst_shape_key *p = &d->key[a], *q = &d->key[b];
    const bool solid = b >= d->scene->pieces;
    return cst_owners_touch(d->scene->apart, d->scene->aparts, p->owner, p->flags, q->owner, q->flags) &&
           /* a centreline is never tested against a solid of the same body, and an edge of a solid is tested only against
            * solids */
           !(solid ? p->owner == q->owner : p->edge || q->edge);
}

/* Returns true if the pieces a and b of one centreline may touch. The code assumes that two points of a centreline can touch only
 * if the tangent can turn by at least half a turn between them (at a fold, fold.h: a quarter turn). In a closed centreline, the
 * tangent must be able to turn by half a turn (at a fold, a quarter turn) also on the rest of the centreline, from piece b on to
 * piece a. `from`, `to`: angles (rad) by which the tangent can turn from the start of the centreline to the start of piece a, and
 * to the end of piece b. `least`: angle (rad) by which the tangent can turn from the end of piece a to the start of piece b. */
static bool far_by_turning(const cst_space_search *d, int32_t a, int32_t b, double from, double to, double least)
{
    const cst_shape_key *p = &d->key[a];
    /* the cheap test comes first: between most neighbouring pieces, the centreline turns by less than a quarter turn */
    if (to - from < 0.5 * (1.0 - 1e-6) * PI)
        return false;
    const double half_turn = (1.0 - 1e-6) * (cst_pieces_fold(&d->placed[a], &d->placed[b]) ? 0.5 * PI : PI);
    return to - from >= half_turn && (!p->owner_closed || d->owner[p->owner].turning - least >= half_turn);
}

/* Returns true if the centreline pieces a and b may touch and their contacts are not known from an earlier search. */
static bool pieces_may_touch(const void *user, int32_t a, int32_t b)
{
    const cst_space_search *d = user;
    const cst_shape_key *p = &d->key[a], *q = &d->key[b];
    const bool may = p->owner != q->owner ||
                     far_by_turning(d, a, b, p->turned[0], q->turned[1], a == b ? -q->turned[1] : q->turned[0] - p->turned[1]);
    return may && !is_known(d, a, b);
}

/* Returns an upper bound (rad) for the angle by which the centreline turns between its first point and the start (end = 0) or the
 * end (end = 1) of a segment. */
static double segment_turned(const cst_space_search *d, const cst_segment *segment, int end)
{
    const cst_shape_key *key = &d->key[segment->piece];
    return key->turned[0] + (segment->rank + end) * ((key->turned[1] - key->turned[0]) / d->placed[segment->piece].count);
}

/* Returns true if a segment may meet a solid in the step, judged by the distance between the solid and the middle of the segment.
 * The bounding box is not sufficient: most hairs in the bounding box of a head do not touch the head. */
static bool may_meet_solid(const cst_space_search *d, int32_t segment, int32_t solid)
{
    const cst_capsule *capsule = &d->capsule[segment];
    const cst_moving_box *box = &d->box[solid];
    double apart[3], n[3];
    if (d->scene->solid[solid].kind == CST_SOLID_MESH || d->scene->solid[solid].kind == CST_SOLID_PLANE)
        return true;
    cst_subtract3(box->way, capsule->way, apart);
    const double goes = sqrt(cst_dot3(apart, apart)) + capsule->spread + box->spread;
    const double reach =
        capsule->radius + cst_solid_margin(d->scene, solid) + sqrt(cst_dot3(capsule->half, capsule->half)) + goes;
    const double size = fabs(capsule->center[0]) + fabs(capsule->center[1]) + fabs(capsule->center[2]) + reach;
    return !(cst_solid_distance(&d->scene->solid[solid], capsule->center, n) > reach + ROUNDING * size);
}

bool cst_segments_may_touch(const void *user, int32_t a, int32_t b)
{
    const cst_space_search *d = user;
    if (a >= d->segments)
        return false;
    const cst_segment *mine = &d->segment[a];
    const int32_t shape = b < d->segments ? d->segment[b].piece : d->scene->pieces + b - d->segments;
    if (!shapes_may_touch(d, mine->piece, shape))
        return false;
    if (b >= d->segments)
        return may_meet_solid(d, a, b - d->segments) && !is_known(d, mine->piece, shape);
    if (d->key[mine->piece].owner != d->key[shape].owner)
        return true;
    const cst_segment *its = &d->segment[b];
    return far_by_turning(d, mine->piece, shape, segment_turned(d, mine, 0), segment_turned(d, its, 1),
                          segment_turned(d, its, 0) - segment_turned(d, mine, 1));
}

/* ----------------------------------------------------------------------------------------------------------- broad phase */

static double sag_of(const cst_piece *piece)
{
    return fmin(0.5, 0.125 * piece->curvature * piece->length) * piece->length;
}

static void course_of(const void *user, int32_t piece, cst_group_course *out)
{
    static const cst_piece_way rests = {.spread = 0.0};
    const cst_space_search *d = user;
    const cst_space_scene *scene = d->scene;
    const cst_placed_piece *placed = &d->placed[piece];
    out->at[0] = placed->end[0];
    for (int i = 1; i < CST_QUARTERS; ++i)
        out->at[i] = placed->inside[i - 1];
    out->at[CST_QUARTERS] = placed->end[1];
    out->way = scene->way ? &scene->way[piece] : &rests;
    out->reach = placed->usable ? scene->piece[piece].radius + cst_piece_margin(scene, piece) : -1.0;
    out->sag = sag_of(&scene->piece[piece]);
}

/* Sets `out` to the numbers that describe the shape of a centreline piece (cst_piece_shape.pose). If the body gives no numbers
 * for the shape of its pieces, out[0] is 0 for a straight piece and 1 for a bent piece. */
static void pose_of(const void *user, int32_t piece, double *out)
{
    const cst_space_search *d = user;
    const cst_placed_piece *placed = &d->placed[piece];
    memset(out, 0, CST_POSE * sizeof *out);
    if (d->scene->shape && placed->view->drift)
        memcpy(out, d->scene->shape[piece].pose, sizeof d->scene->shape[piece].pose);
    else
        out[0] = placed->straight ? 0.0 : 1.0;
}

static double drift_of(const void *user, int32_t piece, const double *was)
{
    const cst_space_search *d = user;
    const cst_placed_piece *placed = &d->placed[piece];
    if (d->scene->shape && placed->view->drift)
        return placed->view->drift(placed->piece->length, was, d->scene->shape[piece].pose);
    return placed->straight && was[0] == 0.0 ? 0.0 : INFINITY;
}

static void bow_of(const void *user, int32_t piece, double out[CST_QUARTERS - 1][3])
{
    const cst_placed_piece *placed = &((const cst_space_search *)user)->placed[piece];
    memset(out, 0, (CST_QUARTERS - 1) * sizeof *out);
    if (placed->view->bow && placed->usable)
        placed->view->bow(placed->view->user, placed->piece->feature, out);
}

/* Marks the centreline pieces near a plane, which the broad phase does not find because a plane has no bounding box. */
static void want_near_planes(const cst_space_search *d, uint8_t *wanted)
{
    const cst_space_scene *scene = d->scene;
    for (int32_t k = 0; k < scene->solids; ++k) {
        const cst_solid *solid = &scene->solid[k];
        if (solid->kind != CST_SOLID_PLANE || !cst_solid_usable(solid) || !isfinite(cst_solid_margin(scene, k)))
            continue;
        for (int i = 0; i < scene->pieces; ++i) {
            const cst_placed_piece *placed = &d->placed[i];
            const double sag = sag_of(&scene->piece[i]), s[2] = {0.0, scene->piece[i].length};
            double n[3], end[2][3];
            if (!placed->usable)
                continue;
            memcpy(end, placed->end, sizeof end);
            const double low = fmin(cst_solid_distance(solid, end[0], n), cst_solid_distance(solid, end[1], n));
            const double turn = scene->solid_way ? sqrt(cst_dot3(scene->solid_way[k].turn, scene->solid_way[k].turn)) : 0.0;
            const double reach = cst_pair_margin(scene, i, scene->pieces + k) + cst_beyond_solid(scene, i, s, end, k);
            wanted[i] |= low < scene->piece[i].radius + reach + (1.0 + turn) * sag;
        }
    }
}

bool cst_space_want(cst_space_search *d, const uint8_t *wanted, cst_detector *detector)
{
    if (!cst_space_cut(d, wanted, &detector->arena)) {
        detector->prepared = NULL; /* segments are counted but not computed */
        return false;
    }
    *detector->prepared = *d;
    detector->prepared_end = cst_arena_mark_now(&detector->arena);
    return true;
}

/* Cuts the marked centreline pieces into segments, and stores the capsules around the segments in `groups`. */
static bool cut_for(cst_space_search *d, const uint8_t *wanted, cst_detector *detector, cst_capsule_groups *groups)
{
    const bool cut = cst_space_want(d, wanted, detector);
    groups->first = d->first;
    groups->capsule = d->capsule;
    groups->wide = d->wide;
    return cut;
}

bool cst_space_pairs(cst_space_search *d, cst_detector *detector, cst_pair_list *out)
{
    const cst_space_scene *scene = d->scene;
    cst_kept_pairs *kept = &detector->pairs_kept;
    cst_arena *arena = &detector->arena;
    cst_capsule_groups groups = {.groups = scene->pieces,
                                 .course = course_of,
                                 .pose = pose_of,
                                 .drift = drift_of,
                                 .bow = bow_of,
                                 .boxes = scene->solids,
                                 .box = d->box,
                                 .rule = cst_segments_may_touch,
                                 .groups_touch = shapes_may_touch,
                                 .groups_now = pieces_may_touch,
                                 .user = d,
                                 .key = cst_apart_key(scene->apart, scene->aparts),
                                 .threads = d->threads};
    for (int i = 0; i < scene->pieces; ++i)
        cst_owner_key_add(&groups.key, d->key[i].owner, d->key[i].edge ? (uint8_t)~d->key[i].flags : d->key[i].flags);
    for (int i = scene->pieces; i < scene->pieces + scene->solids; ++i)
        cst_owner_key_add(&groups.box_key, d->key[i].owner, d->key[i].flags);
    kept->crowded = false;
    uint8_t *wanted = CST_TAKE(arena, uint8_t, scene->pieces);
    if (arena->failed)
        return false;
    const bool covered = cst_kept_pairs_cover(kept, &groups) || cst_kept_pairs_mend(kept, &groups, arena);
    if (!covered && (!cut_for(d, NULL, detector, &groups) || !cst_kept_pairs_make(kept, &groups, arena)))
        return false;
    kept->served += covered;
    cst_kept_pairs_want(kept, &groups, wanted);
    want_near_planes(d, wanted);
    return cut_for(d, wanted, detector, &groups) && cst_kept_pairs_list(kept, &groups, arena, out);
}
