#include "collide/curve_pair.h"

#include <float.h>
#include <string.h>

#include "collide/fold.h"
#include "math/vector3.h"

/* Returns true if the distance to the curve `other` has a local minimum at the end `at` of the curve `piece`. `level`: largest
 * decrease of the distance per unit of arc length that is ignored. If the rod can fold such that this end of `piece` lies on
 * `other` (fold.h), the slope of the distance is tested only along `piece`, because the distance to `other` always decreases
 * along the edges of the rod between `piece` and `other`. */
static bool rests(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other, cst_on_piece on, const double *n,
                  double level)
{
    if (on == CST_PIECE_INSIDE && cst_piece_folds_at(piece, at, other))
        return (at == CST_PIECE_START ? cst_dot3(n, piece->t[0]) : -cst_dot3(n, piece->t[1])) >= -level;
    return cst_piece_rests(piece, at, n, level);
}

double cst_pair_normal(const cst_curve_pair *pair, const double *r, const double *t_a, const double *t_b, double *n)
{
    const double distance = sqrt(cst_dot3(r, r)), size = pair->side[0].segment->h + pair->side[1].segment->h;
    double across[3];
    cst_cross3(t_a, t_b, across);
    const double sine = cst_normalise3(across);
    if (distance > 1e-7 * size || (sine < 1e-6 && distance > 0.0)) {
        for (int k = 0; k < 3; ++k)
            n[k] = r[k] / distance;
        return distance;
    }
    if (!(sine > 0.0)) { /* the curves coincide: any perpendicular direction */
        const double *t = cst_dot3(t_a, t_a) > 0.0 ? t_a : t_b;
        int least = 0;
        for (int k = 1; k < 3; ++k)
            least = fabs(t[k]) < fabs(t[least]) ? k : least;
        for (int k = 0; k < 3; ++k)
            across[k] = (k == least) - t[least] * t[k];
        cst_normalise3(across);
    }
    double side = cst_dot3(across, r);
    if (side == 0.0) /* the curves cross: the normal points from the middle of segment b towards that of segment a */
        for (int k = 0; k < 3; ++k)
            side += across[k] * (pair->side[0].segment->x[0][k] + pair->side[0].segment->x[1][k] -
                                 pair->side[1].segment->x[0][k] - pair->side[1].segment->x[1][k]);
    for (int k = 0; k < 3; ++k)
        n[k] = side < 0.0 ? -across[k] : across[k];
    return distance;
}

void cst_pair_add(cst_curve_pair *pair, const cst_touch_space *touch)
{
    if (pair->count < CST_SPACE_TOUCHES_MAX)
        pair->out[pair->count++] = *touch;
}

bool cst_pair_place(const cst_curve_pair *pair, const double *u, const double x[2][3], cst_touch_space *touch)
{
    if (!(touch->gap < pair->rules->margin))
        return false;
    memcpy(touch->x_a, x[0], sizeof touch->x_a);
    memcpy(touch->x_b, x[1], sizeof touch->x_b);
    touch->s_a = cst_side_s(&pair->side[0], u[0]);
    touch->s_b = cst_side_s(&pair->side[1], u[1]);
    return true;
}

void cst_pair_propose_points(cst_curve_pair *pair, const double *u, const double x[2][3], const double t[2][3], uint32_t branch)
{
    double r[3];
    cst_subtract3(x[0], x[1], r);
    if (!(cst_dot3(r, r) < 1.0001 * pair->reach * pair->reach))
        return;
    cst_touch_space touch = {.branch = branch};
    const cst_placed_piece *a = pair->side[0].piece, *b = pair->side[1].piece;
    const double distance = cst_pair_normal(pair, r, t[0], t[1], touch.normal);
    touch.gap = distance - a->piece->radius - b->piece->radius;
    if (!cst_pair_place(pair, u, x, &touch))
        return;
    const cst_on_piece at_a = cst_side_place(&pair->side[0], u[0]), at_b = cst_side_place(&pair->side[1], u[1]);
    if (at_a != CST_PIECE_INSIDE || at_b != CST_PIECE_INSIDE) {
        /* The rounding errors of the two points make the normal uncertain; the tolerance `level` for the slope of the distance is
         * increased by this uncertainty. */
        const double size = fabs(touch.x_a[0]) + fabs(touch.x_a[1]) + fabs(touch.x_a[2]) + a->piece->length + b->piece->length;
        const double doubt = 4.0 * DBL_EPSILON * size + DBL_MIN;
        const double level = pair->level + 2.0 * doubt / (distance + doubt);
        const double back[3] = {-touch.normal[0], -touch.normal[1], -touch.normal[2]};
        if (!rests(a, at_a, b, at_b, touch.normal, level) || !rests(b, at_b, a, at_a, back, level))
            return;
    }
    cst_pair_add(pair, &touch);
}

void cst_pair_propose(cst_curve_pair *pair, const double *u, uint32_t branch)
{
    double x[2][3], t[2][3], s;
    for (int i = 0; i < 2; ++i)
        cst_side_at(&pair->side[i], u[i], &s, x[i], t[i]);
    cst_pair_propose_points(pair, u, x, t, branch);
}
