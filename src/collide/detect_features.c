#include "collide/detect_features.h"

#include <math.h>

#include "base/merge_sort.h"
#include "collide/broad_phase.h"
#include "collide/feature_merge.h"
#include "collide/feature_prune.h"
#include "collide/feature_span.h"

/* Constants of the contact search:
 *     MARGIN: contact margin of two bodies without rounding radius, as a share of the thinner body's thickness. The card houses
 *     and arches of scenes/rigid are stable with contact margins of 0.05, 0.1 and 0.2 of a card's thickness.
 *     DEPTH: largest penetration at which two features (vertices, edges or faces) that do not cross during the motion get a
 *     contact, as a share of the thinner body's thickness.
 *     SAME: two contacts of solids with nearly equal normals are merged if they are at most SAME times the thinner body's
 *     thickness apart (feature_merge.h).
 *     SAME_OF_SHEETS: two contacts of a sheet with nearly equal normals are merged if they are at most SAME_OF_SHEETS times the
 *     thinner body's thickness apart (feature_prune.h; scenes/cloth/house_of_cards.json).
 *     LITTLE_OF_SHEETS: redundant contacts of a sheet with a round body are removed (feature_span.h) only if the round surface
 *     rises above a triangle of the sheet by less than LITTLE_OF_SHEETS times the thinner body's thickness.
 *     ROUND_MARGIN: part of the contact margin that depends on the rounding radii of the two bodies, as a share of their sum.
 *     SHEET: thickness that is assumed if neither body has a thickness, as a share of the size of the smaller body. */
static const double MARGIN = 0.1, DEPTH = 0.4, SAME = 0.05, ROUND_MARGIN = 0.25, SHEET = 0.1, SAME_OF_SHEETS = 0.1,
                    LITTLE_OF_SHEETS = 0.25;

void cst_feature_detector_begin(cst_feature_detector *detector, const cst_allocator *allocator)
{
    cst_arena_begin(&detector->arena, allocator);
    cst_arena_begin(&detector->scratch, allocator);
    cst_arena_begin(&detector->kept, allocator);
}

void cst_feature_detector_end(cst_feature_detector *detector)
{
    cst_arena_end(&detector->arena);
    cst_arena_end(&detector->scratch);
    cst_arena_end(&detector->kept);
}

/* Shapes are numbered: bodies, then cylinders. */
typedef struct search {
    const cst_feature_scene *scene;
    /* array (bodies): for a small mesh, the world positions of all its vertices, edges and faces; for a large mesh, an empty
     * entry with body = NULL */
    cst_feature_patch *patch;
    cst_pair_list pairs;
    int32_t *first; /* array (count): first shape of each pair; the second shape of the pair is in pairs.partner */
    int64_t count;
    int threads;
} search;

static int32_t owner_of(const cst_feature_scene *scene, int32_t shape)
{
    return shape < scene->bodies ? scene->body[shape].owner : scene->cylinder[shape - scene->bodies].owner;
}

static bool owners_touch(const cst_feature_scene *scene, int32_t one, int32_t two)
{
    return one != two &&
           cst_owners_touch(scene->apart, scene->aparts, one, scene->owner_flags[one], two, scene->owner_flags[two]);
}

static bool may_touch(const void *user, int32_t a, int32_t b)
{
    const cst_feature_scene *scene = user;
    return a < scene->bodies && owners_touch(scene, owner_of(scene, a), owner_of(scene, b));
}

/* ----------------------------------------------------------------------------------------------------------------- scale */

static double thinner(const cst_feature_mesh *a, const cst_feature_mesh *b)
{
    const double thickness = fmin(a->thickness, b ? b->thickness : HUGE_VAL);
    if (thickness < HUGE_VAL)
        return thickness;
    const double size = fmin(a->size > 0.0 ? a->size : HUGE_VAL, b && b->size > 0.0 ? b->size : HUGE_VAL);
    return size < HUGE_VAL ? SHEET * size : 0.0;
}

double cst_feature_length(const cst_feature_mesh *a, double rounding_a, const cst_feature_mesh *b, double rounding_b)
{
    const double rounding = rounding_a > 0.0 && rounding_b > 0.0 ? fmin(rounding_a, rounding_b) : fmax(rounding_a, rounding_b);
    return rounding > 0.0 ? rounding : 0.5 * thinner(a, b);
}

static cst_feature_rules rules_of(const cst_feature_scene *scene, const cst_feature_body *a, const cst_feature_mesh *mesh,
                                  double rounding)
{
    const double thickness = thinner(a->mesh, mesh);
    const bool soft = mesh && mesh->soft;
    /* The contact margin of a sheet and a solid is computed as if the solid had the rounding radius of the sheet. A ball is a
     * single vertex whose rounding radius is the radius of the ball. If the contact margin were a quarter of the ball's radius, a
     * large ball would have contacts with all vertices of a nearby sheet. */
    const double rounding_a = soft && !a->mesh->soft ? rounding : a->rounding;
    const double rounding_b = a->mesh->soft && !soft ? a->rounding : rounding;
    return (cst_feature_rules){.pose = scene->pose,
                               .margin = scene->margin > 0.0 ? scene->margin
                                                             : MARGIN * thickness + ROUND_MARGIN * (rounding_a + rounding_b),
                               .depth = DEPTH * thickness};
}

/* ----------------------------------------------------------------------------------------------------------------- pairs */

static bool patch_of(const search *s, int32_t body, const cst_box *other, double reach, cst_arena *arena, cst_feature_patch *out)
{
    if (s->patch[body].body) {
        *out = s->patch[body];
        return true;
    }
    cst_box box = *other;
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= reach;
        box.high[k] += reach;
    }
    return cst_feature_patch_near(s->scene->body + body, &box, arena, out);
}

/* Removes duplicate and redundant contacts of two bodies (feature_merge.h, feature_prune.h, feature_span.h). The contacts of the
 * two bodies are the entries of the list `heap` from the index `before` on. If b is NULL, the second body is a cylinder with the
 * radius `radius`. */
static bool merge(cst_touch_heap *heap, int before, const cst_feature_body *a, const cst_feature_body *b, double radius,
                  cst_arena *scratch)
{
    const double thickness = thinner(a->mesh, b ? b->mesh : NULL);
    const bool soft_a = a->mesh->soft, soft_b = b && b->mesh->soft;
    cst_feature_touch *touch = heap->touch + before;
    int left = heap->count - before;
    if (soft_a != soft_b) {
        const cst_feature_body *sheet = soft_a ? a : b, *other = soft_a ? b : a;
        left = cst_feature_span(touch, left, sheet->mesh, sheet->owner, other ? other->rounding : radius,
                                LITTLE_OF_SHEETS * thickness, scratch);
    }
    if (left >= 0)
        left = soft_a || soft_b ? cst_feature_prune(touch, left, SAME_OF_SHEETS * thickness, scratch)
                                : cst_feature_merge(touch, left, SAME * thickness, scratch);
    heap->count = left < 0 ? before : before + left;
    return left >= 0;
}

static bool touch_bodies(const search *s, int32_t a, int32_t b, cst_arena *scratch, cst_touch_heap *heap)
{
    const cst_feature_body *one = s->scene->body + a, *two = s->scene->body + b;
    const cst_feature_rules rules = rules_of(s->scene, one, two->mesh, two->rounding);
    const double reach = rules.margin + rules.depth;
    const cst_box box_a = cst_feature_body_box(one), box_b = cst_feature_body_box(two);
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_feature_patch patch_a, patch_b;
    const int before = heap->count;
    const bool done = patch_of(s, a, &box_b, reach, scratch, &patch_a) && patch_of(s, b, &box_a, reach, scratch, &patch_b) &&
                      cst_feature_touches(&patch_a, &patch_b, &rules, s->threads, scratch, heap) &&
                      merge(heap, before, one, two, 0.0, scratch);
    cst_arena_release(scratch, mark);
    return done;
}

static bool touch_self(const search *s, int32_t a, cst_arena *scratch, cst_touch_heap *heap)
{
    const cst_feature_body *body = s->scene->body + a;
    if (!body->mesh->soft || !(s->scene->owner_flags[body->owner] & CST_OWNER_SELF_CONTACT))
        return true;
    const cst_feature_rules rules = rules_of(s->scene, body, body->mesh, body->rounding);
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_feature_patch patch = s->patch[a];
    const int before = heap->count;
    const bool done = (patch.body || cst_feature_patch_whole(body, scratch, &patch)) &&
                      cst_feature_self_touches(&patch, &rules, s->threads, scratch, heap) &&
                      merge(heap, before, body, body, 0.0, scratch);
    cst_arena_release(scratch, mark);
    return done;
}

static bool touch_cylinder(const search *s, int32_t a, int32_t cylinder, cst_arena *scratch, cst_touch_heap *heap)
{
    const cst_feature_body *one = s->scene->body + a;
    const cst_moving_cylinder *two = s->scene->cylinder + cylinder;
    const cst_feature_rules rules = rules_of(s->scene, one, NULL, two->rounding);
    const cst_box box = cst_moving_cylinder_box(two);
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_feature_patch patch;
    const int before = heap->count;
    const bool done = patch_of(s, a, &box, rules.margin + rules.depth, scratch, &patch) &&
                      cst_feature_cylinder_touches(&patch, two, &rules, heap) &&
                      merge(heap, before, one, NULL, two->radius + two->rounding, scratch);
    cst_arena_release(scratch, mark);
    return done;
}

static bool touch_planes(const search *s, int32_t a, cst_arena *scratch, cst_touch_heap *heap)
{
    const cst_feature_scene *scene = s->scene;
    const cst_feature_body *body = scene->body + a;
    for (int i = 0; i < scene->planes; ++i) {
        if (!owners_touch(scene, body->owner, scene->plane[i].owner))
            continue;
        const cst_feature_rules rules = rules_of(scene, body, NULL, 0.0);
        const cst_arena_mark mark = cst_arena_mark_now(scratch);
        cst_feature_patch patch = s->patch[a];
        const bool done = (patch.body || cst_feature_patch_whole(body, scratch, &patch)) &&
                          cst_feature_plane_touches(&patch, scene->plane + i, &rules, heap);
        cst_arena_release(scratch, mark);
        if (!done)
            return false;
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- together */

/* Returns the length (m) by which the bounding box of a body is widened on all sides: the contact margin of this body and a body
 * without rounding radius, plus the largest penetration at which vertices, edges and faces get a contact. In a pair of bodies,
 * the rounding radius of each body widens only its own bounding box. */
static double wide_of_body(const cst_feature_scene *scene, const cst_feature_body *body)
{
    const cst_feature_rules rules = rules_of(scene, body, NULL, 0.0);
    return rules.margin + rules.depth;
}

static bool find_pairs(search *s, cst_arena *arena, int threads)
{
    const cst_feature_scene *scene = s->scene;
    const int shapes = scene->bodies + scene->cylinders;
    cst_box *box = CST_TAKE_RAW(arena, cst_box, shapes);
    s->patch = CST_TAKE(arena, cst_feature_patch, scene->bodies);
    if (arena->failed)
        return false;
    for (int i = 0; i < shapes; ++i) {
        box[i] = i < scene->bodies ? cst_feature_body_box(scene->body + i)
                                   : cst_moving_cylinder_box(scene->cylinder + (i - scene->bodies));
        const double wide =
            i < scene->bodies ? wide_of_body(scene, scene->body + i) : ROUND_MARGIN * scene->cylinder[i - scene->bodies].rounding;
        for (int k = 0; k < 3; ++k) {
            box[i].low[k] -= wide;
            box[i].high[k] += wide;
        }
        if (i < scene->bodies && scene->body[i].mesh->faces <= CST_PATCH_WHOLE &&
            !cst_feature_patch_whole(scene->body + i, arena, s->patch + i))
            return false;
    }
    if (!cst_overlapping_boxes(box, shapes, may_touch, scene, threads, arena, &s->pairs))
        return false;
    s->count = s->pairs.row_start[shapes];
    s->first = CST_TAKE_RAW(arena, int32_t, cst_roomy(s->count));
    if (arena->failed)
        return false;
    for (int32_t a = 0; a < shapes; ++a)
        for (int64_t i = s->pairs.row_start[a]; i < s->pairs.row_start[a + 1]; ++i)
            s->first[i] = a;
    return true;
}

static bool touch_all(const search *s, cst_arena *scratch, cst_touch_heap *heap)
{
    const cst_feature_scene *scene = s->scene;
    for (int64_t i = 0; i < s->count; ++i) {
        const int32_t a = s->first[i], b = s->pairs.partner[i];
        const bool done =
            b < scene->bodies ? touch_bodies(s, a, b, scratch, heap) : touch_cylinder(s, a, b - scene->bodies, scratch, heap);
        if (!done)
            return false;
    }
    for (int a = 0; a < scene->bodies; ++a)
        if (!touch_planes(s, a, scratch, heap) || !touch_self(s, a, scratch, heap))
            return false;
    return true;
}

static void start_again(cst_arena *arena)
{
    cst_arena_release(arena, (cst_arena_mark){0});
    arena->failed = false;
}

int cst_detect_features(cst_feature_detector *detector, const cst_feature_scene *scene, const cst_feature_touch **out)
{
    *out = NULL;
    if (scene->bodies == 0)
        return 0;
    start_again(&detector->arena);
    start_again(&detector->scratch);
    start_again(&detector->kept);
    search s = {.scene = scene, .threads = scene->threads > 1 ? scene->threads : 1};
    cst_touch_heap heap = {.arena = &detector->kept};
    if (!find_pairs(&s, &detector->arena, s.threads) || !touch_all(&s, &detector->scratch, &heap))
        return -1;
    cst_feature_touch *room = CST_TAKE_RAW(&detector->kept, cst_feature_touch, cst_roomy(heap.count));
    if (!room)
        return -1;
    if (heap.count > 0)
        cst_merge_sort(heap.touch, room, (size_t)heap.count, sizeof *room, cst_feature_touch_compare);
    *out = heap.touch;
    return heap.count;
}
