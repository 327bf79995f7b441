#include "scene/sense.h"

#include <math.h>
#include <string.h>

#include "scene/check.h"
#include "scene/define.h"
#include "scene/values.h"

static const double pi = 3.14159265358979323846;

static bool is_array(const cst_json *node)
{
    return node && node->kind == CST_JSON_ARRAY;
}

void cst_check_not_zero(cst_json *vector, cst_mistakes *mistakes)
{
    bool zero = true;
    for (const cst_json *child = vector ? vector->first : NULL; child; child = child->next)
        zero = zero && child->number == 0.0;
    if (vector && zero)
        cst_mistake_at(mistakes, vector, "has no direction: expected a vector that is not zero");
}

/* Checks that the times in a list increase. Each item of the list is an object with the key "time", or a pair whose first number
 * is a time. */
static bool increasing(cst_json *list, cst_mistakes *mistakes)
{
    double before = -INFINITY;
    for (cst_json *child = list->first; child; child = child->next) {
        cst_json *time = child->kind == CST_JSON_ARRAY ? child->first : cst_given(child, "time");
        if (!time || time->kind != CST_JSON_NUMBER)
            return false;
        if (time->number <= before) {
            cst_mistake_at(mistakes, time, "times must increase: expected more than %g", before);
            return false;
        }
        before = time->number;
    }
    return true;
}

void cst_check_motion(cst_json *motion, cst_mistakes *mistakes)
{
    cst_json *keys = motion && motion->role ? cst_given(motion, "keys") : NULL;
    if (!is_array(keys))
        return;
    if (keys->count == 0) {
        cst_mistake_at(mistakes, keys, "expected at least one key {\"time\": ..., \"translation\": %s, \"rotation\": ...}",
                       cst_section_key(motion->role, "about") ? "[x, y, z]" : "[x, y]");
        return;
    }
    cst_json *period = cst_given(motion, "period");
    if (!increasing(keys, mistakes) || !period || period->number == 0.0)
        return;
    double first = cst_get_real(keys->first, "time"), last = cst_get_real(keys->last, "time");
    if (first != 0.0 || last != period->number)
        cst_mistake_at(mistakes, period, "a motion that repeats begins at 0 and ends at its period: its keys go from %g to %g s",
                       first, last);
}

/* --------------------------------------------------------------------------------------------------------------------- rods */

/* Checks that each array with values per element has as many values as the rod has elements. */
static void check_lengths(cst_json *rod, int elements, cst_mistakes *mistakes)
{
    static const char *const keys[] = {"length", "radius", "bending_stiffness", "natural_curvature", "curvature", "friction"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        cst_json *node = cst_given(rod, keys[k]);
        if (is_array(node) && node->count != elements)
            cst_mistake_at(mistakes, node, "expected %d numbers, one per element; found %d", elements, node->count);
    }
}

/* Checks that the radius of a rod, or its thickness and width, are given. A rod with the key "density" and without the key
 * "thickness" must give its radius as one number, and a rod with the key "damping_time" its bending stiffness, instead of one
 * number per element. */
static void check_section(cst_json *rod, cst_mistakes *mistakes)
{
    cst_json *thickness = cst_json_find(rod, "thickness"), *width = cst_json_find(rod, "width");
    bool used = cst_json_find(rod, "young") || cst_json_find(rod, "density");
    if (!cst_key_present(rod, "radius") && !cst_key_present(rod, "thickness"))
        cst_mistake_in(mistakes, rod, "radius", "is missing: expected a number > 0 in m, or thickness and width of a strip");
    if (thickness && !cst_key_present(rod, "width"))
        cst_mistake_in(mistakes, rod, "width", "is missing: expected a number > 0 in m, with thickness");
    if (width && !cst_key_present(rod, "thickness"))
        cst_mistake_in(mistakes, rod, "thickness", "is missing: expected a number > 0 in m, with width");
    if (thickness && width && !used && cst_json_find(rod, "radius"))
        cst_mistake_at(mistakes, thickness, "has no effect: expected young or density beside it");
    bool uneven = is_array(cst_given(rod, "radius")) && !thickness;
    cst_json *density = cst_given(rod, "density"), *damping = cst_given(rod, "damping_time");
    if (density && uneven)
        cst_mistake_at(mistakes, density, "needs one radius for all elements: expected mass_per_length");
    if (damping && (is_array(cst_given(rod, "bending_stiffness")) || (cst_given(rod, "young") && uneven)))
        cst_mistake_at(mistakes, damping, "needs one bending stiffness for all elements: expected viscosity");
}

/* Computes the distance (m) between the two ends of a rod, and the total angle (rad) by which its tangent turns from the first
 * end to the last. The chord of an element with the length l and the curvature k has the length l sin(k l / 2) / (k l / 2), and
 * is parallel to the tangent in the middle of the element. */
static void end_of(const cst_rod_def *rod, double *end, double *turned)
{
    double x = 0.0, y = 0.0, angle = 0.0;
    for (int i = 0; i < rod->elements; i++) {
        double l = rod->element_length ? rod->element_length[i] : rod->length / rod->elements;
        double half = 0.5 * rod->curvature[i] * l, chord = fabs(half) < 1e-8 ? l : l * sin(half) / half;
        x += chord * cos(angle + half);
        y += chord * sin(angle + half);
        angle += 2.0 * half;
    }
    *end = hypot(x, y);
    *turned = angle;
}

static void check_ring(cst_json *rod, cst_mistakes *mistakes)
{
    cst_json *curvature = cst_given(rod, "curvature"), *elements = cst_given(rod, "elements");
    if (elements->number < 3.0) {
        cst_mistake_at(mistakes, elements, "a ring has at least 3 elements");
        return;
    }
    if (!curvature || curvature->faulty)
        return;
    cst_arena scratch;
    cst_arena_begin(&scratch, &mistakes->arena->allocator);
    cst_rod_def def = cst_define_rod(rod, &scratch);
    double gap, turned;
    if (!scratch.failed) {
        end_of(&def, &gap, &turned);
        if (gap > 1e-6 * def.length || fabs(fabs(turned) - 2.0 * pi) > 1e-6)
            cst_mistake_at(mistakes, curvature,
                           "the ring does not close: its ends are %.3g m and %.3g rad apart; without it the ring is a circle",
                           gap, fabs(fabs(turned) - 2.0 * pi));
    }
    cst_arena_end(&scratch);
    mistakes->arena->failed = mistakes->arena->failed || scratch.failed;
}

void cst_check_rod(cst_json *rod, cst_mistakes *mistakes)
{
    int before = mistakes->count;
    cst_json *elements = cst_given(rod, "elements"), *motion = cst_given(rod, "motion");
    if (elements)
        check_lengths(rod, (int)elements->number, mistakes);
    check_section(rod, mistakes);
    cst_check_motion(motion, mistakes);
    if (motion && !cst_get_bool(rod, "clamped"))
        cst_mistake_at(mistakes, motion, "moves the clamped start: expected \"clamped\": true beside it");
    bool sound = mistakes->count == before && elements && cst_given(rod, "length");
    const cst_json *change = cst_given(rod, "curvature");
    if (change && change->kind == CST_JSON_OBJECT)
        sound = sound && cst_given(change, "from") && cst_given(change, "to");
    if (sound && cst_get_bool(rod, "closed"))
        check_ring(rod, mistakes);
}

/* ------------------------------------------------------------------------------------------------- rigid bodies, obstacles */

static void check_disk(cst_json *node, const char *shape, cst_mistakes *mistakes)
{
    cst_json *radius = cst_given(node, "radius");
    const char *own = cst_get_text(node, "shape");
    if (radius && own && strcmp(own, shape) == 0 && radius->number == 0.0)
        cst_mistake_at(mistakes, radius, "0 is out of range: expected a number > 0 in m, for a disk");
}

void cst_check_rigid(cst_json *body, cst_mistakes *mistakes)
{
    check_disk(body, "disk", mistakes);
    cst_json *corners = cst_given(body, "corners");
    if (!corners)
        return;
    if (corners->count < 3) {
        cst_mistake_at(mistakes, corners, "a polygon has at least 3 corners; found %d", corners->count);
        return;
    }
    cst_arena scratch;
    cst_arena_begin(&scratch, &mistakes->arena->allocator);
    double *corner = CST_TAKE(&scratch, double, 2 * (size_t)corners->count);
    if (corner) {
        cst_get_points(corners, corner);
        double area = cst_polygon_area(corner, corners->count);
        if (!(area > 0.0))
            cst_mistake_at(mistakes, corners,
                           area < 0.0 ? "the corners are clockwise: expected counter-clockwise" : "the corners enclose no area");
    }
    cst_arena_end(&scratch);
}

void cst_check_obstacle(cst_json *obstacle, cst_mistakes *mistakes)
{
    check_disk(obstacle, "disk", mistakes);
    cst_check_motion(cst_given(obstacle, "motion"), mistakes);
    cst_json *normal = cst_given(obstacle, "normal"), *points = cst_given(obstacle, "points");
    cst_check_not_zero(normal, mistakes);
    int least = cst_get_bool(obstacle, "closed") ? 3 : 2;
    if (points && points->count < least)
        cst_mistake_at(mistakes, points, "a %schain has at least %d points; found %d", least == 3 ? "closed " : "", least,
                       points->count);
    cst_json *curvature = cst_given(obstacle, "curvature"), *length = cst_given(obstacle, "length");
    if (curvature && length && fabs(curvature->number * length->number) > 2.0 * pi * (1.0 + 1e-9))
        cst_mistake_at(mistakes, length, "the arc goes round more than once: expected at most %g m",
                       2.0 * pi / fabs(curvature->number));
}
