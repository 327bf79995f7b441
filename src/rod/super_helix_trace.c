/* Positions of all elements of a super helix in one sweep along the rod: each element starts where the previous one ends
 * (super_helix_element.h). Frames are products of exact rotations; with n elements, the rounding error of a frame is at most
 * about n times 1e-16. The functions of the body class that return positions of points are also in this file. */
#include <math.h>
#include <string.h>

#include "collide/key.h"
#include "rod/rod_class.h"
#include "rod/super_helix_rod.h"

/* Computes the velocities and the bias (acceleration at zero generalised accelerations) at the end of an element from those at
 * its start. */
static void carry(const cst_helix_maps *m, const cst_helix_element *e, const double *rate, const double *inertia_rate,
                  cst_helix_element *next)
{
    const cst_helix_joint *F = &e->joint;
    cst_helix_nonad v;
    memcpy(v.v, e->velocity, sizeof v.v);
    memcpy(v.w, e->turn, sizeof v.w);
    memcpy(v.u, rate, sizeof v.u);
    cst_helix_joint_times(F, &v);
    memcpy(next->velocity, v.v, sizeof v.v);
    memcpy(next->turn, v.w, sizeof v.w);

    const double *w = e->inertia_turn;
    double local[3], added[3], bent[3], inner[3];
    cst_apply3(F->turning, inertia_rate, added);
    for (int k = 0; k < 3; ++k)
        next->inertia_turn[k] = w[k] + added[k];

    cst_helix_place_rate2(m, inertia_rate, local);
    cst_apply3(e->frame, local, next->bias);
    cst_add3(1.0, e->bias, next->bias);
    cst_add_cross3(e->bias_turn, F->chord, next->bias);
    cst_apply3(F->bend, inertia_rate, bent);
    cst_cross3(w, F->chord, inner);
    cst_add3(2.0, bent, inner);
    cst_add_cross3(w, inner, next->bias);

    cst_helix_turning_rate2(m, inertia_rate, local);
    cst_apply3(e->frame, local, next->bias_turn);
    cst_add3(1.0, e->bias_turn, next->bias_turn);
    cst_add_cross3(w, added, next->bias_turn);
}

void cst_helix_trace(const cst_super_helix *rod, const cst_helix_path *path, cst_helix_element *out)
{
    const bool moving = path->root_rate != NULL;
    memcpy(out->start, path->root->position, sizeof out->start);
    memcpy(out->frame, path->root->frame, sizeof out->frame);
    if (moving) {
        memcpy(out->velocity, path->root_rate, sizeof out->velocity);
        memcpy(out->turn, path->root_rate + 3, sizeof out->turn);
        memcpy(out->inertia_turn, path->inertia_root_rate + 3, sizeof out->inertia_turn);
        memset(out->bias, 0, sizeof out->bias);
        memset(out->bias_turn, 0, sizeof out->bias_turn);
    }
    for (int i = 0; i < rod->elements; ++i) {
        cst_helix_element *e = &out[i], *next = e + 1;
        memcpy(e->u, path->u + 3 * i, sizeof e->u);
        const cst_helix_maps m = cst_helix_maps_at(e->u, rod->material[i].length);
        cst_helix_end_at(e, &m, e->joint.chord, next->start, next->frame);
        if (moving) {
            cst_helix_bend_at(e, &m, &e->joint);
            carry(&m, e, path->rate + 3 * i, path->inertia_rate + 3 * i, next);
        }
    }
    memset(out[rod->elements].u, 0, sizeof out->u); /* the last entry of `out` is the end of the rod and has zero curvatures */
}

void cst_helix_settle(cst_super_helix *rod)
{
    cst_helix_path path = {rod->root, rod->u, rod->root_rate, rod->rate, rod->root_rate, rod->rate};
    cst_helix_trace(rod, &path, rod->now);
    rod->placed = rod->linear = rod->now;
    rod->start_known = rod->mass_known = rod->energy_known = false;
}

/* ---------------------------------------------------------------------------------------------------------------- looking */

static int pieces(const void *self)
{
    return ((const cst_super_helix *)self)->elements;
}

static void piece(const void *self, int index, cst_curve_piece *out)
{
    const cst_super_helix *rod = self;
    *out = (cst_curve_piece){.length = rod->material[index].length,
                             .radius = rod->radius[index],
                             .curvature = cst_helix_bending(rod->placed[index].u), /* constant along a helix */
                             .s = rod->arc[index],
                             .owner_length = rod->arc[rod->elements],
                             .owner_closed = rod->closed};
}

/* Computes a point of a helix and the tangent there. Arguments:
 *     `start`, `frame`: start point of the helix, and frame at this point.
 *     `u`: curvatures.
 *     `s`: arc length (m), positive.
 *     `tangent`: NULL if not needed. */
static inline void helix_at(const double *start, const double *frame, const double *u, double s, double *x, double *tangent)
{
    const cst_helix_maps m = cst_helix_place_maps(u, s);
    double local[3];
    cst_helix_place(&m, local);
    cst_apply3(frame, local, x);
    cst_add3(1.0, start, x);
    if (tangent) {
        cst_helix_tangent(&m, local);
        cst_apply3(frame, local, tangent);
    }
}

static void curve_of(const cst_helix_element *e, double s, double *x, double *tangent)
{
    if (s != 0.0) {
        helix_at(e->start, e->frame, e->u, s, x, tangent);
        return;
    }
    memcpy(x, e->start, sizeof e->start); /* bitwise equal to the stored start */
    for (int k = 0; tangent && k < 3; ++k)
        tangent[k] = e->frame[3 * k];
}

static void curve(const void *self, int index, double s, double *x, double *tangent)
{
    curve_of(&((const cst_super_helix *)self)->placed[index], s, x, tangent);
}

/* index of the first curvature in the array `pose` of an element, which contains its frame and then its curvatures */
enum { POSE_U = 9 };

/* Computes a hash key of the shape of each element; a changed key tells contact detection that the element has moved or changed
 * its shape. The key of an element is computed from its curvatures and its start. Only the key of element 0 also depends on the
 * frame, because the frames of the other elements follow from the shapes of the elements before them. */
static void shapes(const void *self, cst_piece_shape *out)
{
    const cst_super_helix *rod = self;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *e = &rod->placed[i];
        out[i].has_key = out[i].has_ends = true;
        cst_key_add_reals(&out[i].key, e->u, 3);
        cst_key_add_reals(&out[i].key, e->start, 3);
        if (i == 0)
            cst_key_add_reals(&out[i].key, e->frame, 9);
        for (int end = 0; end < 2; ++end)
            curve_of(e + end, 0.0, out[i].end[end], out[i].tangent[end]);
        memcpy(out[i].pose, e->frame, sizeof e->frame);
        memcpy(out[i].pose + POSE_U, e->u, sizeof e->u);
    }
}

static void inside(const cst_piece_shape *shape, double s, double *x)
{
    helix_at(shape->end[0], shape->pose, shape->pose + POSE_U, s, x, NULL);
}

/* Returns an upper bound of the distance (m) between a curve of length l and its chord. If the second derivative of a curve of
 * length l has a norm of at most a + s b at every arc length s, the distance of the curve from its chord at s is at most
 * `a*s*(l-s)/2+b*s*(l^2-s^2)/6`. */
static double off_chord(double l, double a, double b)
{
    static const double NINE_ROOTS_OF_3 = 15.588457268119894;
    return a * l * l / 8.0 + b * l * l * l / NINE_ROOTS_OF_3;
}

/* Change of the frame and of the curvatures of an element between two times. `turned`: Frobenius norm of the difference between
 * the rotation matrices of the frame at the two times, divided by sqrt(2). `curved`: norm of the change of the three curvatures.
 * `across`: norm of the change of the two bending curvatures, without the twist. */
typedef struct change {
    double turned, curved, across;
} change;

static change change_of(const double *frame_was, const double *u_was, const double *frame, const double *u)
{
    const double across[3] = {0.0, u[1] - u_was[1], u[2] - u_was[2]};
    double turned = 0.0, curved = 0.0;
    for (int k = 0; k < 9; ++k)
        turned += 0.5 * (frame[k] - frame_was[k]) * (frame[k] - frame_was[k]);
    for (int k = 0; k < 3; ++k)
        curved += (u[k] - u_was[k]) * (u[k] - u_was[k]);
    return (change){.turned = sqrt(turned), .curved = sqrt(curved), .across = cst_helix_bending(across)};
}

/* Returns an upper bound (m) of the error if, on each quarter of the length of an element, the displacements of its points
 * between two times are interpolated linearly.
 *
 * Between two times, the point of an element at the arc length s moves by D(s). With the tangent e = (1, 0, 0) in the frame of
 * the element, the derivatives of the displacement D along the element are:
 *     `D' = (R_1(s)-R_0(s))*e`.
 *     `D'' = R_1(s)*hat(u_1-u_0)*e+(R_1(s)-R_0(s))*hat(u_0)*e`.
 *
 * Symbols:
 *     `R_0`, `u_0`: frame and curvatures of the element at the earlier time.
 *     `R_1`, `u_1`: frame and curvatures of the element at the later time.
 *
 * The difference between the earlier and the later frame grows at most linearly along the element:
 *     `|R_1(s)-R_0(s)| <= |R_1(0)-R_0(0)|+s*|u_1-u_0|`.
 *
 * The norm of the second derivative of the displacement D along the element is therefore at most a + s b, with constants a and b.
 * The function off_chord computes the upper bound of the interpolation error of D from the constants a and b. */
static double drift(double length, const double *was, const double *is)
{
    const change by = change_of(was, was + POSE_U, is, is + POSE_U);
    const double l = length / CST_QUARTERS, bend = cst_helix_bending(was + POSE_U);
    /* arc length at the start of the last quarter of the element, where the bound of the interpolation error is largest */
    const double last = (CST_QUARTERS - 1) * l;
    return off_chord(l, by.across + bend * (by.turned + last * by.curved), bend * by.curved);
}

static void bow(const void *self, int index, double out[CST_QUARTERS - 1][3])
{
    const cst_super_helix *rod = self;
    const cst_helix_element *was = &rod->now[index], *is = &rod->placed[index];
    for (int i = 0; i < CST_QUARTERS - 1; ++i) {
        const double part = (i + 1.0) / CST_QUARTERS, s = part * rod->material[index].length;
        double x[2][3];
        curve_of(was, s, x[0], NULL);
        curve_of(is, s, x[1], NULL);
        for (int k = 0; k < 3; ++k)
            out[i][k] =
                x[1][k] - x[0][k] - (1.0 - part) * (is[0].start[k] - was[0].start[k]) - part * (is[1].start[k] - was[1].start[k]);
    }
}

static void moved(const void *self, cst_piece_move *out)
{
    const cst_super_helix *rod = self;
    for (int i = 0; i < rod->elements; ++i) {
        const cst_helix_element *was = &rod->now[i], *is = &rod->placed[i];
        const double l = rod->material[i].length, bend = cst_helix_bending(was->u);
        const change by = change_of(was->frame, was->u, is->frame, is->u);
        for (int k = 0; k < 3; ++k) {
            out[i].went.way[0][k] = is[0].start[k] - was[0].start[k];
            out[i].went.way[1][k] = is[1].start[k] - was[1].start[k];
        }
        out[i].turned = by.turned + l * by.curved;
        out[i].went.spread = off_chord(l, by.across + bend * by.turned, bend * by.curved);
        out[i].bend = bend;
        out[i].corner = 0.0;
    }
}

void cst_helix_position(const void *self, const cst_material_point *at, double *position)
{
    curve_of(&((const cst_super_helix *)self)->now[at->feature], at->s, position, NULL);
}

void cst_helix_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature)
{
    const cst_super_helix *rod = self;
    const cst_helix_element *e = &rod->now[at->feature];
    const cst_helix_maps m = cst_helix_maps_at(e->u, at->s);
    const double *rate = rod->rate + 3 * at->feature, *w = e->inertia_turn;
    double local[9], chord[3], bend[9], bent[3], inner[3];
    cst_helix_place(&m, local);
    cst_apply3(e->frame, local, chord);
    cst_helix_bend(&m, local);
    cst_product3(e->frame, local, bend);
    cst_apply3(bend, rate, bent);
    cst_helix_place_rate2(&m, rate, local);
    cst_apply3(e->frame, local, acceleration);
    cst_add3(1.0, e->bias, acceleration);
    cst_add_cross3(e->bias_turn, chord, acceleration);
    cst_cross3(w, chord, inner);
    cst_add3(2.0, bent, inner);
    cst_add_cross3(w, inner, acceleration);

    double turned[9], frame[9]; /* dt/ds = R (u x t) */
    const double across[3] = {0.0, e->u[2], -e->u[1]};
    cst_helix_frame(&m, turned);
    cst_product3(e->frame, turned, frame);
    cst_apply3(frame, across, curvature);
}

bool cst_helix_locate(const void *self, const cst_place *place, cst_material_point *out)
{
    const cst_super_helix *rod = self;
    int n = rod->elements;
    double length = rod->arc[n], s = place->at_end ? length : place->s;
    if (!(s >= 0.0 && s <= length))
        return false;
    int i = (int)(s / length * n); /* equal elements */
    i = i < n ? i : n - 1;
    while (i > 0 && s < rod->arc[i])
        --i;
    while (i < n - 1 && s >= rod->arc[i + 1])
        ++i;
    *out = (cst_material_point){.feature = i, .s = fmin(s - rod->arc[i], rod->material[i].length)};
    if (s == length)
        /* the end of the rod is exactly the end of the last element, without the rounding error of the summed lengths */
        out->s = rod->material[i].length;
    return true;
}

static cst_drawing draw(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const cst_super_helix *rod = self;
    int per_element = samples > 1 ? samples : 1, vertices = per_element * rod->elements + (rod->closed ? 0 : 1);
    for (int k = 0; k < vertices; ++k) {
        double share;
        const int i = cst_element_sample(k, per_element, rod->elements, &share);
        if (position)
            curve_of(&rod->now[i], share * rod->material[i].length, position + 3 * k, NULL);
        if (radius)
            radius[k] = rod->radius[i];
        if (curvature)
            curvature[k] = cst_helix_bending(rod->now[i].u);
    }
    return (cst_drawing){.as = CST_DRAWN_CURVE, .vertices = vertices, .closed = rod->closed};
}

CST_ROD_LOOK(cst_helix, cst_super_helix, elements, self_->material[self_->elements - 1].length);

const cst_body_surface cst_helix_surface = CST_FIBER_SURFACE(cst_helix_ways, inside, bow);
