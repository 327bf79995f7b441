#include "scene/define_space.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"
#include "scene/define.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------------------------------------------------------- rotations */

static void get_rotation_vector(const cst_json *object, const char *key, double *w)
{
    const cst_json *node = cst_given(object, key);
    if (!node || node->kind != CST_JSON_OBJECT) {
        cst_get_vector(object, key, w);
        return;
    }
    cst_get_vector(node, "axis", w);
    cst_normalise3(w);
    const double angle = cst_get_real(node, "angle");
    for (int k = 0; k < 3; k++)
        w[k] *= angle;
}

void cst_get_rotation(const cst_json *object, const char *key, double *R)
{
    double w[3];
    get_rotation_vector(object, key, w);
    cst_rotation_vector_exp(w, R);
}

void cst_frame_along(const double *direction, int axis, const double *hint, double *R)
{
    double first[3], second[3], third[3];
    memcpy(first, direction, sizeof first);
    cst_normalise3(first);
    double across = 0.0;
    if (hint) {
        memcpy(second, hint, sizeof second);
        const double length = cst_normalise3(second);
        cst_add3(-cst_dot3(second, first), first, second);
        across = length > 0.0 ? cst_normalise3(second) : 0.0;
    }
    if (!(across > 1e-9)) {
        cst_cross3((const double[]){0.0, 0.0, 1.0}, first, second);
        if (!(cst_normalise3(second) > 1e-9)) /* vertical direction: y */
            memcpy(second, (const double[]){0.0, 1.0, 0.0}, sizeof second);
    }
    cst_cross3(first, second, third);
    for (int k = 0; k < 3; k++) {
        R[3 * k + axis] = first[k];
        R[3 * k + (axis + 1) % 3] = second[k];
        R[3 * k + (axis + 2) % 3] = third[k];
    }
}

/* ------------------------------------------------------------------------------------------------------------------ motion */

cst_motion cst_define_space_motion(const cst_json *node, const double *start, cst_arena *scratch)
{
    cst_motion motion = cst_define_keys(node, get_rotation_vector, scratch);
    if (motion.keys > 0 && cst_given(node, "about")) {
        double about[3];
        cst_get_vector(node, "about", about);
        cst_subtract3(about, start, motion.about);
    }
    return motion;
}

cst_json *cst_named_obstacle(const cst_json *entry, const char *key)
{
    const char *name = cst_get_text(entry, key);
    const cst_json *root = entry->parent ? entry->parent->parent : NULL;
    const cst_json *list = root ? cst_given(root, "obstacles") : NULL;
    for (cst_json *node = list && list->kind == CST_JSON_ARRAY ? list->first : NULL; node && name; node = node->next) {
        const char *own = node->role ? cst_get_text(node, "name") : NULL;
        if (own && strcmp(own, name) == 0)
            return node;
    }
    return NULL;
}

cst_motion cst_define_obstacle_motion(const cst_json *obstacle, const double *start, cst_arena *scratch)
{
    const cst_json *leader = cst_given(obstacle, "moves_with") ? cst_named_obstacle(obstacle, "moves_with") : obstacle;
    const cst_json *node = leader ? cst_given(leader, "motion") : NULL;
    cst_motion motion = cst_define_space_motion(node, start, scratch);
    if (motion.keys > 0 && !cst_given(node, "about")) {
        double about[3];
        cst_get_vector(leader, "position", about);
        cst_subtract3(about, start, motion.about);
    }
    return motion;
}

/* -------------------------------------------------------------------------------------------------- rigid bodies, obstacles */

static void get_halves(const cst_json *node, const char *key, double *out)
{
    cst_get_vector(node, key, out);
    for (int k = 0; k < 3; k++)
        out[k] *= 0.5;
}

/* Returns the volume of a sphere, a capsule or a rounded box. The volume of a rounded box is that of the box plus those of the
 * rounded layers at its faces, edges and corners (Steiner's formula). */
static double rigid_volume(const cst_rigid_def *body)
{
    const double r = body->radius, ball = 4.0 / 3.0 * pi * r * r * r;
    const double a = 2.0 * body->size[0], b = 2.0 * body->size[1], c = 2.0 * body->size[2];
    if (body->shape == CST_RIGID_SPHERE)
        return ball;
    if (body->shape == CST_RIGID_CAPSULE)
        return pi * r * r * a + ball;
    return a * b * c + 2.0 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + ball;
}

static void get_inertia(const cst_json *node, double *inertia)
{
    const cst_json *given = cst_given(node, "inertia");
    memset(inertia, 0, 9 * sizeof *inertia);
    if (!given) {
        inertia[0] = CST_UNSET;
    } else if (given->first->kind == CST_JSON_ARRAY) {
        cst_get_points(given, inertia);
    } else {
        int k = 0;
        for (const cst_json *own = given->first; own; own = own->next, k += 4)
            inertia[k] = own->number;
    }
}

/* Shapes of rigid bodies and of obstacles, each list in the order of the shape names in schema_space.c. */
static const cst_rigid_shape rigid_shapes[] = {CST_RIGID_SPHERE, CST_RIGID_CAPSULE, CST_RIGID_BOX, CST_RIGID_MESH};
static const cst_obstacle_shape obstacle_shapes[] = {CST_OBSTACLE_PLANE, CST_OBSTACLE_SPHERE,   CST_OBSTACLE_CAPSULE,
                                                     CST_OBSTACLE_BOX,   CST_OBSTACLE_CYLINDER, CST_OBSTACLE_MESH,
                                                     CST_OBSTACLE_MESH,  CST_OBSTACLE_MESH};

/* Returns the index of the object's shape in the list of allowed shapes. The index is never -1 (not allowed), because a world is
 * built only from a scene without errors. */
static int shape_number(const cst_json *node)
{
    const int number = cst_get_choice(node, "shape");
    assert(number >= 0);
    return number;
}

cst_rigid_def cst_define_space_rigid(const cst_json *node, const cst_scene_body *body, cst_arena *scratch)
{
    (void)scratch;
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = rigid_shapes[shape_number(node)];
    def.radius = cst_get_real_or(node, "radius", cst_get_real(node, "rounding"));
    if (cst_given(node, "edges"))
        get_halves(node, "edges", def.size);
    def.size[0] = cst_given(node, "length") ? 0.5 * cst_get_real(node, "length") : def.size[0];
    if (def.shape != CST_RIGID_MESH)
        def.mass = cst_get_real_or(node, "mass", cst_get_real_or(node, "density", 0.0) * rigid_volume(&def));
    get_inertia(node, def.inertia_matrix);
    cst_get_vector(node, "position", def.position);
    cst_get_rotation(node, "rotation", def.frame);
    if (cst_given(node, "direction")) {
        double direction[3];
        cst_get_vector(node, "direction", direction);
        cst_frame_along(direction, 2, NULL, def.frame);
    }
    if (body) {
        double given[9], at[3];
        memcpy(given, def.frame, sizeof given);
        memcpy(at, def.position, sizeof at);
        cst_product3(body->frame, given, def.frame);
        cst_apply3(body->frame, at, def.position);
        cst_add3(1.0, body->shift, def.position);
    }
    cst_get_vector(node, "velocity", def.velocity);
    cst_get_vector(node, "angular_velocity", def.spin);
    cst_define_rigid_contact(node, &def);
    return def;
}

/* Sets the axis of a capsule or a cylinder from its two ends, or from centre, direction and length. */
static void define_axis(const cst_json *node, cst_obstacle_def *def)
{
    const cst_json *ends = cst_given(node, "ends");
    double direction[3];
    cst_get_vector(node, "direction", direction);
    def->size[0] = 0.5 * cst_get_real(node, "length");
    if (ends) {
        double end[6];
        cst_get_points(ends, end);
        cst_subtract3(end + 3, end, direction);
        def->size[0] = 0.5 * sqrt(cst_dot3(direction, direction));
        for (int k = 0; k < 3; k++)
            def->position[k] = 0.5 * (end[k] + end[3 + k]);
    }
    cst_frame_along(direction, 2, NULL, def->frame);
}

cst_obstacle_def cst_define_space_obstacle(const cst_json *node, cst_arena *scratch)
{
    cst_obstacle_def def = cst_obstacle_def_default();
    def.shape = obstacle_shapes[shape_number(node)];
    cst_get_vector(node, "position", def.position);
    cst_get_vector(node, "normal", def.normal);
    def.radius = cst_get_real(node, "radius");
    def.rounding = cst_get_real(node, "rounding");
    cst_get_rotation(node, "rotation", def.frame);
    if (def.shape == CST_OBSTACLE_CAPSULE || def.shape == CST_OBSTACLE_CYLINDER)
        define_axis(node, &def);
    if (cst_given(node, "edges"))
        get_halves(node, "edges", def.size);
    if (cst_given(node, "moves_with"))
        def.motion = cst_define_obstacle_motion(node, def.position, scratch);
    else
        def.motion = cst_define_space_motion(cst_given(node, "motion"), def.position, scratch);
    def.surface.friction = cst_get_real_or(node, "friction", CST_UNSET);
    def.surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
    return def;
}

cst_load_def cst_define_space_load(const cst_json *node, cst_arena *scratch)
{
    cst_load_def load = cst_define_load(node, scratch);
    cst_get_vector(node, "moment", load.moment);
    return load;
}
