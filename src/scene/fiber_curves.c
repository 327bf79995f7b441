/* Formulas of knots and hitches.
 *
 * Overhand knot: two straight tails along x, and a round loop above them. The fiber crosses itself in a braid at the lowest point
 * of the loop, near the origin. The braid of an overhand knot is a double helix: one strand comes from the first tail and enters
 * the loop, the other strand leaves the loop and goes to the last tail. The two strands of the braid wind around a line halfway
 * between the x axis and the loop; each half turn of the double helix is one crossing of the knot. Symbols:
 *     `R`: radius of the loop.
 *     `N = 2*n+1`: number of crossings.
 *     `s`: arc length from the origin.
 *     `delta`: height of the loop above its lowest point.
 *     `psi`: angle, from 0 to N*pi.
 *     `w`: half the strands' distance (`half_width`).
 *     `l`: length of the braid.
 *
 * The height of the loop above its lowest point is:
 *     `delta = R*(1-cos(s/R))`.
 *
 * Points of the two strands of the braid (minus sign: the strand that comes from the first tail):
 *     `(x,delta/2,0)-+(w+delta/2)*(0,cos(psi),sin(psi))`.
 *
 * The code chooses the length l of the braid for which the bending energy of the knot is smallest (Audoly, Clauvelin, Neukirch
 * 2007), but at most 2.4 times the radius R of the loop. The braid length with the smallest bending energy is:
 *     `l^2 = 4*sqrt(6)*pi^2*n^2*w*R`.
 *
 * Clove hitch: two turns around a post. On a coordinate along the post, both tails of a clove hitch are at 0, its first turn is
 * at -h and its second turn is at +h. Between the two turns of a clove hitch, the fiber runs diagonally along the post, over the
 * two parts of itself that it crosses.
 *
 * Figure-of-eight knot: a cubic B-spline that passes alternately over and under at its four crossings. */
#include "scene/fiber_curves.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Constants of the clove hitch. While a clove hitch turns around its post, it advances along the post only in certain intervals
 * of the angle around the post, at its crossings.
 *     `widest_window`: largest half width (rad) of an interval of the angle around the post in which the hitch advances along the
 *     post.
 *     `window_slope`: on a thick post, an interval in which the hitch advances along the post has the half width window_slope*h/b
 *     (h: coordinate of the second turn along the post; b: distance of the fiber from the axis of the post).
 *     `lift_inner`, `lift_outer`: the diagonal part of a clove hitch, between its two turns, is lifted radially off the post, by
 *     a constant height up to the angle lift_inner from its middle, and not at all beyond the angle lift_outer. The unit of the
 *     angles lift_inner and lift_outer is the half width of the intervals in which the hitch advances along the post.
 *
 * On a thick post, the intervals in which the hitch advances along the post must be narrower, so that the straight tail passes
 * below the diagonal part of the hitch. */
static const double widest_window = 0.75, window_slope = 2.9, lift_inner = 0.93, lift_outer = 2.5;

/* Control points of the spline of the figure-of-eight knot: x and y are divided by the radius of the loop, z is divided by the
 * height of a crossing. Along the knot, the fiber passes its four crossings c1 to c4 twice each, once over and once under, in
 * this order: c2 over, c1 under, c4 over, c3 under, c1 over, c2 under, c3 over, c4 under. */
static const double eight[][3] = {{-7.0, 0.0, 0.0},  {-6.0, 0.0, 0.0},   {-5.0, 0.0, 0.0},  {-4.0, 0.0, 0.5},   {-3.0, -0.4, 1.0},
                                  {-2.0, -0.6, 0.0}, {-1.0, -0.6, -1.0}, {0.0, -0.7, -0.6}, {1.0, -0.6, 0.0},   {1.8, -0.1, 0.6},
                                  {1.9, 0.9, 1.0},   {1.2, 1.7, 0.5},    {0.2, 1.8, 0.0},   {-0.7, 1.2, -0.6},  {-1.0, 0.3, -0.8},
                                  {-1.1, -0.6, 1.2}, {-1.7, -1.5, 0.6},  {-2.7, -1.6, 0.0}, {-3.3, -0.8, -1.0}, {-3.1, 0.2, -0.6},
                                  {-2.2, 0.7, 0.4},  {-1.1, 0.6, 1.0},   {0.0, 0.5, 0.5},   {1.0, 0.4, -0.4},   {2.0, 0.3, -1.0},
                                  {3.0, 0.1, -0.5},  {4.0, 0.0, 0.0},    {5.0, 0.0, 0.0},   {6.0, 0.0, 0.0}};
enum { EIGHT = (int)(sizeof eight / sizeof *eight) };

/* Returns a twice continuously differentiable function of u that increases from 0 at u = 0 to 1 at u = 1, and its slope. */
static double blend(double u, double *slope)
{
    if (!(u > 0.0 && u < 1.0)) {
        *slope = 0.0;
        return u > 0.0 ? 1.0 : 0.0;
    }
    *slope = 30.0 * u * u * (1.0 - u) * (1.0 - u);
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

cst_fiber_curve cst_fiber_curve_of(const cst_fiber_shape_def *def, double length)
{
    const double r = def->radius, pitch = def->pitch > 0.0 ? def->pitch : 2.4 * r;
    cst_fiber_curve curve = {.kind = def->kind, .bend = def->loop, .rise = pitch / (2.0 * pi), .crossings = def->crossings};
    switch (def->kind) {
    case CST_SHAPE_ARC:
        curve.bend = length / def->angle;
        curve.end = def->angle;
        break;
    case CST_SHAPE_WAVE:
        curve.amplitude = def->amplitude;
        curve.wave_number = 2.0 * pi / def->wavelength;
        curve.end = length;
        break;
    case CST_SHAPE_SLACK: /* the amplitude is found later */
        curve.wave_number = 2.0 * pi / def->distance;
        curve.end = def->distance;
        break;
    case CST_SHAPE_HELIX:
        curve.end = 1.01 * length / hypot(curve.bend, curve.rise);
        break;
    case CST_SHAPE_COIL: {
        const double bending = def->tail > 0.0 ? (0.5 * pi - atan2(curve.rise, curve.bend)) * curve.bend : 0.0;
        curve.top = def->tail > 0.0 ? length - def->tail - bending : 1.01 * length;
        curve.end = curve.top + bending;
        break;
    }
    case CST_SHAPE_CAPSTAN:
        curve.bend = def->post + r + def->clearance;
        curve.end = 0.5 * def->angle;
        curve.begin = -curve.end;
        break;
    case CST_SHAPE_CLOVE_HITCH:
        curve.bend = def->post + r + def->clearance;
        curve.height = 2.6 * r + def->clearance;
        curve.lift = 2.3 * r + def->clearance;
        curve.window = fmin(widest_window, window_slope * curve.height / curve.bend);
        curve.begin = -curve.window;
        curve.end = 4.0 * pi + curve.window;
        break;
    case CST_SHAPE_OVERHAND_KNOT: {
        const double turns = 0.5 * (def->crossings - 1);
        curve.half_width = 1.2 * r + 0.5 * def->clearance;
        curve.braid = fmin(2.0 * pi * turns * sqrt(sqrt(6.0) * curve.half_width * def->loop), 2.4 * def->loop);
        curve.begin = -0.5 * curve.braid;
        curve.end = 2.0 * pi * def->loop + 0.5 * curve.braid;
        break;
    }
    case CST_SHAPE_FIGURE_OF_EIGHT_KNOT:
        curve.height = 2.2 * r + 0.7 * def->clearance;
        curve.end = EIGHT - 3;
        break;
    default:
        break;
    }
    return curve;
}

/* Computes a point of the braid of an overhand knot, and its derivative.
 *     `s`: arc length from the middle.
 *     `sign`: selects a strand of the braid; -1: strand of the first tail; 1: strand of the last tail. */
static void braid_at(const cst_fiber_curve *c, double s, double sign, double *x, double *dx)
{
    double slope;
    const double R = c->bend, psi = c->crossings * pi * blend(s / c->braid + 0.5, &slope);
    const double turning = c->crossings * pi * slope / c->braid, a = c->half_width;
    const double delta = R * (1.0 - cos(s / R)), rising = sin(s / R), away = sign * (a + 0.5 * delta);
    const bool loop = sign * s < 0.0;
    x[0] = loop ? R * sin(s / R) : s;
    dx[0] = loop ? cos(s / R) : 1.0;
    x[1] = 0.5 * delta + away * cos(psi);
    dx[1] = 0.5 * rising * (1.0 + sign * cos(psi)) - away * turning * sin(psi);
    x[2] = away * sin(psi);
    dx[2] = 0.5 * rising * sign * sin(psi) + away * turning * cos(psi);
}

static void overhand_at(const cst_fiber_curve *c, double t, double *x, double *dx)
{
    const double R = c->bend, around = 2.0 * pi * R;
    if (t < 0.5 * c->braid) {
        braid_at(c, t, -1.0, x, dx);
    } else if (t > around - 0.5 * c->braid) {
        braid_at(c, t - around, 1.0, x, dx);
    } else {
        x[0] = R * sin(t / R);
        x[1] = R * (1.0 - cos(t / R)) + c->half_width;
        dx[0] = cos(t / R);
        dx[1] = sin(t / R);
    }
}

static void eight_at(const cst_fiber_curve *c, double t, double *x, double *dx)
{
    const int i = (int)fmin(fmax(floor(t), 0.0), EIGHT - 4.0);
    const double f = t - i, g = 1.0 - f;
    const double weight[4] = {g * g * g / 6.0, (4.0 + f * f * (3.0 * f - 6.0)) / 6.0, (4.0 + g * g * (3.0 * g - 6.0)) / 6.0,
                              f * f * f / 6.0};
    const double change[4] = {-0.5 * g * g, f * (1.5 * f - 2.0), -g * (1.5 * g - 2.0), 0.5 * f * f};
    for (int k = 0; k < 3; ++k) {
        const double unit = k < 2 ? c->bend : c->height;
        for (int j = 0; j < 4; ++j) {
            x[k] += weight[j] * unit * eight[i + j][k];
            dx[k] += change[j] * unit * eight[i + j][k];
        }
    }
}

/* Computes a point of the clove hitch at the angle t around the post, from 0 to 4 pi; for other t, the point lies on a
 * straight tail. `rho`: distance of a point of the hitch from the axis of the post. */
static void hitch_at(const cst_fiber_curve *c, double t, double *x, double *dx)
{
    const double over = t - 2.0 * pi, outer = lift_outer * c->window, width = outer - lift_inner * c->window;
    double up, down, slope[3];
    up = blend((over + outer) / width, &slope[0]);
    down = blend((outer - over) / width, &slope[1]);
    const double rho = c->bend + c->lift * up * down, growth = c->lift * (slope[0] * down - up * slope[1]) / width;
    const double beyond = t < 0.0 ? t : t > 4.0 * pi ? t - 4.0 * pi : 0.0, angle = t - beyond;
    x[0] = rho * cos(angle);
    x[1] = rho * sin(angle) + rho * beyond;
    dx[0] = growth * cos(angle) - (beyond != 0.0 ? 0.0 : rho * sin(angle));
    dx[1] = growth * sin(angle) + rho * cos(angle);
    for (int pass = 0; pass < 3; ++pass) {
        const double steps = pass == 1 ? 2.0 : -1.0;
        const double share = blend(0.5 + 0.5 * (t - 2.0 * pi * pass) / c->window, &slope[2]);
        x[2] += c->height * steps * share;
        dx[2] += 0.5 * c->height * steps * slope[2] / c->window;
    }
}

static void coil_at(const cst_fiber_curve *c, double t, double *x, double *dx)
{
    const double speed = hypot(c->bend, c->rise), s = fmin(t, c->top), angle = s / speed;
    const double along[3] = {-sin(angle), cos(angle), 0.0}, first = atan2(c->rise, c->bend), last = first + (t - s) / c->bend;
    x[0] = c->bend * (along[1] + (sin(last) - sin(first)) * along[0]);
    x[1] = c->bend * (-along[0] + (sin(last) - sin(first)) * along[1]);
    x[2] = c->rise * angle + c->bend * (cos(first) - cos(last));
    dx[0] = cos(last) * along[0];
    dx[1] = cos(last) * along[1];
    dx[2] = sin(last);
}

void cst_fiber_curve_at(const cst_fiber_curve *c, double t, double *x, double *dx)
{
    const double on = fmin(fmax(t, c->begin), c->end);
    memset(x, 0, 3 * sizeof *x);
    memset(dx, 0, 3 * sizeof *dx);
    switch (c->kind) {
    case CST_SHAPE_ARC:
        x[0] = c->bend * sin(on);
        x[1] = c->bend * (1.0 - cos(on));
        dx[0] = c->bend * cos(on);
        dx[1] = c->bend * sin(on);
        break;
    case CST_SHAPE_WAVE:
        x[0] = on;
        x[1] = c->amplitude * sin(c->wave_number * on);
        dx[0] = 1.0;
        dx[1] = c->amplitude * c->wave_number * cos(c->wave_number * on);
        break;
    case CST_SHAPE_SLACK:
        x[0] = on;
        x[1] = 0.5 * c->amplitude * (1.0 - cos(c->wave_number * on));
        dx[0] = 1.0;
        dx[1] = 0.5 * c->amplitude * c->wave_number * sin(c->wave_number * on);
        break;
    case CST_SHAPE_HELIX:
        x[0] = c->rise * on;
        x[1] = c->bend * cos(on);
        x[2] = c->bend * sin(on);
        dx[0] = c->rise;
        dx[1] = -c->bend * sin(on);
        dx[2] = c->bend * cos(on);
        break;
    case CST_SHAPE_COIL:
        coil_at(c, on, x, dx);
        break;
    case CST_SHAPE_CAPSTAN:
        x[0] = c->bend * cos(on);
        x[1] = c->bend * sin(on);
        x[2] = c->rise * on;
        dx[0] = -c->bend * sin(on);
        dx[1] = c->bend * cos(on);
        dx[2] = c->rise;
        break;
    case CST_SHAPE_CLOVE_HITCH:
        hitch_at(c, on, x, dx);
        break;
    case CST_SHAPE_OVERHAND_KNOT:
        overhand_at(c, on, x, dx);
        break;
    case CST_SHAPE_FIGURE_OF_EIGHT_KNOT:
        eight_at(c, on, x, dx);
        break;
    default:
        dx[0] = 1.0;
        break;
    }
    for (int k = 0; k < 3; ++k)
        x[k] += (t - on) * dx[k];
}
