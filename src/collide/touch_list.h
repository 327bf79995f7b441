/* The list of contacts of one pair of shapes, and the tests that decide if a pair of points is a contact. */
#ifndef CST_COLLIDE_TOUCH_LIST_H
#define CST_COLLIDE_TOUCH_LIST_H

#include "collide/distance_arc.h"

#define CST_LEVEL 1e-9 /* largest change of the slope of the distance along an arc at which the distance counts as constant */

/* Answer to the question whether the distance to the other shape, along an arc, has a local minimum at a given point of the arc.
 * CST_REST_PERHAPS means that the slope of the distance is zero up to rounding at the given point, but the distance is constant
 * or decreases farther along the arc. */
typedef enum cst_rest { CST_REST_NO = 0, CST_REST_PERHAPS, CST_REST_YES } cst_rest;

typedef struct cst_touch_list {
    const cst_placed_arc *a, *b; /* b NULL: a half-plane */
    cst_touch *item;             /* (CST_TOUCHES_MAX) */
    int count;
    cst_touch fallback; /* used without any other contact */
    bool has_fallback;
} cst_touch_list;

void cst_touch_list_begin(cst_touch_list *list, const cst_placed_arc *a, const cst_placed_arc *b, cst_touch *item);

/* A contact at a local minimum of the distance (rest = CST_REST_YES) is added to the list of contacts. If the list of contacts
 * already has a contact at the same point, only one of these two contacts remains in the list, the one with fewer points at ends
 * of arcs. A contact with rest = CST_REST_PERHAPS, for example inside an interval of constant distance, is used only if the pair
 * of shapes has no other contact. */
void cst_touch_list_add(cst_touch_list *list, cst_rest rest, const cst_arc_candidate *at, const double *n, double gap);

/* The field `branch` identifies a contact among the contacts of a pair of arcs. The field `branch` encodes the position of the
 * contact on each arc (inside, at the start or at the end), and a rank among the contacts with equal positions. */
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

/* Orders and numbers the branches. Returns the count. */
int cst_touch_list_end(cst_touch_list *list);

/* Returns a tolerance for the slope of the distance along two arcs: the gap tolerance `flat` (m) divided by the length of the
 * shorter arc, but at least CST_LEVEL. At an end of an arc, the distance between the arc and the other shape counts as constant
 * if its slope along the arc is smaller than the returned tolerance. If b is NULL, the other shape is a half-plane instead of an
 * arc. */
double cst_touch_level(const cst_placed_arc *a, const cst_placed_arc *b, double flat);

/* Decides if the signed distance to the other shape increases away from an end of an arc; at a joint, it must increase along
 * both joined arcs. `n`: unit vector from the other shape to `arc`. */
cst_rest cst_arc_rests(const cst_placed_arc *arc, cst_on_arc at, const double *n, double target, double level);

/* Decides if the distance has a local minimum at a point inside an arc, where its slope along the arc is zero. `rise`: change of
 * the slope of the distance over the length of the arc. */
static inline cst_rest cst_rest_inside(double rise)
{
    return rise > CST_LEVEL ? CST_REST_YES : rise > -CST_LEVEL ? CST_REST_PERHAPS : CST_REST_NO;
}

/* The second derivative of the signed distance along the other shape has a term that depends on the given arc; the function
 * returns this term (`target` in distance_arc.h). `n`: unit vector from the arc to the other shape. */
double cst_arc_target(const cst_placed_arc *arc, cst_on_arc at, const double *t, const double *n, double sigma);

/* Finds the contacts of two arcs, at least one of which is the boundary of a solid. */
int cst_touch_solid(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

#endif
