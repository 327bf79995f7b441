#include "collide/detect_space.h"

#include <assert.h>
#include <string.h>

#include "collide/capsule_pairs.h"
#include "collide/distance_solid_space.h"
#include "collide/edge_touches.h"
#include "collide/mesh_space.h"
#include "collide/touch_merge_space.h"
#include "collide/touch_surface.h"
#include "math/vector3.h"

/* Pairs between two collections of their touches; most pairs have no more than KEPT, the others are done again then. */
enum { BLOCK = 8192, KEPT = 2 };
enum { WORTH_THREADS = 1024 }; /* pieces: below, waking threads takes longer than the work */

/* Of the margins: what comes no nearer than this in the step need not be known before the next one. */
static const double COME_NEAR = 0.5;

static const double PI = 3.14159265358979323846;

typedef struct owner_range {
    int32_t first, count;
    double turning; /* absolute turning of the whole owner */
} owner_range;

/* What the broad phase asks of a segment, close together: it asks often. */
typedef struct segment_key {
    int32_t owner;
    uint8_t flags;
    bool owner_closed;
    bool edge;
    double turned[2]; /* of the owner, at the start and the end of the segment */
} segment_key;

/* Segments with segments, solids, triangles of meshes. */
typedef struct job_list {
    int64_t count;
    int32_t *a, *b, *part; /* segment; segment or segments + solid; triangle */
} job_list;

/* Everything that the phases share. */
typedef struct detection {
    const cst_space_scene *scene;
    cst_placed_piece *placed;
    int segments;
    cst_segment *segment;
    segment_key *key; /* (segments + solids) */
    owner_range *owner;
    cst_capsule *capsule; /* (segments) margins included */
    cst_moving_box *box;  /* (solids) likewise */
    cst_pair_list pairs;
    job_list job;
    int threads;
} detection;

/* ----------------------------------------------------------------------------------------------------------------- rules */

static uint8_t flags_of(const cst_space_scene *scene, int32_t owner)
{
    return scene->owner_flags ? scene->owner_flags[owner] : 0;
}

static double piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static double solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

static bool may_touch(const void *user, int32_t a, int32_t b)
{
    const detection *d = user;
    const segment_key *p = &d->key[a], *q = &d->key[b];
    if (a >= d->segments || !cst_owners_touch(d->scene->apart, d->scene->aparts, p->owner, p->flags, q->owner, q->flags))
        return false;
    if (b < d->segments && (p->edge || q->edge))
        return false;
    if (p->owner != q->owner)
        return true;
    if (b >= d->segments)
        return false; /* a body's own solid is where its pieces are */
    const double most = q->turned[1] - p->turned[0], least = q->turned[0] - p->turned[1], half_turn = (1.0 - 1e-6) * PI;
    return most >= half_turn && (!p->owner_closed || d->owner[p->owner].turning - least >= half_turn);
}

static double turned_at(const cst_placed_piece *piece, double s)
{
    return piece->turned + piece->piece->curvature * s;
}

/* The same of a touch that was found. Half of it is asked for, so that rounding does not matter: neighbours have none. */
static bool real_touch(const detection *d, const cst_touch_space *touch)
{
    if (touch->b >= d->scene->pieces)
        return true;
    const cst_placed_piece *a = &d->placed[touch->a], *b = &d->placed[touch->b];
    if (a->piece->owner != b->piece->owner)
        return true;
    const double turning = turned_at(b, touch->s_b) - turned_at(a, touch->s_a);
    return turning >= 0.5 * PI && (!a->piece->owner_closed || d->owner[a->piece->owner].turning - turning >= 0.5 * PI);
}

/* ---------------------------------------------------------------------------------------------------------------- motion */

/* Where the point at s of a piece goes, but for the spread. */
static void piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way)
{
    const cst_piece_way *of = &scene->way[piece];
    const double length = scene->piece[piece].length, part = length > 0.0 ? s / length : 0.0;
    for (int k = 0; k < 3; ++k)
        way[k] = of->way[0][k] + part * (of->way[1][k] - of->way[0][k]);
}

static cst_capsule capsule_of(const detection *d, int32_t index)
{
    const cst_segment *segment = &d->segment[index];
    const cst_space_scene *scene = d->scene;
    cst_capsule out = {.radius = scene->piece[segment->piece].radius + segment->wide + piece_margin(scene, segment->piece)};
    double turn = 0.0;
    for (int k = 0; k < 3; ++k) {
        out.center[k] = 0.5 * (segment->line[0][k] + segment->line[1][k]);
        out.half[k] = 0.5 * (segment->line[1][k] - segment->line[0][k]);
    }
    if (!scene->way)
        return out;
    const cst_piece_way *way = &scene->way[segment->piece];
    piece_way_at(scene, segment->piece, cst_segment_s(segment, 0.5), out.way);
    for (int k = 0; k < 3; ++k) {
        const double half = 0.5 * (way->way[1][k] - way->way[0][k]) / d->placed[segment->piece].count;
        turn += half * half;
    }
    out.spread = sqrt(turn) + way->spread;
    return out;
}

/* The margins of a segment and of another, or of a solid. */
static double margin_of(const detection *d, int32_t a, int32_t b)
{
    const double own = piece_margin(d->scene, d->segment[a].piece);
    return own + (b < d->segments ? piece_margin(d->scene, d->segment[b].piece) : solid_margin(d->scene, b - d->segments));
}

/* How much farther than the margins nearest points are to be sought, of two that go by `way` relative to each other. */
static double beyond_margin(const detection *d, int32_t a, int32_t b, double way)
{
    return fmax(0.0, way - (1.0 - COME_NEAR) * margin_of(d, a, b));
}

/* The same of two segments, */
static double way_to_segment(const detection *d, int32_t a, int32_t b)
{
    double apart[3];
    if (!d->scene->way)
        return 0.0;
    cst_subtract3(d->capsule[a].way, d->capsule[b].way, apart);
    return beyond_margin(d, a, b, sqrt(cst_dot3(apart, apart)) + d->capsule[a].spread + d->capsule[b].spread);
}

/* of a segment and a solid. */
static double way_to_solid(const detection *d, int32_t a, int32_t solid)
{
    const cst_space_scene *scene = d->scene;
    const cst_segment *segment = &d->segment[a];
    double most = 0.0;
    if (!scene->way || !scene->solid_way)
        return 0.0;
    for (int end = 0; end < 2; ++end) {
        double mine[3], its[3], apart[3];
        piece_way_at(scene, segment->piece, cst_segment_s(segment, end), mine);
        cst_solid_way_at(&scene->solid[solid], &scene->solid_way[solid], segment->line[end], its);
        cst_subtract3(mine, its, apart);
        most = fmax(most, cst_dot3(apart, apart));
    }
    const double spread = scene->way[segment->piece].spread + scene->solid_way[solid].spread;
    return beyond_margin(d, a, d->segments + solid, sqrt(most) + spread);
}

/* Does a touch come within its margin by the motion of its points along the normal? */
static bool comes_near(const detection *d, const cst_touch_space *touch, double margin)
{
    const cst_space_scene *scene = d->scene;
    if (touch->gap < margin || !scene->way)
        return touch->gap < margin;
    double mine[3], its[3], apart[3], spread = scene->way[touch->a].spread;
    piece_way_at(scene, touch->a, touch->s_a, mine);
    if (touch->b < scene->pieces) {
        piece_way_at(scene, touch->b, touch->s_b, its);
        spread += scene->way[touch->b].spread;
    } else {
        const int32_t solid = touch->b - scene->pieces;
        cst_solid_way_at(&scene->solid[solid], &scene->solid_way[solid], touch->x_b, its);
        spread += scene->solid_way[solid].spread;
    }
    cst_subtract3(mine, its, apart);
    return touch->gap + cst_dot3(touch->normal, apart) - spread < COME_NEAR * margin;
}

/* ----------------------------------------------------------------------------------------------------------- preparation */

static void join_owner(const cst_space_scene *scene, cst_placed_piece *placed, owner_range *range)
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

/* Pieces of all owners, and how many segments they make. */
static bool place_pieces(detection *d)
{
    const cst_space_scene *scene = d->scene;
#pragma omp parallel for schedule(static) num_threads(d->threads)
    for (int i = 0; i < scene->pieces; ++i) {
        cst_place_piece(&scene->piece[i], &scene->curve[scene->piece[i].owner], &d->placed[i]);
        d->placed[i].usable = d->placed[i].usable && isfinite(piece_margin(scene, i));
    }
    int64_t sum = 0;
    for (int i = 0; i < scene->pieces; ++i) {
        const int32_t owner = scene->piece[i].owner;
        assert(owner >= 0 && owner < scene->owners);
        if (i == 0 || scene->piece[i - 1].owner != owner)
            d->owner[owner] = (owner_range){.first = i};
        ++d->owner[owner].count;
        d->placed[i].first = (int32_t)sum;
        sum += d->placed[i].count;
    }
    d->segments = (int)sum;
    return sum + scene->solids <= INT32_MAX;
}

static cst_box solid_box(const cst_solid *solid, double about)
{
    double center[3] = {0.0, 0.0, 0.0}, half[3] = {0.0, 0.0, 0.0};
    switch (solid->kind) {
    case CST_SOLID_PLANE: /* asked for apart */
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
    cst_moving_box out = {.box = solid_box(solid, solid_margin(scene, index))};
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

static int cut_pieces(detection *d)
{
    const cst_space_scene *scene = d->scene;
    int ignored = 0;
#pragma omp parallel for schedule(static) num_threads(d->threads) reduction(+ : ignored)
    for (int i = 0; i < scene->pieces; ++i) {
        cst_placed_piece *piece = &d->placed[i];
        cst_segment *segment = d->segment + piece->first;
        for (int j = 0; j < piece->count; ++j)
            segment[j].piece = i; /* even of one that is not used */
        if (piece->usable)
            cst_cut_piece(piece, i, segment);
        ignored += !piece->usable;
        for (int j = 0; j < piece->count; ++j)
            d->capsule[piece->first + j] = piece->usable ? capsule_of(d, piece->first + j) : (cst_capsule){.radius = -1.0};
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(d->threads)
    for (int i = 0; i < scene->owners; ++i)
        if (d->owner[i].count)
            join_owner(scene, d->placed, &d->owner[i]);
    for (int i = 0; i < scene->pieces; ++i) {
        const cst_placed_piece *piece = &d->placed[i];
        const double turn = scene->piece[i].curvature * scene->piece[i].length / piece->count;
        for (int j = 0; j < piece->count; ++j)
            d->key[piece->first + j] = (segment_key){.owner = scene->piece[i].owner,
                                                     .flags = flags_of(scene, scene->piece[i].owner),
                                                     .owner_closed = scene->piece[i].owner_closed,
                                                     .edge = scene->piece[i].edge,
                                                     .turned = {piece->turned + j * turn, piece->turned + (j + 1) * turn}};
    }
    for (int i = 0; i < scene->solids; ++i) {
        const cst_solid *solid = &scene->solid[i];
        const bool usable = cst_solid_usable(solid) && isfinite(solid_margin(scene, i));
        ignored += !usable;
        d->box[i] = usable ? moving_box_of(scene, i) : (cst_moving_box){.box = {.low = {1.0}, .high = {0.0}}};
        d->key[d->segments + i] = (segment_key){.owner = solid->owner, .flags = flags_of(scene, solid->owner)};
    }
    return ignored;
}

/* ------------------------------------------------------------------------------------------------------------------ jobs */

static bool near_plane(const detection *d, int32_t a, int32_t plane)
{
    const cst_solid *solid = &d->scene->solid[plane];
    const cst_segment *segment = &d->segment[a];
    if (solid->kind != CST_SOLID_PLANE || !d->placed[segment->piece].usable || !cst_solid_usable(solid) ||
        !isfinite(solid_margin(d->scene, plane)))
        return false;
    double n[3];
    const double low = fmin(cst_solid_distance(solid, segment->line[0], n), cst_solid_distance(solid, segment->line[1], n));
    const double reach =
        d->scene->piece[segment->piece].radius + segment->wide + margin_of(d, a, d->segments + plane) + way_to_solid(d, a, plane);
    return low < reach && may_touch(d, a, d->segments + plane);
}

/* Triangles that a segment may touch; out NULL: only how many. */
static int near_triangles(const detection *d, int32_t a, int32_t mesh, int32_t *out, int limit)
{
    const cst_solid *solid = &d->scene->solid[mesh];
    const cst_segment *segment = &d->segment[a];
    cst_segment local = *segment;
    for (int i = 0; i < 2; ++i) {
        double from[3];
        cst_subtract3(segment->line[i], solid->position, from);
        cst_apply_transposed3(solid->frame, from, local.line[i]);
    }
    const double depth = cst_mesh_space_closed(solid->mesh) ? d->scene->solid_depth : 0.0;
    const cst_box box = cst_segment_box(&local, d->scene->piece[segment->piece].radius + solid->rounding + depth +
                                                    margin_of(d, a, d->segments + mesh) + way_to_solid(d, a, mesh));
    return cst_mesh_space_near(solid->mesh, &box, out, limit);
}

static bool is_mesh(const detection *d, int32_t b)
{
    return b >= d->segments && d->scene->solid[b - d->segments].kind == CST_SOLID_MESH;
}

/* Jobs of one segment: counted, or filled from `to` on. */
static int64_t jobs_of(const detection *d, int32_t a, bool planes, int64_t to, bool fill)
{
    int64_t count = 0;
    for (int64_t i = d->pairs.row_start[a]; i < d->pairs.row_start[a + 1]; ++i) {
        const int32_t b = d->pairs.partner[i];
        int more = 1;
        if (is_mesh(d, b))
            more = near_triangles(d, a, b - d->segments, fill ? d->job.part + to + count : NULL, fill ? INT32_MAX : 0);
        else if (fill)
            d->job.part[to + count] = 0;
        for (int j = 0; fill && j < more; ++j) {
            d->job.a[to + count + j] = a;
            d->job.b[to + count + j] = b;
        }
        count += more;
    }
    for (int32_t i = 0; planes && i < d->scene->solids; ++i)
        if (near_plane(d, a, i)) {
            if (fill) {
                d->job.a[to + count] = a;
                d->job.b[to + count] = d->segments + i;
                d->job.part[to + count] = 0;
            }
            ++count;
        }
    return count;
}

static bool list_jobs(detection *d, cst_arena *arena)
{
    bool planes = false;
    for (int i = 0; i < d->scene->solids; ++i)
        planes = planes || d->scene->solid[i].kind == CST_SOLID_PLANE;
    int64_t *start = CST_TAKE(arena, int64_t, cst_roomy(d->segments + 1));
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(dynamic, 256) num_threads(d->threads)
    for (int a = 0; a < d->segments; ++a)
        start[a] = jobs_of(d, a, planes, 0, false);
    int64_t jobs = 0;
    for (int i = 0; i <= d->segments; ++i) {
        const int64_t here = start[i];
        start[i] = jobs;
        jobs += here;
    }
    d->job.count = jobs;
    d->job.a = CST_TAKE_RAW(arena, int32_t, cst_roomy(jobs));
    d->job.b = CST_TAKE_RAW(arena, int32_t, cst_roomy(jobs));
    d->job.part = CST_TAKE_RAW(arena, int32_t, cst_roomy(jobs));
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(dynamic, 256) num_threads(d->threads)
    for (int a = 0; a < d->segments; ++a)
        if (start[a + 1] > start[a])
            jobs_of(d, a, planes, start[a], true);
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- touches */

static double solid_distance(const void *user, const double *x, double *normal)
{
    return cst_solid_distance(user, x, normal);
}

static int do_job(const detection *d, int64_t index, cst_touch_space *out)
{
    const cst_space_scene *scene = d->scene;
    const int32_t seg_a = d->job.a[index], b = d->job.b[index];
    const cst_curve_side a = {.segment = &d->segment[seg_a], .piece = &d->placed[d->segment[seg_a].piece]};
    const int32_t piece_a = a.segment->piece;
    const double margin = margin_of(d, seg_a, b);
    cst_space_rules rules = {.flat = scene->flat};
    int count;
    int32_t shape_b;
    if (b < d->segments) {
        const cst_curve_side other = {.segment = &d->segment[b], .piece = &d->placed[d->segment[b].piece]};
        shape_b = other.segment->piece;
        rules.margin = margin + way_to_segment(d, seg_a, b);
        count = cst_touch_segments(&a, &other, &rules, out);
    } else {
        const int32_t solid = b - d->segments;
        shape_b = scene->pieces + solid;
        rules.margin = margin + way_to_solid(d, seg_a, solid);
        if (scene->solid[solid].kind == CST_SOLID_MESH) {
            const double depth = scene->solid_depth + rules.margin + a.piece->piece->radius;
            count = cst_touch_triangle(&a, &scene->solid[solid], d->job.part[index], depth, &rules, out);
        } else {
            const cst_surface_shape shape = {.distance = solid_distance,
                                             .user = &scene->solid[solid],
                                             .rounding = scene->solid[solid].rounding,
                                             .convex = true};
            count = cst_touch_surface(&a, &shape, &rules, out);
        }
    }
    int left = 0;
    for (int i = 0; i < count; ++i) {
        out[i].a = piece_a;
        out[i].b = shape_b;
        if (isfinite(out[i].gap) && real_touch(d, &out[i]) && comes_near(d, &out[i], margin))
            out[left++] = out[i];
    }
    return left;
}

/* Blocks of jobs, each to its own place; collected in order after each block, by one thread. */
static int find_touches(const detection *d, cst_detector *detector, cst_touch_space **out)
{
    cst_arena *arena = &detector->arena;
    size_t room = cst_roomy(detector->touches + CST_SPACE_TOUCHES_MAX);
    cst_touch_space *slot = CST_TAKE_RAW(arena, cst_touch_space, BLOCK * KEPT);
    uint8_t *count = CST_TAKE_RAW(arena, uint8_t, BLOCK);
    cst_touch_space *touch = CST_TAKE_RAW(arena, cst_touch_space, room);
    size_t total = 0;
    for (int64_t from = 0; from < d->job.count && !arena->failed; from += BLOCK) {
        const int size = d->job.count - from < BLOCK ? (int)(d->job.count - from) : BLOCK;
#pragma omp parallel for schedule(dynamic, 64) num_threads(d->threads)
        for (int i = 0; i < size; ++i) {
            cst_touch_space found[CST_SPACE_TOUCHES_MAX];
            const int here = do_job(d, from + i, found);
            count[i] = (uint8_t)here;
            memcpy(slot + (size_t)i * KEPT, found, (size_t)(here < KEPT ? here : KEPT) * sizeof *found);
        }
        size_t more = 0;
        for (int i = 0; i < size; ++i)
            more += count[i];
        if (total + more + CST_SPACE_TOUCHES_MAX > room) { /* a job that is done again writes all it may have */
            while (total + more + CST_SPACE_TOUCHES_MAX > room)
                room *= 2;
            cst_touch_space *larger = CST_TAKE_RAW(arena, cst_touch_space, room);
            if (!larger)
                break;
            memcpy(larger, touch, total * sizeof *touch);
            touch = larger;
        }
        for (int i = 0; i < size; ++i) {
            if (count[i] > KEPT)
                do_job(d, from + i, touch + total);
            else
                memcpy(touch + total, slot + (size_t)i * KEPT, count[i] * sizeof *touch);
            total += count[i];
        }
    }
    if (arena->failed || total > INT32_MAX)
        return -1;
    detector->touches = (int)total;
    *out = touch;
    return (int)total;
}

int cst_detect_space(cst_detector *detector, const cst_space_scene *scene, const cst_touch_space **out)
{
    cst_arena *arena = &detector->arena;
    cst_arena_release(arena, detector->empty);
    arena->failed = false;
    *out = NULL;
    detection d = {.scene = scene, .threads = scene->threads > 1 && scene->pieces >= WORTH_THREADS ? scene->threads : 1};
    d.placed = CST_TAKE_RAW(arena, cst_placed_piece, scene->pieces);
    d.owner = CST_TAKE(arena, owner_range, scene->owners);
    if (arena->failed || !place_pieces(&d))
        return -1;
    const size_t shapes = cst_roomy((int64_t)d.segments + scene->solids);
    d.segment = CST_TAKE_RAW(arena, cst_segment, shapes);
    d.key = CST_TAKE_RAW(arena, segment_key, shapes);
    d.capsule = CST_TAKE_RAW(arena, cst_capsule, shapes);
    d.box = CST_TAKE_RAW(arena, cst_moving_box, scene->solids);
    if (arena->failed)
        return -1;
    detector->ignored = cut_pieces(&d);
    const cst_capsule_scene near = {.capsules = d.segments,
                                    .capsule = d.capsule,
                                    .boxes = scene->solids,
                                    .box = d.box,
                                    .rule = may_touch,
                                    .user = &d,
                                    .threads = d.threads};
    if (!cst_near_capsules(&near, arena, &d.pairs) || !list_jobs(&d, arena))
        return -1;
    detector->pairs = d.job.count;
    cst_touch_space *touch = NULL;
    int touches = find_touches(&d, detector, &touch);
    if (touches > 0) {
        touches = cst_name_corners(scene, d.placed, touch, touches);
        touches = cst_merge_touches_space(d.placed, scene->pieces, touch, touches, arena);
    }
    if (touches > 0)
        touches = cst_merge_edge_touches(scene, touch, touches, arena);
    if (touches >= 0)
        *out = touch;
    return touches;
}

bool cst_touch_space_keep_side(const cst_space_scene *scene, const double *previous_normal, cst_touch_space *touch)
{
    if (!(touch->gap < 0.0) || cst_dot3(previous_normal, touch->normal) >= 0.0)
        return false;
    double radii = scene->piece[touch->a].radius;
    if (touch->b < scene->pieces) {
        radii += scene->piece[touch->b].radius;
    } else {
        const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
        if (solid->kind != CST_SOLID_MESH || cst_mesh_space_closed(solid->mesh))
            return false;
        radii += solid->rounding;
        cst_add3(-2.0 * solid->rounding, touch->normal, touch->x_b); /* the other face of the sheet */
    }
    for (int k = 0; k < 3; ++k)
        touch->normal[k] = -touch->normal[k];
    touch->gap = -touch->gap - 2.0 * radii;
    return true;
}
