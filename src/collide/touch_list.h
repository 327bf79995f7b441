/* Touches of one pair while they are being found, and the test that makes a pair of points one. */
#ifndef CST_COLLIDE_TOUCH_LIST_H
#define CST_COLLIDE_TOUCH_LIST_H

#include "collide/distance_arc.h"

#define CST_LEVEL 1e-9 /* change of slope along an arc below which it is level */

/* Is a point a minimum along an arc? PERHAPS: level to rounding there, but the arc falls away farther on. */
typedef enum cst_rest { CST_REST_NO = 0, CST_REST_PERHAPS, CST_REST_YES } cst_rest;

typedef struct cst_touch_list {
    const cst_placed_arc *a, *b; /* b NULL: a half-plane */
    cst_touch *item;             /* (CST_TOUCHES_MAX) */
    int count;
    cst_touch fallback; /* nearest of those that touch if nothing else does */
    bool has_fallback;
} cst_touch_list;

void cst_touch_list_begin(cst_touch_list *list, const cst_placed_arc *a, const cst_placed_arc *b, cst_touch *item);

/* YES: added, unless it is there already (then the better normal stays). PERHAPS (also the inside of a level interval): touches if
 * nothing else of the pair does. */
void cst_touch_list_add(cst_touch_list *list, cst_rest rest, const cst_arc_candidate *at, const double *n, double gap);

/* A branch says where on each arc, and which in the order along a of those that are alike. */
static inline uint8_t cst_branch(cst_on_arc at_a, cst_on_arc at_b)
{
    return (uint8_t)(8 * (at_a + 3 * at_b));
}

/* How many of the two points are ends. Of two touches at one place the one with fewer has the better normal. */
static inline int cst_ends_touched(const cst_touch *touch)
{
    return (touch->branch / 8 % 3 != CST_INSIDE) + (touch->branch / 24 != CST_INSIDE);
}

/* Orders and numbers the branches. Returns the count. */
int cst_touch_list_end(cst_touch_list *list);

/* Slope up to which an end counts as one of a flat interval, from `flat` and the shorter arc. b NULL: a half-plane. */
double cst_touch_level(const cst_placed_arc *a, const cst_placed_arc *b, double flat);

/* Does sigma rise from this end of the arc, on both sides of a joint? n points from the other shape to this arc. */
cst_rest cst_arc_rests(const cst_placed_arc *arc, cst_on_arc at, const double *n, double target, double level);

/* The same inside an arc, where the slope vanishes; rise is the change of slope along the arc. */
static inline cst_rest cst_rest_inside(double rise)
{
    return rise > CST_LEVEL ? CST_REST_YES : rise > -CST_LEVEL ? CST_REST_PERHAPS : CST_REST_NO;
}

/* `target` of a point of an arc (see distance_arc.h), n from it to the other. */
double cst_arc_target(const cst_placed_arc *arc, cst_on_arc at, const double *t, const double *n, double sigma);

/* Solid on at least one side. */
int cst_touch_solid(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

#endif
