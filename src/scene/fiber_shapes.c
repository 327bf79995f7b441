/* Computes points along a named curve. The arc length is integrated by the five-point Gauss rule on each of PIECES equal
 * intervals of the curve parameter. Newton's method finds the curve parameter at a given arc length. For points with equal
 * chords, Newton's method finds the next point at the distance of one chord length from the previous point.
 *
 * To check whether a shape overlaps itself, the code computes distances between samples that are a quarter of the contact radius
 * apart along the curve. Pairs of samples of the curve that are too far apart to overlap are skipped. If the distance d of two
 * samples is larger than the allowed distance d_min, all points up to the arc length (d - d_min) from the first sample are at
 * least d_min away from the second sample.
 *
 * For two points less than 4 contact radii apart along the curve, the code checks no distance; it requires instead that the
 * radius of curvature of the whole curve is large enough. Schur's theorem: on a curve whose radius of curvature is at least b,
 * two points separated by an arc length of at most pi b are at least as far apart as on a circle of radius b. */
#include "scene/fiber_shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sorted.h"
#include "math/vector3.h"
#include "scene/fiber_curves.h"

enum { PIECES = 4096, ROUNDS = 60, BISECTIONS = 200 };

static const double nearest_strands = 2.1, sharpest_bend = 1.25, neighbours = 4.0; /* in radii; neighbours >= pi sharpest_bend */

const char *const cst_fiber_shape_names[CST_SHAPE_KINDS] = {
    "straight", "arc", "wave", "helix", "coil", "slack", "capstan", "clove_hitch", "overhand_knot", "figure_of_eight_knot"};

cst_fiber_shape_def cst_fiber_shape_def_default(cst_fiber_shape_kind kind)
{
    return (cst_fiber_shape_def){
        .kind = kind, .tail = CST_UNSET, .crossings = 3, .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

/* ------------------------------------------------------------------------------------------------------------- arc length */

typedef struct measured {
    cst_fiber_curve curve;
    double first_speed, last_speed; /* speeds on the straight tails */
    double arc[PIECES + 1];         /* arc length at the start of each of the PIECES intervals of the curve parameter */
} measured;

static double speed_at(const cst_fiber_curve *curve, double t)
{
    double x[3], dx[3];
    cst_fiber_curve_at(curve, t, x, dx);
    return sqrt(cst_dot3(dx, dx));
}

static double arc_between(const cst_fiber_curve *curve, double from, double to)
{
    static const double at[3] = {0.0, 0.538469310105683091036314420700, 0.906179845938663992797626878299};
    static const double weight[3] = {0.568888888888888888888888888889, 0.478628670499366468041291514836,
                                     0.236926885056189087514264040720};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = weight[0] * speed_at(curve, middle);
    for (int k = 1; k < 3; ++k)
        sum += weight[k] * (speed_at(curve, middle - half * at[k]) + speed_at(curve, middle + half * at[k]));
    return half * sum;
}

static double piece_start(const cst_fiber_curve *curve, int i)
{
    return curve->begin + (curve->end - curve->begin) * i / PIECES;
}

static void measure(const cst_fiber_curve *curve, measured *m)
{
    m->curve = *curve;
    m->first_speed = speed_at(curve, curve->begin);
    m->last_speed = speed_at(curve, curve->end);
    m->arc[0] = 0.0;
    for (int i = 0; i < PIECES; ++i)
        m->arc[i + 1] = m->arc[i] + arc_between(curve, piece_start(curve, i), piece_start(curve, i + 1));
}

/* Returns the parameter of the curve at the arc length s from the beginning of the curve. */
static double parameter_at(const measured *m, double s)
{
    const cst_fiber_curve *curve = &m->curve;
    if (s <= 0.0)
        return curve->begin + s / m->first_speed;
    if (s >= m->arc[PIECES])
        return curve->end + (s - m->arc[PIECES]) / m->last_speed;
    const int low = cst_sorted_interval(m->arc, PIECES + 1, s), high = low + 1;
    const double from = piece_start(curve, low), to = piece_start(curve, high);
    double t = from + (to - from) * (s - m->arc[low]) / (m->arc[high] - m->arc[low]);
    /* Three Newton iterations suffice for the curve parameter t: the interval of t is short, so the initial error is small, and
     * each iteration squares the error. */
    for (int round = 0; round < 3; ++round)
        t += (s - m->arc[low] - arc_between(curve, from, t)) / speed_at(curve, t);
    return t;
}

/* ----------------------------------------------------------------------------------------------------------------- points */

static double distance_at(const cst_fiber_curve *curve, const double *from, double t, double *slope)
{
    double x[3], dx[3], away[3];
    cst_fiber_curve_at(curve, t, x, dx);
    cst_subtract3(x, from, away);
    const double distance = sqrt(cst_dot3(away, away));
    *slope = cst_dot3(away, dx) / distance;
    return distance;
}

/* Returns the first parameter after t at which the straight distance from the point at t equals `chord`. */
static double next_at_distance(const cst_fiber_curve *curve, double t, double chord)
{
    enum { STRIDES = 512 };
    double here[3], dx[3], slope;
    cst_fiber_curve_at(curve, t, here, dx);
    const double pace = chord / sqrt(cst_dot3(dx, dx)), stride = pace / 8.0;
    double low = t, high = t + stride;
    for (int k = 0; k < STRIDES && distance_at(curve, here, high, &slope) < chord; ++k) {
        low = high;
        high += stride;
    }
    double next = 0.5 * (low + high);
    for (int round = 0; round < ROUNDS; ++round) {
        const double distance = distance_at(curve, here, next, &slope), before = next;
        *(distance < chord ? &low : &high) = next;
        next += (chord - distance) / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - before) <= 1e-15 * fmax(fabs(next), pace))
            break;
    }
    return next;
}

static void equal_chords(const cst_fiber_curve *curve, double t, int elements, double chord, double *point)
{
    double dx[3];
    for (int i = 0; i <= elements; ++i) {
        cst_fiber_curve_at(curve, t, point + 3 * i, dx);
        if (i < elements)
            t = next_at_distance(curve, t, chord);
    }
}

static void equal_arcs(const measured *m, double before, int elements, double length, double *point)
{
    double dx[3];
    for (int i = 0; i <= elements; ++i)
        cst_fiber_curve_at(&m->curve, parameter_at(m, length * i / elements - before), point + 3 * i, dx);
}

/* Finds the amplitude at which a slack curve of the given length has ends at the given distance. */
static void find_amplitude(const cst_fiber_shape_def *def, int elements, double length, measured *m)
{
    cst_fiber_curve *curve = &m->curve;
    double low = 0.0, high = 0.5 * length;
    for (int k = 0; k < BISECTIONS && high - low > 1e-15 * length; ++k) {
        bool longer;
        curve->amplitude = 0.5 * (low + high);
        if (def->equal_chords) {
            double t = 0.0;
            for (int i = 0; i < elements; ++i)
                t = next_at_distance(curve, t, length / elements);
            longer = t < def->distance;
        } else {
            const cst_fiber_curve trial = *curve;
            measure(&trial, m);
            longer = m->arc[PIECES] > length;
        }
        *(longer ? &high : &low) = curve->amplitude;
    }
}

/* ------------------------------------------------------------------------------------------------------- what makes sense */

static bool has_tails(cst_fiber_shape_kind kind)
{
    return kind >= CST_SHAPE_CAPSTAN;
}

static bool needs_loop(cst_fiber_shape_kind kind)
{
    return kind == CST_SHAPE_HELIX || kind == CST_SHAPE_COIL || kind == CST_SHAPE_OVERHAND_KNOT ||
           kind == CST_SHAPE_FIGURE_OF_EIGHT_KNOT;
}

static bool positive(double number)
{
    return number > 0.0 && isfinite(number);
}

static const char *what_is_wrong(const cst_fiber_shape_def *def, int elements, double length)
{
    const cst_fiber_shape_kind kind = def->kind;
    if ((int)kind < 0 || kind >= CST_SHAPE_KINDS)
        return "there is no such shape";
    if (elements < 1 || !positive(length) || !positive(def->radius))
        return "a shape needs elements, a length and a radius";
    if (needs_loop(kind) && !positive(def->loop))
        return "\"loop\", a radius, must be positive";
    if ((kind == CST_SHAPE_CAPSTAN || kind == CST_SHAPE_CLOVE_HITCH) && !positive(def->post))
        return "\"post\", the radius of what it is wound around, must be positive";
    if ((kind == CST_SHAPE_CAPSTAN || kind == CST_SHAPE_ARC) && !positive(def->angle))
        return "\"angle\" must be positive";
    if (kind == CST_SHAPE_ARC && def->angle > 6.2831853071795869)
        return "an arc turns by 2 pi at most";
    if ((kind == CST_SHAPE_WAVE && !(positive(def->wavelength) && isfinite(def->amplitude))) ||
        (kind == CST_SHAPE_HELIX && !positive(def->pitch)))
        return kind == CST_SHAPE_WAVE ? "\"wavelength\" must be positive" : "\"pitch\" must be positive";
    if (kind == CST_SHAPE_SLACK && !(positive(def->distance) && def->distance < length))
        return "\"distance\" of the ends must be positive and less than the length";
    if (kind == CST_SHAPE_OVERHAND_KNOT && !(def->crossings >= 3 && def->crossings < 1000 && def->crossings % 2 == 1))
        return "an overhand knot has 3, 5, 7, ... crossings";
    if (!(def->clearance >= 0.0 && isfinite(def->clearance) && def->pitch >= 0.0 && isfinite(def->pitch)))
        return "\"clearance\" and \"pitch\" cannot be negative";
    if (!isfinite(def->tail))
        return "\"tail\" must be finite";
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------------- overlap */

/* The curve that is tested for overlap with itself: the polyline of the given points, or the smooth curve if `point` is NULL. */
typedef struct strand {
    const measured *m;
    double before; /* length of the first tail (m) */
    const double *point;
    double chord;
    int elements;
} strand;

static void sample_at(const strand *on, double s, double *x)
{
    double dx[3];
    if (!on->point) {
        cst_fiber_curve_at(&on->m->curve, parameter_at(on->m, s - on->before), x, dx);
        return;
    }
    const int i = (int)fmin(s / on->chord, on->elements - 1.0);
    const double share = s / on->chord - i;
    for (int k = 0; k < 3; ++k)
        x[k] = on->point[3 * i + k] + share * (on->point[3 * i + 3 + k] - on->point[3 * i + k]);
}

/* Returns the smaller of two distances: the smallest distance between samples that are at least 4 contact radii apart along the
 * curve, and the smallest allowed distance. */
static double nearest(const strand *on, double length, double radius, bool closed)
{
    const double limit = nearest_strands * radius, step = 0.25 * radius;
    double least = limit;
    for (double s = 0.0; s < length;) {
        double here[3], there[3], free_way = length;
        sample_at(on, s, here);
        const double last = closed ? fmin(length, length + s - neighbours * radius) : length;
        for (double other = s + neighbours * radius; other <= last;) {
            sample_at(on, other, there);
            cst_subtract3(there, here, there);
            const double distance = sqrt(cst_dot3(there, there));
            least = fmin(least, distance);
            free_way = fmin(free_way, distance - limit);
            other += fmax(step, distance - limit);
        }
        s += fmax(step, free_way);
    }
    return least;
}

/* Returns the smallest radius of curvature of the curve, from the change of the unit tangent between samples. */
static double tightest(const measured *m, double radius)
{
    const double total = m->arc[PIECES], step = fmin(0.25 * radius, total / 16.0);
    double before[3] = {0.0, 0.0, 0.0}, x[3], dx[3], turned[3], most = 0.0;
    for (double s = 0.0; s <= total && step > 0.0; s += step) {
        cst_fiber_curve_at(&m->curve, parameter_at(m, s), x, dx);
        cst_normalise3(dx);
        cst_subtract3(dx, before, turned);
        most = s > 0.0 ? fmax(most, sqrt(cst_dot3(turned, turned))) : most;
        memcpy(before, dx, sizeof before);
    }
    return most > 0.0 ? step / most : INFINITY;
}

static bool is_free(const cst_fiber_shape_def *def, const strand *on, double length, char *message, size_t size)
{
    const double bend = tightest(on->m, def->radius);
    if (bend < sharpest_bend * def->radius) {
        snprintf(message, size, "the shape %s bends with a radius of %.3g m: at least %g radii are needed, %.3g m",
                 cst_fiber_shape_names[def->kind], bend, sharpest_bend, sharpest_bend * def->radius);
        return false;
    }
    const bool closed = def->kind == CST_SHAPE_ARC && def->angle > 6.28;
    const double least = nearest(on, length, def->radius, closed);
    if (least < nearest_strands * def->radius) {
        snprintf(message, size, "strands of the shape %s come as near as %.3g m: at least %g radii are needed, %.3g m",
                 cst_fiber_shape_names[def->kind], least, nearest_strands, nearest_strands * def->radius);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ shape */

static void place_points(const cst_fiber_shape_def *def, int elements, double *point)
{
    for (int i = 0; i <= elements; ++i) {
        double *x = point + 3 * i, placed[3];
        x[2] = def->mirrored ? -x[2] : x[2];
        cst_apply3(def->frame, x, placed);
        for (int k = 0; k < 3; ++k)
            x[k] = def->position[k] + placed[k];
    }
    for (int i = 0; def->reversed && 2 * i < elements; ++i) {
        for (int k = 0; k < 3; ++k) {
            const double kept = point[3 * i + k];
            point[3 * i + k] = point[3 * (elements - i) + k];
            point[3 * (elements - i) + k] = kept;
        }
    }
}

bool cst_fiber_shape(const cst_fiber_shape_def *def, int elements, double length, double *point, char *message, size_t size)
{
    const char *wrong = what_is_wrong(def, elements, length);
    if (wrong) {
        snprintf(message, size, "%s", wrong);
        return false;
    }
    const double chord = length / elements;
    measured m;
    m.curve = cst_fiber_curve_of(def, length);
    if (def->equal_chords && def->kind == CST_SHAPE_ARC)
        m.curve.bend = 0.5 * chord / sin(0.5 * def->angle / elements);
    /* a curve around a post gets a larger radius, so that the straight chords between consecutive points do not penetrate the
     * post */
    if (def->equal_chords && def->post > 0.0)
        m.curve.bend = hypot(m.curve.bend, 0.5 * chord);
    if (def->kind == CST_SHAPE_COIL && !(m.curve.top > 0.0)) {
        snprintf(message, size, "a length of %.3g m leaves nothing to coil below the tail", length);
        return false;
    }
    if (def->kind == CST_SHAPE_SLACK)
        find_amplitude(def, elements, length, &m);
    const cst_fiber_curve curve = m.curve;
    measure(&curve, &m);

    double before = 0.0;
    if (has_tails(def->kind)) {
        const double room = length - m.arc[PIECES];
        before = def->tail < 0.0 ? 0.5 * room : def->tail;
        if (!(room >= before && before >= 0.0)) {
            snprintf(message, size, "the shape %s takes %.4g m of the fiber, %.4g m with its first tail: it is %.4g m long",
                     cst_fiber_shape_names[def->kind], m.arc[PIECES], m.arc[PIECES] + fmax(before, 0.0), length);
            return false;
        }
    }
    if (def->equal_chords && def->kind == CST_SHAPE_ARC)
        equal_arcs(&m, before, elements, m.arc[PIECES], point); /* on a circle, equal arcs have equal chords */
    else if (def->equal_chords)
        equal_chords(&curve, parameter_at(&m, -before), elements, chord, point);
    else
        equal_arcs(&m, before, elements, length, point);
    const strand on = {&m, before, def->equal_chords ? point : NULL, chord, elements};
    if (!is_free(def, &on, length, message, size))
        return false;
    place_points(def, elements, point);
    return true;
}
