/* Converts the fibers of a scene to structs cst_fiber_def. A scene gives either the stiffnesses of a fiber, or its cross-section
 * and its material. The initial shape of a fiber is given by curvatures, by points or by the name of a shape. */
#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"
#include "scene/define_space.h"
#include "scene/fiber_shapes.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

/* THINNEST: largest allowed ratio of the length of a named shape (for example a knot) to the contact radius of its fiber. Longer
 * shapes are refused, because the check that such a shape does not overlap itself would take more than a second. */
enum { THINNEST = 20000 };

static double polyline_length(const cst_json *points)
{
    double length = 0.0, before[3] = {0}, here[3];
    for (const cst_json *node = points->first; node; node = node->next) {
        cst_get_reals(node, here);
        if (node != points->first) {
            double step[3];
            cst_subtract3(here, before, step);
            length += sqrt(cst_dot3(step, step));
        }
        memcpy(before, here, sizeof before);
    }
    return length;
}

double cst_fiber_length(const cst_json *fiber)
{
    const cst_json *points = cst_given(fiber, "points");
    return cst_get_real_or(fiber, "length", points ? polyline_length(points) : 0.0);
}

/* Returns the array that the scene gives for the key `key`, with `each` (1 or 3) values per element, or NULL if the key is
 * missing or its array has another length. */
static double *element_array(const cst_json *fiber, const char *key, int elements, int each, cst_arena *scratch)
{
    const cst_json *node = cst_given(fiber, key);
    bool fits = node && node->kind == CST_JSON_ARRAY && node->count == elements;
    if (!fits || (each == 3) != (node->first->kind == CST_JSON_ARRAY))
        return NULL;
    double *value = CST_TAKE(scratch, double, (size_t)each *(size_t)elements);
    if (value && each == 3)
        cst_get_points(node, value);
    else if (value)
        cst_get_reals(node, value);
    return value;
}

static void define_section(const cst_json *node, cst_fiber_def *def, cst_arena *scratch)
{
    const cst_json *radius = cst_given(node, "radius"), *section = cst_given(node, "section");
    const cst_json *bending = cst_given(node, "bending_stiffness");
    def->element_radius = element_array(node, "radius", def->elements, 1, scratch);
    double contact = !radius ? 0.0 : radius->kind == CST_JSON_ARRAY ? radius->first->number : radius->number;
    double half[2] = {contact, contact};
    if (section && section->count == 2)
        cst_get_reals(section, half);
    cst_fiber_section(def, half[0], half[1], cst_get_real_or(node, "density", 0.0), cst_get_real_or(node, "young", 0.0),
                      cst_get_real_or(node, "shear_modulus", 0.0));
    def->radius = radius ? contact : def->radius;
    def->mass_per_length = cst_get_real_or(node, "mass_per_length", def->mass_per_length);
    def->stretching_stiffness = cst_get_real_or(node, "stretching_stiffness", def->stretching_stiffness);
    double *EI = def->bending_stiffness;
    if (bending && bending->kind == CST_JSON_NUMBER)
        EI[0] = EI[1] = bending->number;
    else if (bending && bending->count == 2)
        cst_get_reals(bending, EI);
    /* Twisting stiffness of a round or elliptic cross-section, from the bending stiffnesses EI1 and EI2 and Poisson's ratio
     * nu: 2 EI1 EI2 / ((EI1 + EI2) (1 + nu)). */
    if (!cst_given(node, "shear_modulus") && EI[0] > 0.0 && EI[1] > 0.0)
        def->twisting_stiffness = 2.0 * EI[0] * EI[1] / ((1.0 + cst_get_real(node, "poisson_ratio")) * (EI[0] + EI[1]));
    def->twisting_stiffness = cst_get_real_or(node, "twisting_stiffness", def->twisting_stiffness);
}

static void define_rest(const cst_json *node, cst_fiber_def *def, cst_arena *scratch)
{
    const cst_json *natural = cst_given(node, "natural_curvature"), *first = cst_given(node, "curvature");
    const cst_json *curl = cst_given(node, "curl");
    def->element_natural_curvature = element_array(node, "natural_curvature", def->elements, 3, scratch);
    if (natural && natural->first->kind == CST_JSON_NUMBER)
        cst_get_reals(natural, def->natural_curvature);
    if (curl) {
        const double r = cst_get_real(curl, "radius"), h = cst_get_real(curl, "pitch") / (2.0 * pi), square = r * r + h * h;
        def->natural_curvature[0] = h / square;
        def->natural_curvature[2] = r / square;
    }
    if (!first)
        return;
    double *curvature = element_array(node, "curvature", def->elements, 3, scratch);
    if (first->first->kind == CST_JSON_NUMBER) {
        curvature = CST_TAKE(scratch, double, 3 * (size_t)def->elements);
        for (int i = 0; curvature && i < def->elements; i++)
            cst_get_reals(first, curvature + 3 * i);
    }
    def->curvature = curvature;
}

/* Returns the points of a named shape (for example a knot) at the position of the fiber. If the parameters of the named shape are
 * not possible, returns NULL and sets *why to the reason. */
static const double *shape_points(const cst_json *shape, const cst_fiber_def *def, cst_arena *scratch, const char **why)
{
    static const struct {
        const char *key;
        size_t at;
    } numbers[] = {{"loop", offsetof(cst_fiber_shape_def, loop)},
                   {"post", offsetof(cst_fiber_shape_def, post)},
                   {"pitch", offsetof(cst_fiber_shape_def, pitch)},
                   {"angle", offsetof(cst_fiber_shape_def, angle)},
                   {"amplitude", offsetof(cst_fiber_shape_def, amplitude)},
                   {"wavelength", offsetof(cst_fiber_shape_def, wavelength)},
                   {"distance", offsetof(cst_fiber_shape_def, distance)},
                   {"clearance", offsetof(cst_fiber_shape_def, clearance)},
                   {"tail", offsetof(cst_fiber_shape_def, tail)}};
    cst_fiber_shape_def own = cst_fiber_shape_def_default((cst_fiber_shape_kind)cst_get_choice(shape, "kind"));
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        double *number = (double *)((char *)&own + numbers[k].at);
        *number = cst_get_real_or(shape, numbers[k].key, *number);
    }
    own.radius = def->radius;
    own.crossings = (int)cst_get_integer(shape, "crossings");
    own.equal_chords = def->model != CST_FIBER_SUPER_HELIX;
    own.mirrored = cst_get_bool(shape, "mirrored");
    own.reversed = cst_get_bool(shape, "reversed");
    memcpy(own.position, def->position, sizeof own.position);
    memcpy(own.frame, def->frame, sizeof own.frame);
    if (!(def->length <= THINNEST * def->radius)) {
        *why = "needs a radius of at least 1/20000 of the length: that no strand lies in another is looked up radius by radius";
        return NULL;
    }
    char message[256] = "";
    double *point = CST_TAKE(scratch, double, 3 * ((size_t)def->elements + 1));
    if (!point || cst_fiber_shape(&own, def->elements, def->length, point, message, sizeof message))
        return point;
    cst_text text = {.arena = scratch};
    cst_text_add(&text, "%s", message);
    *why = cst_text_all(&text);
    return NULL;
}

static const double *given_points(const cst_json *node, const cst_fiber_def *def, cst_arena *scratch)
{
    double *point = CST_TAKE(scratch, double, 3 * (size_t)node->count);
    if (!point)
        return NULL;
    cst_get_points(node, point);
    for (int i = 0; i < node->count; i++) {
        double *own = point + 3 * i, from[3];
        memcpy(from, own, sizeof from);
        cst_apply3(def->frame, from, own);
        cst_add3(1.0, def->position, own);
    }
    return point;
}

static void define_line(const cst_json *node, const cst_scene_body *body, cst_fiber_def *def, cst_arena *scratch,
                        const char **why)
{
    const cst_json *points = cst_given(node, "points"), *shape = cst_given(node, "shape");
    double direction[3] = {1.0, 0.0, 0.0}, normal[3];
    if (cst_given(node, "direction"))
        cst_get_vector(node, "direction", direction);
    if (cst_given(node, "normal"))
        cst_get_vector(node, "normal", normal);
    cst_frame_along(direction, 0, cst_given(node, "normal") ? normal : NULL, def->frame);
    cst_get_vector(node, "position", def->position);
    double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (body) {
        memcpy(turn, body->frame, sizeof turn);
        double given[9], at[3];
        memcpy(given, def->frame, sizeof given);
        memcpy(at, def->position, sizeof at);
        cst_product3(turn, given, def->frame);
        cst_apply3(turn, at, def->position);
        cst_add3(1.0, body->shift, def->position);
    }
    if (points && points->count == def->elements + 1) {
        double own[9];
        memcpy(own, def->frame, sizeof own);
        /* the scene gives the points of a fiber in axes parallel to the world axes: the frame of the fiber does not rotate them,
         * but a generator that makes rotated copies of the fiber does */
        memcpy(def->frame, turn, sizeof turn);
        def->point = given_points(points, def, scratch);
        memcpy(def->frame, own, sizeof own);
    } else if (shape && shape->role && def->elements > 0) {
        def->point = shape_points(shape, def, scratch, why);
    }
    if (!def->point)
        return;
    /* The root of the fiber is its first given point. The director d1 at the root is the axis d1 of the fiber's frame (key
     * "normal"), projected perpendicular to the chord between the first two points. */
    double chord[3], d1[3] = {def->frame[1], def->frame[4], def->frame[7]};
    cst_subtract3(def->point + 3, def->point, chord);
    memcpy(def->position, def->point, sizeof def->position);
    if (cst_dot3(chord, chord) > 0.0)
        cst_frame_along(chord, 0, d1, def->frame);
}

void cst_define_hair(cst_fiber_def *def, const cst_scene_body *body, const cst_strand *strand, cst_arena *scratch)
{
    memcpy(def->position, strand->position, sizeof def->position);
    memcpy(def->frame, strand->frame, sizeof def->frame);
    def->length = strand->length;
    def->curvature = strand->curvature;
    if (strand->curled)
        def->element_natural_curvature = strand->curvature;
    def->radius = strand->radius > 0.0 ? strand->radius : def->radius;
    if (body->scalp)
        def->root_motion = cst_define_obstacle_motion(body->scalp, def->position, scratch);
}

cst_fiber_def cst_define_fiber(const cst_json *node, const cst_scene_body *body, cst_arena *scratch, const char **why)
{
    const char *unused = NULL;
    const char **reason = why ? why : &unused;
    const cst_json *points = cst_given(node, "points");
    cst_fiber_def def = cst_fiber_def_default();
    *reason = NULL;
    def.model = (cst_fiber_model)cst_get_choice(node, "model");
    def.formulation = (cst_fiber_formulation)cst_get_choice(node, "formulation");
    def.elements = (int)cst_get_real_or(node, "elements", points ? points->count - 1 : 0);
    def.length = cst_fiber_length(node);
    define_section(node, &def, scratch);
    define_rest(node, &def, scratch);
    def.viscosity = cst_get_real(node, "damping_time");
    def.drag = cst_get_real(node, "drag");
    define_line(node, body, &def, scratch, reason);
    cst_get_vector(node, "velocity", def.velocity);
    cst_get_vector(node, "angular_velocity", def.angular_velocity);
    def.clamped = cst_get_bool(node, "clamped");
    def.sag_free = cst_get_bool(node, "sag_free");
    def.root_motion = body && body->scalp ? cst_define_obstacle_motion(body->scalp, def.position, scratch)
                                          : cst_define_space_motion(cst_given(node, "motion"), def.position, scratch);
    def.closed = cst_get_bool(node, "closed");
    def.explicit_step = cst_get_bool(node, "explicit_step");
    def.element_friction = element_array(node, "friction", def.elements, 1, scratch);
    def.surface.friction = def.element_friction ? CST_UNSET : cst_get_real_or(node, "friction", CST_UNSET);
    def.surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
    return def;
}

double *cst_fiber_outline(const cst_fiber_def *fiber, cst_arena *scratch)
{
    const int n = fiber->elements;
    double *point = CST_TAKE(scratch, double, 3 * ((size_t)n + 1));
    if (!point)
        return NULL;
    if (fiber->point) {
        memcpy(point, fiber->point, 3 * ((size_t)n + 1) * sizeof *point);
        return point;
    }
    const double *each = fiber->curvature ? fiber->curvature : fiber->element_natural_curvature;
    double R[9], h = n > 0 ? fiber->length / n : 0.0;
    memcpy(R, fiber->frame, sizeof R);
    memcpy(point, fiber->position, 3 * sizeof *point);
    for (int i = 0; i < n; i++) {
        const double *u = each ? each + 3 * i : fiber->natural_curvature;
        double turn[3] = {h * u[0], h * u[1], h * u[2]}, along[3], step[3], Q[9], next[9];
        cst_rotation_vector_mean(turn, (const double[]){h, 0.0, 0.0}, along);
        cst_apply3(R, along, step);
        memcpy(point + 3 * (i + 1), point + 3 * i, 3 * sizeof *point);
        cst_add3(1.0, step, point + 3 * (i + 1));
        cst_rotation_vector_exp(turn, Q);
        cst_product3(R, Q, next);
        memcpy(R, next, sizeof R);
    }
    return point;
}
