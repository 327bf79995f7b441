#include "groom/comb.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

static const double parting_width = 0.04, parting_height = 0.07, parting_end = -0.05, whorl_width = 0.06,
                    back_depth = 0.04; /* m */
/* keep: the direction of each step of a hair's path is the weighted mean of the direction of the previous step (weight `keep`)
 * and the combed direction (weight 1 - keep). A larger value of keep makes the path smoother. */
static const double keep = 0.55;
/* climb: path length (m) after which a hair has reached half of its total rise above the surface */
static const double climb = 0.03;

static void to_scalp(const cst_comb *comb, const double *x, double *p)
{
    double from[3];
    cst_subtract3(x, comb->position, from);
    cst_apply_transposed3(comb->frame, from, p);
}

static double falling(double d, double width)
{
    return 1.0 / (1.0 + (d / width) * (d / width));
}

static void direction_at(const cst_comb *comb, const double *x, double sign, double *out)
{
    double p[3], own[3] = {0}, turned[3];
    if (comb->to_tie) {
        cst_subtract3(comb->tie, x, out);
        cst_normalise3(out);
        return;
    }
    to_scalp(comb, x, p);
    if (comb->parted) {
        const double near = falling(p[1] - comb->parting, parting_width),
                     below = falling(fmin(p[2] - parting_height, 0.0), parting_width);
        own[1] = sign * comb->side * near * below * falling(fmin(p[0] - parting_end, 0.0), parting_width);
    } else {
        double away[3] = {p[0] - comb->whorl[0], p[1] - comb->whorl[1], 0.0};
        const double d = cst_normalise3(away);
        cst_add3(comb->side * falling(d, whorl_width), away, own);
    }
    own[0] -= comb->back * falling(fmin(p[2], 0.0), back_depth);
    cst_apply3(comb->frame, own, turned);
    memcpy(out, comb->down, 3 * sizeof *out);
    cst_add3(1.0, turned, out);
}

/* Changes the direction t of a hair at its root so that the hair rises from the scalp. First, t is projected onto the tangent
 * plane of the scalp and normalised. Then comb->rise times the unit normal is added to t, and the sum is normalised. */
static void raise_root(const cst_comb *comb, const double *normal, double *t)
{
    cst_add3(-cst_dot3(t, normal), normal, t);
    cst_normalise3(t);
    cst_add3(comb->rise, normal, t);
    cst_normalise3(t);
}

void cst_comb_growth(const cst_comb *comb, const double normal[3], double t[3])
{
    cst_apply3(comb->frame, comb->growth, t);
    raise_root(comb, normal, t);
}

/* State of a hair's path while its points are computed: its current direction t, and the side of the parting (sign +1: left, -1:
 * right). */
typedef struct walk {
    const cst_comb *comb;
    cst_groom_field *field;
    double t[3], sign;
} walk;

static walk set_out(const cst_comb *comb, cst_groom_field *field, const double *root, const double *normal)
{
    walk w = {.comb = comb, .field = field};
    double p[3];
    to_scalp(comb, root, p);
    w.sign = p[1] < comb->parting ? -1.0 : 1.0;
    if (comb->grown) {
        cst_comb_growth(comb, normal, w.t);
    } else {
        direction_at(comb, root, w.sign, w.t);
        raise_root(comb, normal, w.t);
    }
    return w;
}

/* Computes the next point of a hair's path. If the next point is nearer than `over` (m) to a surface, it is moved away from the
 * surface, at most three times. */
static void go_on(walk *w, const double *from, double over, double step, double *to)
{
    double wanted[3], away[3], gone[3], *t = w->t;
    direction_at(w->comb, from, w->sign, wanted);
    const double near = cst_groom_distance_least(w->field, from, 2.0 * over + step, away);
    const double into = cst_dot3(wanted, away);
    if (near < 2.0 * over + step && into < 0.0)
        cst_add3(-into, away, wanted);
    cst_normalise3(wanted);
    for (int k = 0; k < 3; k++)
        t[k] = keep * t[k] + (1.0 - keep) * wanted[k];
    cst_normalise3(t);
    memcpy(to, from, 3 * sizeof *to);
    cst_add3(step, t, to);
    for (int k = 0; k < 3;
         k++) { /* move the path's point out of the surface along the gradient of the distance, computed anew for each move */
        const double d = cst_groom_distance_least(w->field, to, over, away);
        if (d >= over || !(cst_normalise3(away) > 0.0))
            break;
        cst_add3(over - d, away, to);
    }
    cst_subtract3(to, from, gone);
    if (cst_normalise3(gone) > 0.0) {
        memcpy(t, gone, sizeof gone);
        memcpy(to, from, 3 * sizeof *to);
        cst_add3(step, t, to); /* hair does not stretch */
    }
}

void cst_comb_way(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3], double clearance,
                  double height, double step, int steps, double *point)
{
    walk w = set_out(comb, field, root, normal);
    memcpy(point, root, 3 * sizeof *point);
    for (int i = 0; i < steps; i++) {
        const double s = step * (i + 1);
        go_on(&w, point + 3 * i, clearance + height * s / (s + climb), step, point + 3 * (i + 1));
    }
}

double cst_comb_length_to_tie(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3],
                              double clearance, double step, double most)
{
    walk w = set_out(comb, field, root, normal);
    double here[3], next[3], off[3], least = INFINITY, length = 0.0;
    memcpy(here, root, sizeof here);
    for (int i = 0; i * step < most; i++) {
        cst_subtract3(here, comb->tie, off);
        const double d = sqrt(cst_dot3(off, off));
        if (d < least) {
            least = d;
            length = i * step;
        }
        if (d <= comb->tie_reach)
            break;
        go_on(&w, here, clearance, step, next);
        memcpy(here, next, sizeof here);
    }
    return fmax(length, step);
}

void cst_comb_outward(const cst_comb *comb, cst_groom_field *field, double reach, const double x[3], double out[3])
{
    double p[3], level[3], away[3];
    to_scalp(comb, x, p);
    p[2] = 0.0;
    cst_normalise3(p);
    cst_apply3(comb->frame, p, level);
    const double d = cst_groom_distance_least(field, x, reach, away), near = fmin(fmax(2.0 * (reach - d) / reach, 0.0), 1.0);
    cst_normalise3(away);
    for (int k = 0; k < 3; k++)
        out[k] = near * away[k] + (1.0 - near) * level[k];
    if (!(cst_normalise3(out) > 0.0))
        memcpy(out, level, sizeof level);
}
