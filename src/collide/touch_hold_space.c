/* Updates a contact after the shapes have moved: the contact keeps its material point on shape a, and the nearest point of shape
 * b is searched again.
 *
 * On a centreline, the nearest point is a zero of the function g(s), half the slope of the squared distance, where g(s)
 * increases:
 *     `g(s) = (x(s)-p).x'(s)`.
 *     `x(s)`: centreline of shape b.
 *     `p`: contact point on shape a.
 *
 * The search for the nearest point starts at the old nearest point and moves by secant steps towards decreasing distance, until
 * g(s), half the slope of the squared distance, changes its sign. At the end of a centreline piece, the search for the nearest
 * point continues on the joined piece. If the distance increases from a joint along each of the two joined pieces, the joint is
 * the nearest point.
 *
 * The nearest point of a convex solid follows from the signed distance and its gradient. If the contact point on shape a is
 * inside the solid and the nearest face has changed, the new point on the solid's surface is searched along the old normal, from
 * the contact point outwards. Each step along the old normal is as long as the distance of the current point from the nearest
 * face, so that no step passes the surface. On a mesh, the search moves from the old triangle to neighbouring triangles that are
 * nearer. */
#include <string.h>

#include "collide/centreline.h"
#include "collide/detect_space.h"
#include "collide/distance_solid_space.h"
#include "collide/mesh_space.h"
#include "math/vector3.h"

enum { STEPS_MOST = 60, PIECES_MOST = 16 };

/* Result of the search for the nearest point on one centreline piece: the nearest point of the centreline lies before the start
 * of this piece, on the piece, or behind its end. */
typedef enum foot_place { FOOT_BEFORE = -1, FOOT_ON = 0, FOOT_BEHIND = 1 } foot_place;

typedef struct slope {
    double s, g;
} slope;

static slope slope_at(const cst_piece *piece, const cst_curve_view *view, const double *x, double s)
{
    double y[3], t[3], way[3];
    view->at(view->user, piece->feature, s, y, t);
    cst_subtract3(y, x, way);
    return (slope){.s = s, .g = cst_dot3(way, t)};
}

static foot_place foot_on_chord(const cst_piece *piece, const cst_curve_view *view, const double *x, double *s)
{
    double from[3], to[3], chord[3], way[3];
    view->at(view->user, piece->feature, 0.0, from, NULL);
    view->at(view->user, piece->feature, piece->length, to, NULL);
    cst_subtract3(to, from, chord);
    cst_subtract3(x, from, way);
    const double length2 = cst_dot3(chord, chord), u = length2 > 0.0 ? cst_dot3(way, chord) / length2 : 0.0;
    *s = piece->length * fmax(0.0, fmin(1.0, u));
    return u < 0.0 ? FOOT_BEFORE : u > 1.0 ? FOOT_BEHIND : FOOT_ON;
}

/* Returns the arc length between `low` and `high` at which g, half the slope of the squared distance, is zero. The zero is found
 * by the Illinois method (a secant method that keeps the zero bracketed). */
static double root_between(const cst_piece *piece, const cst_curve_view *view, const double *x, slope low, slope high)
{
    int kept = 0;
    for (int i = 0; i < STEPS_MOST && high.s - low.s > 1e-15 * piece->length; ++i) {
        double s = low.s + (high.s - low.s) * (-low.g / (high.g - low.g));
        if (!(s > low.s && s < high.s))
            s = 0.5 * (low.s + high.s);
        if (!(s > low.s && s < high.s))
            break;
        const slope middle = slope_at(piece, view, x, s);
        if (fabs(middle.g) <= 1e-16 * piece->length)
            return s;
        const int keeps = middle.g < 0.0 ? 1 : -1;
        if (middle.g < 0.0) {
            low = middle;
            high.g *= kept == keeps ? 0.5 : 1.0;
        } else {
            high = middle;
            low.g *= kept == keeps ? 0.5 : 1.0;
        }
        kept = keeps;
    }
    return -low.g < high.g ? low.s : high.s;
}

static foot_place foot_on_curve(const cst_piece *piece, const cst_curve_view *view, const double *x, double *s)
{
    const double length = piece->length;
    slope here = slope_at(piece, view, x, fmax(0.0, fmin(length, *s)));
    double step = fabs(here.g);
    for (int i = 0; i < STEPS_MOST && here.g != 0.0; ++i) {
        const double way = here.g > 0.0 ? -1.0 : 1.0;
        if ((way < 0.0 && here.s <= 0.0) || (way > 0.0 && here.s >= length)) {
            *s = here.s;
            return way < 0.0 ? FOOT_BEFORE : FOOT_BEHIND;
        }
        const slope next = slope_at(piece, view, x, fmax(0.0, fmin(length, here.s + way * step)));
        if (next.s == here.s)
            break;
        if ((next.g >= 0.0) != (here.g >= 0.0)) {
            *s = way > 0.0 ? root_between(piece, view, x, here, next) : root_between(piece, view, x, next, here);
            return FOOT_ON;
        }
        const double rise = (next.g - here.g) / (next.s - here.s);
        /* The secant predicts where g, half the slope of the squared distance, is zero; the step goes 1 % farther, so that the
         * zero is bracketed. If g (half the slope of the squared distance) does not increase in the direction of the search, the
         * step is doubled. */
        step = rise > 0.0 ? fmin(4.0 * step, 1.01 * fabs(next.g) / rise + 1e-15 * length) : 2.0 * step;
        here = next;
    }
    *s = here.s;
    return FOOT_ON;
}

/* Returns the index of the piece joined to the end (way = 1) or to the start (way = -1) of a centreline piece; -1: none. */
static int32_t joined_to(const cst_space_scene *scene, int32_t index, int way)
{
    const cst_piece *piece = scene->piece, *here = &piece[index];
    int32_t other = index + way;
    if (other >= 0 && other < scene->pieces && piece[other].owner == here->owner)
        return cst_pieces_meet(&piece[way > 0 ? index : other], &piece[way > 0 ? other : index], false) ? other : -1;
    if (!here->owner_closed)
        return -1;
    other = index;
    while (other - way >= 0 && other - way < scene->pieces && piece[other - way].owner == here->owner)
        other -= way;
    return cst_pieces_meet(&piece[way > 0 ? index : other], &piece[way > 0 ? other : index], true) ? other : -1;
}

/* Returns true if the centreline piece `index` is straight, and is piece a itself or a piece joined to it. The search for the
 * nearest point stops when it passes a fold of the centreline and arrives at piece a or at a straight piece joined to it. Beyond
 * the fold, the search would end at the contact point on piece a itself, at the distance 0. */
static bool is_fold(const cst_space_scene *scene, int32_t index, int32_t a)
{
    return scene->piece[index].curvature == 0.0 && scene->piece[index].owner == scene->piece[a].owner &&
           (index == a || joined_to(scene, index, 1) == a || joined_to(scene, index, -1) == a);
}

/* Moves the contact point on shape b to the point of b's centreline that is nearest to the contact point on shape a. Returns
 * false if the search reaches a free end of the centreline or has passed PIECES_MOST pieces. */
static bool find_foot(const cst_space_scene *scene, cst_touch_space *touch)
{
    int32_t index = touch->b;
    double s = touch->s_b;
    foot_place place = FOOT_ON;
    int way = 0;
    for (int i = 0; i < PIECES_MOST; ++i) {
        const cst_piece *piece = &scene->piece[index];
        const cst_curve_view *view = &scene->curve[piece->owner];
        if (piece->length == 0.0) {
            s = 0.0;
            place = FOOT_ON;
        } else {
            place =
                piece->curvature == 0.0 ? foot_on_chord(piece, view, touch->x_a, &s) : foot_on_curve(piece, view, touch->x_a, &s);
        }
        touch->b = index;
        touch->s_b = s;
        if (place == FOOT_ON || (way != 0 && (int)place == -way)) /* the nearest point is a corner */
            return true;
        way = (int)place;
        index = joined_to(scene, index, way);
        if (index < 0)
            return false;
        /* at a fold, the search stops */
        if (is_fold(scene, index, touch->a))
            return true;
        s = way > 0 ? 0.0 : scene->piece[index].length;
    }
    return false;
}

/* Sets the contact normal to the direction of the vector `way`, from the contact point on b to the contact point on a. If the
 * direction of `way` is more than 90 degrees from the old contact normal, the new normal is opposite to `way`. Returns the
 * distance (m) of the two contact points, negative if the new normal points from the contact point on a to the one on b. */
static double keep_normal(const double *way, double size, cst_touch_space *touch)
{
    const double distance = sqrt(cst_dot3(way, way));
    if (!(distance > 1e-12 * size)) /* `way` is only rounding */
        return 0.0;
    const double sign = cst_dot3(way, touch->normal) >= 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k)
        touch->normal[k] = sign * way[k] / distance;
    return sign * distance;
}

static bool hold_on_piece(const cst_space_scene *scene, cst_touch_space *touch)
{
    const bool on = find_foot(scene, touch);
    const cst_piece *a = &scene->piece[touch->a], *b = &scene->piece[touch->b];
    const cst_curve_view *view = &scene->curve[b->owner];
    double way[3];
    view->at(view->user, b->feature, touch->s_b, touch->x_b, NULL);
    cst_subtract3(touch->x_a, touch->x_b, way);
    touch->gap = keep_normal(way, a->radius + b->radius, touch) - a->radius - b->radius;
    return on;
}

static void hold_on_mesh(const cst_solid *solid, cst_touch_space *touch)
{
    double from[3], local[3], foot[3], way[3];
    cst_subtract3(touch->x_a, solid->position, from);
    cst_apply_transposed3(solid->frame, from, local);
    touch->part = cst_mesh_space_nearest(solid->mesh, local, touch->part, foot);
    cst_apply3(solid->frame, foot, touch->x_b);
    cst_add3(1.0, solid->position, touch->x_b);
    cst_subtract3(touch->x_a, touch->x_b, way);
    touch->gap = keep_normal(way, sqrt(cst_dot3(touch->x_a, touch->x_a)), touch) - solid->rounding;
    cst_add3(solid->rounding, touch->normal, touch->x_b);
}

static void hold_on_convex(const cst_solid *solid, cst_touch_space *touch)
{
    double normal[3];
    const double phi = cst_solid_distance(solid, touch->x_a, normal);
    memcpy(touch->x_b, touch->x_a, sizeof touch->x_b);
    /* TURNED: least cosine of the angle between the old and the new normal for which the nearest face of a penetrated solid
     * counts as unchanged. While a contact point moves inside a solid, its nearest face can change near an edge and in a thin
     * solid. */
    static const double TURNED = 0.7;
    const bool inside = phi + solid->rounding <= 1e-12 * (fabs(phi) + solid->size[0]);
    if (!inside || cst_dot3(normal, touch->normal) >= TURNED) {
        cst_add3(-phi, normal, touch->x_b);
        touch->gap = phi;
    } else {
        double out = phi, way[3];
        for (int i = 0; i < STEPS_MOST && out < 0.0; ++i) {
            cst_add3(-out, touch->normal, touch->x_b);
            out = cst_solid_distance(solid, touch->x_b, normal);
        }
        cst_subtract3(touch->x_a, touch->x_b, way);
        touch->gap = cst_dot3(way, normal);
    }
    memcpy(touch->normal, normal, sizeof normal);
}

bool cst_touch_space_hold(const cst_space_scene *scene, cst_touch_space *touch)
{
    const cst_piece *a = &scene->piece[touch->a];
    const cst_curve_view *view = &scene->curve[a->owner];
    view->at(view->user, a->feature, touch->s_a, touch->x_a, NULL);
    if (!isfinite(touch->x_a[0] + touch->x_a[1] + touch->x_a[2]))
        return false;
    if (touch->b < scene->pieces)
        return hold_on_piece(scene, touch) && isfinite(touch->gap);
    const cst_solid *solid = &scene->solid[touch->b - scene->pieces];
    if (!cst_solid_usable(solid))
        return false;
    if (solid->kind == CST_SOLID_MESH)
        hold_on_mesh(solid, touch);
    else
        hold_on_convex(solid, touch);
    touch->gap -= a->radius;
    touch->s_b = 0.0;
    return isfinite(touch->gap);
}
