/* List of the contacts of two planar shapes, and tests whether a pair of points is a contact. */
#ifndef CST_COLLIDE_TOUCH_LIST_H
#define CST_COLLIDE_TOUCH_LIST_H

#include "collide/distance_arc.h"

#define CST_LEVEL 1e-9 /* largest slope of the distance along an arc that counts as zero */

/* Result of the test whether the distance between an arc and another shape has a local minimum at a given point of the arc.
 * CST_REST_PERHAPS: the slope of the distance is zero at the given point, but farther along the arc the distance is constant or
 * decreases. */
typedef enum cst_rest { CST_REST_NO = 0, CST_REST_PERHAPS, CST_REST_YES } cst_rest;

typedef struct cst_touch_list {
    const cst_placed_arc *a, *b; /* b NULL: half-plane */
    cst_touch *item;             /* array (CST_TOUCHES_MAX) */
    int count;
    cst_touch fallback; /* possible contact that is used only if the two shapes have no other contact */
    bool has_fallback;
} cst_touch_list;

void cst_touch_list_begin(cst_touch_list *list, const cst_placed_arc *a, const cst_placed_arc *b, cst_touch *item);

/* Adds a contact at a local minimum of the distance (rest = CST_REST_YES) to the list. If the list already has a contact at the
 * same place, only one of the two contacts is kept: the contact with fewer points at ends of arcs. A contact with rest =
 * CST_REST_PERHAPS, for example inside an interval of constant distance, is used only if the two shapes have no other contact. */
void cst_touch_list_add(cst_touch_list *list, cst_rest rest, const cst_arc_candidate *at, const double *n, double gap);

/* Returns the field `branch`, which identifies a contact among the contacts of two arcs. The field `branch` encodes whether the
 * contact is inside, at the start or at the end of each arc. If several contacts have the same `branch`, cst_touch_list_end makes
 * these values different. */
static inline uint8_t cst_branch(cst_on_arc at_a, cst_on_arc at_b)
{
    return (uint8_t)(8 * (at_a + 3 * at_b));
}

/* Returns how many of the two points of a contact are ends of arcs. Of two contacts at the same point, the contact with fewer
 * points at ends of arcs has the more accurate normal. */
static inline int cst_ends_touched(const cst_touch *touch)
{
    return (touch->branch / 8 % 3 != CST_INSIDE) + (touch->branch / 24 != CST_INSIDE);
}

/* Sorts the contacts and makes their fields `branch` unique. Returns the number of contacts. */
int cst_touch_list_end(cst_touch_list *list);

/* Returns the tolerance for the slope of the distance along two arcs: the gap tolerance `flat` (m) divided by the length of the
 * shorter arc, but at least CST_LEVEL. If b is NULL, the second shape is a half-plane. */
double cst_touch_level(const cst_placed_arc *a, const cst_placed_arc *b, double flat);

/* Tests if the signed distance between an arc and another shape increases from one end of the arc towards its other end. At the
 * start of an arc that is joined to a previous arc, the distance must increase along both arcs.
 *     `n`: unit vector from the other shape to the arc.
 *     `target`: see cst_arc_target.
 *     `level`: tolerance for the slope. */
cst_rest cst_arc_rests(const cst_placed_arc *arc, cst_on_arc at, const double *n, double target, double level);

/* Tests if the distance has a local minimum at a point inside an arc where the slope of the distance along the arc is zero.
 * `rise`: change of the slope of the distance over the length of the arc. */
static inline cst_rest cst_rest_inside(double rise)
{
    return rise > CST_LEVEL ? CST_REST_YES : rise > -CST_LEVEL ? CST_REST_PERHAPS : CST_REST_NO;
}

/* Returns the second derivative (1/m) of the distance from an arc to a point that moves on a straight line perpendicular to `n`.
 * This second derivative is the term `target` in distance_arc.h.
 *     `t`: unit tangent of the arc.
 *     `n`: unit vector from the arc to the other shape.
 *     `sigma`: signed distance (m). */
double cst_arc_target(const cst_placed_arc *arc, cst_on_arc at, const double *t, const double *n, double sigma);

/* Finds the contacts of two arcs, at least one of which is the boundary of a solid. */
int cst_touch_solid(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

#endif
