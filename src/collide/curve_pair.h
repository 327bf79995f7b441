/* The contact search of one pair of segments (distance_curve.h). */
#ifndef CST_COLLIDE_CURVE_PAIR_H
#define CST_COLLIDE_CURVE_PAIR_H

#include "collide/curve_meeting.h"

enum { CST_PAIR_SEARCHES = 11 };

typedef struct cst_curve_pair {
    cst_curve_side side[2];
    cst_quartics quartic;
    double low[2], high[2]; /* allowed range of u */
    const cst_space_rules *rules;
    double reach, level;
    /* distance (m) of the two curves up to which Newton's method must find every minimum of the distance */
    double effort;
    double doubt; /* bent segments: result of doubt_of */
    /* bent segments: limits (m2) that exclude contacts beyond the ends of the segments (curve_apart.h). A point y beyond an end x
     * of segment i (end = 0: start, 1: end) has no contact with this segment if |(y - x).x'| exceeds past[i][end], where x' is
     * the unit tangent at x times the segment's length. */
    double past[2][2];
    cst_touch_space *out;
    int count;
    int searches;
    double led_to[CST_PAIR_SEARCHES][2]; /* minima found by earlier searches */
    double basin[CST_PAIR_SEARCHES];     /* value of f there; negative: unknown */
} cst_curve_pair;

/* Computes the unit normal n from curve b to curve a, given the vector r from b's point to a's point. If the curves cross, the
 * normal is perpendicular to the tangents t_a and t_b. Returns the length of r. */
double cst_pair_normal(const cst_curve_pair *pair, const double *r, const double *t_a, const double *t_b, double *n);

void cst_pair_add(cst_curve_pair *pair, const cst_touch_space *touch);

/* Writes the points x[0] and x[1], and their arc lengths, to the contact *touch, whose gap is already set. Returns false, and
 * writes nothing, if the gap of the contact is not below the contact margin. */
bool cst_pair_place(const cst_curve_pair *pair, const double *u, const double x[2][3], cst_touch_space *touch);

/* Adds the points x[0] and x[1] as a contact if their gap is below the contact margin. If one of the points is an end of a
 * centreline piece (an element of the centreline), the distance must also have a local minimum at this end. */
void cst_pair_propose_points(cst_curve_pair *pair, const double *u, const double x[2][3], const double t[2][3], uint32_t branch);

void cst_pair_propose(cst_curve_pair *pair, const double *u, uint32_t branch);

#endif
