#include "scene/sense.h"

#include <math.h>

#include "math/vector3.h"
#include "scene/check.h"
#include "scene/define_space.h"
#include "scene/generate_strands.h"
#include "scene/values.h"

static bool is_array(const cst_json *node)
{
    return node && node->kind == CST_JSON_ARRAY;
}

void cst_check_space_turn(cst_json *object, cst_mistakes *mistakes)
{
    const cst_json *turn = object && object->role ? cst_given(object, "rotation") : NULL;
    if (turn && turn->kind == CST_JSON_OBJECT)
        cst_check_not_zero(cst_given(turn, "axis"), mistakes);
}

void cst_check_space_motion(cst_json *motion, cst_mistakes *mistakes)
{
    cst_check_motion(motion, mistakes);
    const cst_json *keys = motion ? cst_given(motion, "keys") : NULL;
    for (cst_json *key = is_array(keys) ? keys->first : NULL; key; key = key->next)
        cst_check_space_turn(key, mistakes);
}

/* ------------------------------------------------------------------------------------------------------------------ fibers */

/* Checks that arrays with one value per element have as many values as the fiber has elements, and that the array "points" has
 * one point more. */
static void check_lengths(cst_json *fiber, int elements, cst_mistakes *mistakes)
{
    static const char *const keys[] = {"radius", "friction", "natural_curvature", "curvature"};
    for (int k = 0; k < 4; k++) {
        cst_json *node = cst_given(fiber, keys[k]);
        bool triples = k >= 2;
        if (!is_array(node) || (triples && node->count > 0 && node->first->kind != CST_JSON_ARRAY) || node->count == elements)
            continue;
        cst_mistake_at(mistakes, node, "expected %d %s, one per element; found %d", elements,
                       triples ? "triples [twist, k1, k2]" : "numbers", node->count);
    }
    cst_json *points = cst_given(fiber, "points");
    if (points && points->count != elements + 1)
        cst_mistake_at(mistakes, points, "expected %d points, one more than elements; found %d", elements + 1, points->count);
}

static void check_pair_of(cst_json *node, const char *what, cst_mistakes *mistakes)
{
    if (is_array(node) && node->count != 2)
        cst_mistake_at(mistakes, node, "expected two numbers %s; found %d", what, node->count);
}

/* Checks that the cross-section of a fiber is given. If a density or an elastic modulus is given without the key "section",
 * checks that the radius is one number for all elements. Also checks that the keys of the fiber fit its model. */
static void check_section(cst_json *fiber, cst_mistakes *mistakes)
{
    cst_json *section = cst_given(fiber, "section"), *radius = cst_given(fiber, "radius");
    cst_json *density = cst_given(fiber, "density"), *young = cst_given(fiber, "young");
    cst_json *shear = cst_given(fiber, "shear_modulus");
    if (!cst_key_present(fiber, "radius") && !cst_key_present(fiber, "section"))
        cst_mistake_in(mistakes, fiber, "radius", "is missing: expected a number > 0 in m, or section of an ellipse");
    check_pair_of(section, "[a, b]", mistakes);
    check_pair_of(cst_given(fiber, "bending_stiffness"), "[about d1, about d2]", mistakes);
    if (section && !density && !young && !shear && radius)
        cst_mistake_at(mistakes, section, "has no effect: expected young, shear_modulus or density beside it");
    if (is_array(radius) && !section && (density || young || shear))
        cst_mistake_at(mistakes,
                       density ? density
                       : young ? young
                               : shear,
                       "needs one radius for all elements: expected section beside it, or %s",
                       density ? "mass_per_length" : "stiffnesses");
    cst_json *stretch = cst_given(fiber, "stretching_stiffness");
    const char *model = cst_get_text(fiber, "model");
    int kind = cst_get_choice(fiber, "model");
    if (stretch && kind == CST_FIBER_SUPER_HELIX)
        cst_mistake_at(mistakes, stretch, "has no effect: a super helix does not stretch");
    cst_json *explicit_step = cst_given(fiber, "explicit_step"), *formulation = cst_given(fiber, "formulation");
    if (explicit_step && explicit_step->truth && kind != CST_FIBER_CORDE && kind >= 0)
        cst_mistake_at(mistakes, explicit_step, "is for the model \"corde\", not for \"%s\"", model ? model : "super-helix");
    if (formulation && kind > CST_FIBER_SUPER_HELIX)
        cst_mistake_at(mistakes, formulation, "is for the model \"super-helix\", not for \"%s\"", model);
}

/* Checks that the initial shape of a fiber is given in only one way, that the vectors "direction" and "normal" are not zero, that
 * they are not parallel (checked only without points), and that consecutive points differ. */
static void check_line(cst_json *fiber, cst_mistakes *mistakes)
{
    cst_json *direction = cst_given(fiber, "direction"), *normal = cst_given(fiber, "normal");
    cst_json *points = cst_given(fiber, "points"), *shape = cst_given(fiber, "shape");
    cst_json *curvature = cst_given(fiber, "curvature");
    cst_check_not_zero(direction, mistakes);
    cst_check_not_zero(normal, mistakes);
    if (points && direction)
        cst_mistake_at(mistakes, direction, "has no effect: the points say where it goes");
    if ((points || shape) && curvature)
        cst_mistake_at(mistakes, curvature, "has no effect: %s say%s where it goes", points ? "the points" : "the shape",
                       points ? "" : "s");
    if (cst_given(fiber, "normal") && !points) {
        double t[3] = {1.0, 0.0, 0.0}, d1[3], across[3];
        if (cst_given(fiber, "direction"))
            cst_get_vector(fiber, "direction", t);
        cst_get_vector(fiber, "normal", d1);
        cst_normalise3(t);
        cst_normalise3(d1);
        cst_cross3(t, d1, across);
        if (!(sqrt(cst_dot3(across, across)) > 1e-9))
            cst_mistake_at(mistakes, normal, "lies along the direction: expected one across it");
    }
    const cst_json *before = NULL;
    for (cst_json *point = points ? points->first : NULL; point; before = point, point = point->next) {
        double here[3], last[3];
        if (!before)
            continue;
        cst_get_reals(point, here);
        cst_get_reals(before, last);
        if (here[0] == last[0] && here[1] == last[1] && here[2] == last[2]) {
            cst_mistake_at(mistakes, point, "is where the one before it is");
            points->faulty = true;
            break;
        }
    }
}

/* Computes the initial shape of a fiber that is given by name (such as "helix"), and reports an error if the shape does not fit
 * the fiber's length and radius. */
static void check_shape(cst_json *fiber, cst_mistakes *mistakes)
{
    cst_json *shape = cst_given(fiber, "shape");
    cst_arena scratch;
    const char *why = NULL;
    cst_arena_begin(&scratch, &mistakes->arena->allocator);
    cst_define_fiber(fiber, NULL, &scratch, &why);
    if (why)
        cst_mistake_at(mistakes, shape, "%s", why);
    mistakes->arena->failed = mistakes->arena->failed || scratch.failed;
    cst_arena_end(&scratch);
}

void cst_check_fiber(cst_json *fiber, cst_mistakes *mistakes)
{
    int before = mistakes->count;
    cst_json *elements = cst_given(fiber, "elements"), *motion = cst_given(fiber, "motion");
    const cst_json *points = cst_given(fiber, "points");
    if (!cst_key_present(fiber, "elements") && !cst_key_present(fiber, "points"))
        cst_mistake_in(mistakes, fiber, "elements", "is missing: expected a whole number from 1 to 1000000, or points");
    /* a generator of the type "strands" reads the lengths of its fibers from a file, so these fibers need no key "length" */
    const cst_json *made_by = fiber->parent ? fiber->parent->parent : NULL;
    if (!cst_key_present(fiber, "length") && !cst_key_present(fiber, "points") && !(made_by && cst_is_strands(made_by)))
        cst_mistake_in(mistakes, fiber, "length", "is missing: expected a number > 0 in m, or points");
    if (points && points->count < 2)
        cst_mistake_at(mistakes, cst_given(fiber, "points"), "expected at least two points; found %d", points->count);
    else if (elements || points)
        check_lengths(fiber, elements ? (int)elements->number : points->count - 1, mistakes);
    int kind = cst_get_choice(fiber, "model");
    if (elements && elements->number < 2.0 && kind > CST_FIBER_SUPER_HELIX)
        cst_mistake_at(mistakes, elements, "a fiber of the model \"%s\" has at least 2 elements", cst_get_text(fiber, "model"));
    check_section(fiber, mistakes);
    check_line(fiber, mistakes);
    cst_check_space_motion(motion, mistakes);
    cst_json *sag_free = cst_given(fiber, "sag_free");
    if (sag_free && sag_free->truth && (kind > CST_FIBER_SUPER_HELIX || !cst_get_bool(fiber, "clamped")))
        cst_mistake_at(mistakes, sag_free,
                       "is for super helices that are clamped: expected \"clamped\": true beside it, and no other model");
    if (motion && !cst_get_bool(fiber, "clamped"))
        cst_mistake_at(mistakes, motion, "moves the clamped start: expected \"clamped\": true beside it");
    const cst_json *shape = cst_given(fiber, "shape");
    bool sound = mistakes->count == before && elements && cst_given(fiber, "length") && cst_given(fiber, "radius");
    for (const cst_json *member = shape ? shape->first : NULL; member; member = member->next)
        sound = sound && !member->faulty;
    if (sound && shape && shape->role && cst_get_choice(shape, "kind") >= 0)
        check_shape(fiber, mistakes);
}

/* ------------------------------------------------------------------------------------------------- rigid bodies, obstacles */

static void check_edges(cst_json *node, cst_mistakes *mistakes)
{
    cst_json *edges = cst_given(node, "edges");
    for (cst_json *edge = edges ? edges->first : NULL; edge; edge = edge->next) {
        if (edge->number > 0.0)
            continue;
        cst_mistake_at(mistakes, edge, "%g is out of range: expected a number > 0 in m", edge->number);
        edges->faulty = true;
    }
}

void cst_check_space_rigid(cst_json *body, cst_mistakes *mistakes)
{
    check_edges(body, mistakes);
    cst_check_space_turn(body, mistakes);
    cst_check_not_zero(cst_given(body, "direction"), mistakes);
    cst_json *inertia = cst_given(body, "inertia");
    if (!inertia || inertia->count == 0)
        return;
    bool rows = inertia->first->kind == CST_JSON_ARRAY;
    if (rows && inertia->count != 3) {
        cst_mistake_at(mistakes, inertia, "expected three rows [x, y, z]; found %d", inertia->count);
        return;
    }
    double I[9] = {0};
    if (rows)
        cst_get_points(inertia, I);
    if (rows && (I[1] != I[3] || I[2] != I[6] || I[5] != I[7]))
        cst_mistake_at(mistakes, inertia, "is not symmetric");
    for (const cst_json *child = inertia->first; child && !rows; child = child->next)
        if (!(child->number > 0.0)) {
            cst_mistake_at(mistakes, inertia, "%g is out of range: expected numbers > 0 in kg m2", child->number);
            return;
        }
}

static void check_axis(cst_json *obstacle, cst_mistakes *mistakes)
{
    cst_json *ends = cst_given(obstacle, "ends"), *length = cst_given(obstacle, "length");
    cst_json *direction = cst_given(obstacle, "direction");
    const char *shape = cst_get_text(obstacle, "shape");
    bool long_shape = shape && (cst_section_key(obstacle->role, "ends")->variants >> cst_get_choice(obstacle, "shape") & 1);
    cst_check_not_zero(direction, mistakes);
    if (long_shape && !cst_key_present(obstacle, "ends") && !cst_key_present(obstacle, "length"))
        cst_mistake_in(mistakes, obstacle, "length", "is missing: expected a number > 0 in m, or ends");
    if (!ends)
        return;
    if (ends->count != 2) {
        cst_mistake_at(mistakes, ends, "expected two points [x, y, z]; found %d", ends->count);
        return;
    }
    if (length || direction)
        cst_mistake_at(mistakes, length ? length : direction, "has no effect: the ends say it");
    double end[6], axis[3];
    cst_get_points(ends, end);
    cst_subtract3(end + 3, end, axis);
    if (!(cst_dot3(axis, axis) > 0.0))
        cst_mistake_at(mistakes, ends, "both are the same point");
}

void cst_check_space_obstacle(cst_json *obstacle, cst_mistakes *mistakes)
{
    cst_check_space_motion(cst_given(obstacle, "motion"), mistakes);
    const cst_json *leader = cst_given(obstacle, "moves_with") ? cst_named_obstacle(obstacle, "moves_with") : NULL;
    if (leader && !cst_given(leader, "motion"))
        cst_mistake_at(mistakes, cst_given(obstacle, "moves_with"), "\"%s\" has no motion of its own: expected one that has",
                       cst_get_text(leader, "name"));
    cst_check_not_zero(cst_given(obstacle, "normal"), mistakes);
    check_edges(obstacle, mistakes);
    cst_check_space_turn(obstacle, mistakes);
    check_axis(obstacle, mistakes);
    const cst_json *frames = cst_given(obstacle, "frames");
    cst_json *first = cst_given(frames, "first"), *last = cst_given(frames, "last");
    if (frames && last && last->number < (first ? first->number : 1.0))
        cst_mistake_at(mistakes, last, "is less than \"first\"");
}
