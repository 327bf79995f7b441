#include "scene/generate_hair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vector3.h"
#include "mesh/human_shape.h"
#include "rigid/obstacle.h"
#include "scene/check.h"
#include "scene/define_space.h"
#include "scene/scene_mesh.h"
#include "scene/sense.h"
#include "scene/values.h"

/* `reach` (m): distances of hair from obstacles are computed only up to this value */
static const double gap_of_radius = 0.1, reach = 0.08;
/* `root_rise`: a hair leaves the scalp in the direction t + root_rise n, with the unit normal n and a unit tangent t of the
 * scalp.
 * `tie_rise`: a hair leaves a hair tie in the direction t + tie_rise n, with the unit direction n of the tie and a unit vector t
 * perpendicular to n. */
static const double root_rise = 0.25, tie_rise = 1.5;
/* tie_spacing: the roots of a ponytail are tie_spacing * (d + g) apart, with the diameter d of a hair (or of a bundle of hairs)
 * and the gap g between hairs (key `gap`). */
static const double tie_spacing = 2.0;

bool cst_is_hair(const cst_json *generator)
{
    const char *type = generator->role ? cst_get_text(generator, "type") : NULL;
    return type && strcmp(type, "hair") == 0;
}

cst_json *cst_hair_scalp(const cst_json *generator)
{
    return cst_named_obstacle(generator, "scalp");
}

void cst_check_placed_by_generator(cst_json *fiber, const char *because, cst_mistakes *mistakes)
{
    static const char *const placing[] = {"position", "direction", "normal",   "curvature",       "points",
                                          "shape",    "motion",    "velocity", "angular_velocity"};
    for (size_t k = 0; k < sizeof placing / sizeof *placing; k++)
        if (cst_given(fiber, placing[k]))
            cst_mistake_at(mistakes, cst_given(fiber, placing[k]), "has no effect: %s", because);
    if (cst_get_choice(fiber, "model") > CST_FIBER_SUPER_HELIX)
        cst_mistake_at(mistakes, cst_given(fiber, "model"), "hair is laid as super-helices: expected \"super-helix\"");
    if (cst_given(fiber, "radius") && cst_given(fiber, "radius")->kind == CST_JSON_ARRAY)
        cst_mistake_at(mistakes, cst_given(fiber, "radius"), "hair is laid with one radius: expected a number");
}

void cst_check_hair(cst_json *generator, cst_mistakes *mistakes)
{
    cst_json *fiber = cst_given(cst_given(generator, "of"), "fiber"), *scalp = cst_hair_scalp(generator);
    const char *shape = scalp ? cst_get_text(scalp, "shape") : NULL;
    if (!fiber || !fiber->role) {
        cst_mistake_in(mistakes, generator, "of", "hair is made of fibers: expected {\"fiber\": {...}}");
        return;
    }
    if (shape && strcmp(shape, "mesh") != 0 && strcmp(shape, "head") != 0 && strcmp(shape, "bust") != 0)
        cst_mistake_at(mistakes, cst_given(generator, "scalp"),
                       "hair grows on a mesh, not on a %s: expected an obstacle of the shape "
                       "\"head\" or \"mesh\"",
                       shape);
    cst_check_placed_by_generator(fiber, "hair is laid by its generator and moves with its scalp", mistakes);
    cst_json *curl = cst_given(fiber, "curl"), *tie = cst_given(generator, "tie");
    if (curl && curl->role && cst_get_real(curl, "pitch") == 0.0)
        cst_mistake_in(mistakes, curl, "pitch", "is 0: hair that winds in a ring reaches nowhere; expected another number");
    if (curl && cst_get_integer(generator, "bundle") > 1)
        cst_mistake_in(mistakes, generator, "bundle", "curled hair is laid one by one: expected \"bundle\": 1, or no curl");
    if (tie && tie->role)
        cst_check_not_zero(cst_given(tie, "direction"), mistakes);
    cst_check_not_zero(cst_given(generator, "growth"), mistakes);
    if (tie && cst_given(generator, "growth"))
        cst_mistake_in(mistakes, generator, "growth", "has no effect on a ponytail: expected no tie, or no growth");
    if (!cst_get_bool(fiber, "clamped"))
        cst_mistake_in(mistakes, fiber, "clamped", "is missing: hair is held by its root; expected \"clamped\": true");
}

/* ----------------------------------------------------------------------------------------------------------------- obstacles */

/* All obstacles that hair must not penetrate, at the positions that the scene gives for them. The shapes of the hairs are
 * computed for these positions of the obstacles. If the prescribed motion of the scalp starts with a displacement, the computed
 * hair is then displaced with the scalp. */
typedef struct surroundings {
    cst_groom_mesh *mesh;
    cst_solid *solid;
    int meshes, solids;
    int scalp; /* index of the scalp in `mesh` */
} surroundings;

static void to_world(const cst_obstacle_def *def, cst_arena *arena, cst_groom_mesh *out)
{
    double *vertex = CST_TAKE(arena, double, 3 * (size_t)def->mesh.vertices);
    for (int i = 0; vertex && i < def->mesh.vertices; i++) {
        cst_apply3(def->frame, def->mesh.vertex + 3 * (size_t)i, vertex + 3 * (size_t)i);
        cst_add3(1.0, def->position, vertex + 3 * (size_t)i);
    }
    *out = (cst_groom_mesh){.vertex = vertex,
                            .triangle = def->mesh.triangle,
                            .vertices = def->mesh.vertices,
                            .triangles = def->mesh.triangles,
                            .rounding = def->rounding};
}

static bool add_solid(cst_obstacle_def *def, cst_arena *arena, surroundings *out, char *why, size_t size)
{
    cst_obstacle made;
    def->motion.keys = 0;
    if (!cst_obstacle_create(def, arena, &made, why, size))
        return false;
    cst_obstacle_solid(&made, 0.0, out->solid + out->solids++);
    cst_obstacle_destroy(&made);
    return true;
}

static bool look_around(const cst_scene *scene, const cst_json *scalp, cst_arena *arena, surroundings *out, char *why,
                        size_t size)
{
    const cst_json *list = cst_given(scene->root, "obstacles");
    *out = (surroundings){.mesh = CST_TAKE(arena, cst_groom_mesh, list->count), .solid = CST_TAKE(arena, cst_solid, list->count)};
    for (const cst_json *node = list->first; node && !arena->failed; node = node->next) {
        cst_obstacle_def def = cst_define_space_obstacle(node, arena);
        if (!cst_scene_add_obstacle_mesh(scene, node, &def, arena, why, size))
            return false;
        if (node == scalp && !def.mesh.closed) {
            snprintf(why, size, "hair grows on a closed mesh; this one is open");
            return false;
        }
        if (node == scalp)
            out->scalp = out->meshes;
        if (def.shape != CST_OBSTACLE_MESH) {
            if (!add_solid(&def, arena, out, why, size))
                return false;
        } else if (def.mesh.closed) { /* an open mesh has no inside, so the computed hair does not avoid it */
            to_world(&def, arena, out->mesh + out->meshes++);
        }
    }
    return !arena->failed;
}

/* ------------------------------------------------------------------------------------------------------------- where it grows */

typedef struct region {
    double position[3], frame[9], scale; /* pose and scale of the scalp */
    bool head;                           /* built-in head with its own hairline */
    bool cap;
    double center[3], axis[3], cosine;
} region;

static bool grows_in(const void *user, const double x[3])
{
    const region *r = user;
    double from[3], own[3];
    cst_subtract3(x, r->position, from);
    cst_apply_transposed3(r->frame, from, own);
    if (r->cap) {
        cst_subtract3(own, r->center, from);
        return cst_dot3(from, r->axis) >= r->cosine * sqrt(cst_dot3(from, from));
    }
    for (int k = 0; k < 3; k++)
        own[k] /= r->scale;
    return !r->head || cst_human_scalp(own);
}

static region region_of(const cst_json *generator, const cst_json *scalp, const cst_obstacle_def *def)
{
    region r = {.scale = cst_get_real(scalp, "scale"),
                .head = strcmp(cst_get_text(scalp, "shape"), "head") == 0,
                .cap = cst_given(generator, "opening") != NULL};
    memcpy(r.position, def->position, sizeof r.position);
    memcpy(r.frame, def->frame, sizeof r.frame);
    cst_get_vector(generator, "center", r.center);
    cst_get_vector(generator, "axis", r.axis);
    cst_normalise3(r.axis);
    r.cosine = cos(cst_get_real_or(generator, "opening", 0.0));
    return r;
}

typedef struct packed {
    double square;
    int a, b;
} packed;

static int by_distance(const void *left, const void *right)
{
    const packed *p = left, *q = right;
    if (p->square != q->square)
        return p->square < q->square ? -1 : 1;
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

/* Places the roots of a ponytail, in world axes, on a hexagonal lattice in a disk. The centre and the normal of this disk are the
 * position and the direction of the hair tie, which the scene gives in the axes of the scalp. */
static bool tie_roots(const cst_json *tie, const cst_obstacle_def *scalp, int count, double spacing, cst_arena *arena,
                      cst_root *root)
{
    const int rings = (int)(0.7 * sqrt((double)count)) + 2,
              side = 2 * rings + 1; /* a hexagonal lattice with `rings` rings has about 3 rings^2 points */
    packed *place = CST_TAKE(arena, packed, (size_t)side * (size_t)side);
    double at[3], along[3], direction[3], frame[9];
    if (!place)
        return false;
    for (int i = 0; i < side * side; i++) {
        const int a = i % side - rings, b = i / side - rings;
        place[i] = (packed){.square = a * a + a * b + b * b, .a = a, .b = b};
    }
    qsort(place, (size_t)side * (size_t)side, sizeof *place, by_distance);
    cst_get_vector(tie, "position", at);
    cst_get_vector(tie, "direction", along);
    cst_apply3(scalp->frame, along, direction);
    cst_normalise3(direction);
    cst_frame_along(direction, 2, NULL, frame);
    for (int i = 0; i < count; i++) {
        const double flat[3] = {spacing * (place[i].a + 0.5 * place[i].b), spacing * sqrt(0.75) * place[i].b, 0.0};
        double turned[3];
        cst_apply3(scalp->frame, at, root[i].x);
        cst_apply3(frame, flat, turned);
        cst_add3(1.0, turned, root[i].x);
        cst_add3(1.0, scalp->position, root[i].x);
        memcpy(root[i].normal, direction, sizeof direction);
    }
    return true;
}

/* Returns true if the hairs of a generator begin in a hair tie (as in the tail of a ponytail), and false if they begin on the
 * scalp. */
static bool begins_in_tie(const cst_json *generator)
{
    const cst_json *tie = cst_given(generator, "tie");
    return tie && cst_get_choice(tie, "part") == 0;
}

static cst_comb comb_of(const cst_scene *scene, const cst_json *generator, const cst_obstacle_def *def)
{
    cst_comb comb = {.parted = cst_given(generator, "parting") != NULL,
                     .parting = cst_get_real_or(generator, "parting", 0.0),
                     .side = cst_get_real(generator, "side"),
                     .back = cst_get_real(generator, "back"),
                     .rise = begins_in_tie(generator) ? tie_rise : root_rise};
    memcpy(comb.position, def->position, sizeof comb.position);
    memcpy(comb.frame, def->frame, sizeof comb.frame);
    cst_get_vector(generator, "whorl", comb.whorl);
    comb.grown = cst_given(generator, "growth") != NULL;
    if (comb.grown)
        cst_get_vector(generator, "growth", comb.growth);
    const cst_json *tie = cst_given(generator, "tie");
    comb.to_tie = tie && !begins_in_tie(generator);
    if (comb.to_tie) {
        double at[3];
        cst_get_vector(tie, "position", at);
        cst_apply3(def->frame, at, comb.tie);
        cst_add3(1.0, def->position, comb.tie);
        comb.tie_reach = cst_get_real(tie, "radius");
    }
    cst_get_vector(scene->root, "gravity", comb.down);
    if (!(cst_normalise3(comb.down) > 0.0))
        for (int k = 0; k < 3; k++)
            comb.down[k] = -def->frame[3 * k + 2];
    return comb;
}

static bool tell_crowded(const cst_groom_outcome *outcome, const cst_groom_def *groom, char *why, size_t size)
{
    snprintf(why, size,
             "of %d %s %d were laid, and %d found no way outside of the others; the worst overlaps by %.2g hair radii\nexpected "
             "fewer hairs, a smaller radius, or less gap",
             cst_groom_roots(groom->count, groom->bundle), groom->bundle > 1 ? "bundles" : "hairs", outcome->laid,
             outcome->crowded, outcome->deepest / groom->radius);
    return false;
}

const cst_strand *cst_scene_lay_hair(const cst_scene *scene, const cst_json *generator, const cst_taken **taken, cst_arena *arena,
                                     char *why, size_t size)
{
    const cst_json *scalp = cst_hair_scalp(generator), *fiber = cst_given(cst_given(generator, "of"), "fiber");
    const int count = (int)cst_get_integer(generator, "count");
    const cst_obstacle_def placed = cst_define_space_obstacle(scalp, arena);
    const cst_fiber_def hair = cst_define_fiber(fiber, NULL, arena, NULL);
    const region grows = region_of(generator, scalp, &placed);
    surroundings around;
    snprintf(why, size, "out of memory");
    if (!look_around(scene, scalp, arena, &around, why, size))
        return NULL;
    cst_groom_field *field = cst_groom_field_new(around.mesh, around.meshes, around.solid, around.solids, reach, arena);
    const int bundle = (int)cst_get_integer(generator, "bundle"), roots = cst_groom_roots(count, bundle);
    cst_root *root = CST_TAKE(arena, cst_root, roots);
    cst_strand *strand = CST_TAKE(arena, cst_strand, count);
    if (!field || !root || !strand)
        return NULL;
    const cst_scalp where = {.mesh = around.mesh + around.scalp, .grows = grows_in, .user = &grows};
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)cst_get_integer(generator, "seed"), (uint64_t)generator->index);
    const cst_json *curl = cst_given(fiber, "curl");
    const double gap = cst_get_real_or(generator, "gap", gap_of_radius * hair.radius);
    const double tube = bundle > 1 ? cst_groom_tube(bundle, hair.radius, gap) : hair.radius;
    double separation = tie_spacing * (2.0 * tube + gap);
    if (begins_in_tie(generator)) {
        if (!tie_roots(cst_given(generator, "tie"), &placed, roots, separation, arena, root))
            return NULL;
    } else if (!cst_roots_spread(&where, roots, &rng, arena, root, &separation)) {
        if (!arena->failed)
            snprintf(why, size, "no hair grows on the scalp: expected a wider opening, or another axis");
        return NULL;
    }
    const cst_groom_def groom = {.comb = comb_of(scene, generator, &placed),
                                 .root = root,
                                 .count = count,
                                 .elements = hair.elements,
                                 .length = hair.length,
                                 .length_variation = cst_get_real(generator, "length_variation"),
                                 .radius = hair.radius,
                                 .gap = gap,
                                 .bundle = bundle,
                                 .earlier = *taken,
                                 .tie = begins_in_tie(generator) ? root : NULL, /* root[0]: middle of the tie */
                                 .curl_radius = curl ? cst_get_real(curl, "radius") : 0.0,
                                 .curl_pitch = curl ? cst_get_real(curl, "pitch") : 0.0,
                                 .wisps = (int)cst_get_integer(generator, "wisps"),
                                 .tightness = cst_get_real(generator, "tightness")};
    if (separation < 2.0 * tube + gap) {
        snprintf(why, size,
                 "%d roots on this scalp are only %.3g m apart, less than what is laid there and the gap (%.3g m)\nexpected "
                 "fewer hairs or a "
                 "smaller radius",
                 roots, separation, 2.0 * tube + gap);
        return NULL;
    }
    cst_groom_outcome outcome;
    if (!cst_groom_lay(&groom, field, &rng, arena, strand, &outcome))
        return NULL;
    *taken = outcome.taken;
    return outcome.crowded == 0 || tell_crowded(&outcome, &groom, why, size) ? strand : NULL;
}
