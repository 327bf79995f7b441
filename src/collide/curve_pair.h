/* The search for contacts of one pair of segments (distance_curve.h), and the test whether a pair of points is a contact. */
#ifndef CST_COLLIDE_CURVE_PAIR_H
#define CST_COLLIDE_CURVE_PAIR_H

#include "collide/curve_meeting.h"

enum { CST_PAIR_SEARCHES = 11 };

typedef struct cst_curve_pair {
    cst_curve_side side[2];
    cst_quartics quartic;
    double low[2], high[2]; /* of u */
    const cst_space_rules *rules;
    double reach, level;
    /* search distance (m) up to which Newton's method must find all minima of the distance; it determines the number of start
     * points */
    double effort;
    double doubt; /* bent segments: result of doubt_of */
    /* bent segments: a point beyond the end `end` of segment i has no contact with segment i if |phi| exceeds past[i][end] (m2;
     * phi: curve_apart.h) */
    double past[2][2];
    cst_touch_space *out;
    int count;
    int searches;
    double led_to[CST_PAIR_SEARCHES][2]; /* minima that earlier searches reached */
    double basin[CST_PAIR_SEARCHES];     /* value of f there; negative: unknown */
} cst_curve_pair;

/* Computes the unit vector n from curve b to curve a; if the curves cross, n is perpendicular to both. Returns the distance. */
double cst_pair_normal(const cst_curve_pair *pair, const double *r, const double *t_a, const double *t_b, double *n);

void cst_pair_add(cst_curve_pair *pair, const cst_touch_space *touch);

/* Writes the two points to the contact `touch`, whose gap is already set. Returns false if the gap exceeds the margin. */
bool cst_pair_place(const cst_curve_pair *pair, const double *u, const double x[2][3], cst_touch_space *touch);

/* Adds the pair of points x, with the tangents t, as a contact if its gap is below the margin. If one of the points is an end of
 * a centreline piece, the pair must also be a local minimum of the distance. */
void cst_pair_propose_points(cst_curve_pair *pair, const double *u, const double x[2][3], const double t[2][3], uint32_t branch);

void cst_pair_propose(cst_curve_pair *pair, const double *u, uint32_t branch);

#endif
