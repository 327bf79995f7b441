#include "world/contact_hold.h"

#include <math.h>

#include "collide/placed_arc.h"

/* Nearest point p of side b to x, and its material coordinate. False: beyond the ends of the feature. */
static bool nearest_on_arc(const cst_arc *arc, const double *x, double *along, double *p)
{
    cst_placed_arc placed;
    cst_place_arc(arc, &placed);
    *along = 0.0;
    if (arc->l > 0.0 && !cst_arc_foot(&placed, x, 0.0, along))
        return false;
    cst_arc_at(&placed, *along, p, NULL);
    return true;
}

static bool hold_on_half_plane(const cst_attempt *attempt, const double *x, cst_contact *out)
{
    const cst_half_plane *plane = attempt->half_plane + (out->shape[1] - attempt->scene.arcs);
    out->normal[0] = plane->normal[0];
    out->normal[1] = plane->normal[1];
    out->gap = cst_dot2(plane->normal, x) - plane->height - out->a.radius;
    out->b.s = out->b.along = cst_cross2(plane->normal, x);
    return true;
}

/* The normal keeps to the side it was on, so that what has gone through is pushed back. */
static bool hold_on_arc(const cst_attempt *attempt, const double *x, cst_contact *out)
{
    const cst_arc *arc = attempt->arc + out->shape[1];
    double p[2], along;
    if (!nearest_on_arc(arc, x, &along, p))
        return false;
    const double way[2] = {x[0] - p[0], x[1] - p[1]}, distance = hypot(way[0], way[1]);
    if (!(distance > 0.0))
        return false;
    const double sign = cst_dot2(way, out->normal) >= 0.0 ? 1.0 : -1.0;
    out->normal[0] = sign * way[0] / distance;
    out->normal[1] = sign * way[1] / distance;
    out->gap = sign * distance - out->a.radius - out->b.radius;
    if (arc->hollow)
        out->gap = arc->radius - distance - out->a.radius;
    out->b.along = along;
    out->b.s = arc->s + along;
    return true;
}

bool cst_contact_hold(const cst_attempt *attempt, const cst_contact *before, cst_contact *out)
{
    const cst_world *world = attempt->world;
    const int body = cst_owner_index(before->a.owner), other = cst_owner_index(before->b.owner);
    cst_placed_arc a;
    double x[2];
    if (attempt->first_arc_of_body[body] < 0 || (cst_owner_is_body(before->b.owner) && attempt->first_arc_of_body[other] < 0))
        return false;
    *out = *before;
    out->shape[0] = attempt->first_arc_of_body[body] + before->a.feature;
    if (cst_owner_is_body(before->b.owner))
        out->shape[1] = attempt->first_arc_of_body[other] + before->b.feature;
    else
        out->shape[1] = attempt->first_shape_of_obstacle[other] + before->b.feature;
    cst_place_arc(attempt->arc + out->shape[0], &a);
    cst_arc_at(&a, before->a.along, x, NULL);
    const bool on_plane = !cst_owner_is_body(before->b.owner) && world->obstacle[other].def.shape == CST_OBSTACLE_HALF_PLANE;
    const double margin =
        attempt->margin[out->shape[0]] +
        (on_plane ? attempt->half_plane_margin[out->shape[1] - attempt->scene.arcs] : attempt->margin[out->shape[1]]);
    return (on_plane ? hold_on_half_plane(attempt, x, out) : hold_on_arc(attempt, x, out)) && out->gap < margin;
}
