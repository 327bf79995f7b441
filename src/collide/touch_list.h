/* Touches of one pair while they are being found, and the test that makes a pair of points one. */
#ifndef CST_COLLIDE_TOUCH_LIST_H
#define CST_COLLIDE_TOUCH_LIST_H

#include "collide/distance_arc.h"

typedef struct cst_touch_list {
    const cst_placed_arc *a, *b; /* b NULL: a half-plane */
    cst_touch *item;             /* (CST_TOUCHES_MAX) */
    int count;
    cst_touch fallback; /* inside of a flat interval: touches if nothing else does */
    bool has_fallback;
} cst_touch_list;

void cst_touch_list_begin(cst_touch_list *list, const cst_placed_arc *a, const cst_placed_arc *b, cst_touch *item);

/* Unless it is there already. */
void cst_touch_list_add(cst_touch_list *list, const cst_arc_candidate *at, const double *n, double gap);
/* The same for a point inside a flat interval. */
void cst_touch_list_add_flat(cst_touch_list *list, const cst_arc_candidate *at, const double *n, double gap);

/* Numbers the branches: where on each arc, then the order along a. Returns the count. */
int cst_touch_list_end(cst_touch_list *list);

/* Slope below which sigma counts as level along the shorter of the two. b NULL: a half-plane. */
double cst_touch_level(const cst_placed_arc *a, const cst_placed_arc *b, double flat);

/* Does sigma rise from this end of the arc, on both sides of a joint? n points from the other shape to this arc. */
bool cst_arc_rests(const cst_placed_arc *arc, cst_on_arc at, const double *n, double target, double level);

/* `target` of a point of an arc (see distance_arc.h), n from it to the other. */
double cst_arc_target(const cst_placed_arc *arc, cst_on_arc at, const double *t, const double *n, double sigma);

/* Solid on at least one side. */
int cst_touch_solid(const cst_placed_arc *a, const cst_placed_arc *b, const cst_touch_rules *rules, cst_touch *out);

#endif
