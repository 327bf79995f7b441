/* Half of a symmetric rod on one disk, its middle pushed step by step through equilibria: three-point bending, snap-fit.
 *
 * The start of the rod is the middle of the whole: clamped and moved down the y axis by given depths, one quasi-static, iterated step
 * each. No gravity, hardly any mass; forces act on the centreline, as in the theories it is held against. */
#ifndef CST_VALIDATE_PHYSICS_PUSHED_ROD_H
#define CST_VALIDATE_PHYSICS_PUSHED_ROD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_pushed_rod {
    int elements;
    double length, natural_curvature;
    double radius;  /* of contact */
    double height;  /* y of the start, at x = 0 and depth 0; the rod starts along x */
    double disk[2]; /* the disk's centre */
    double disk_radius;
    double mu;
} cst_pushed_rod;

/* The state after a step. */
typedef struct cst_pushed_state {
    double depth;
    double force;   /* downwards on the middle of the whole rod */
    double normal;  /* of the contact: force, 0 if it is open */
    double ratio;   /* tangential over normal force, positive along the rod; NaN without contact */
    double s;       /* arc length of the contact */
    double slope;   /* angle of the normal from y, counter-clockwise */
    double error;   /* residual E of friction */
    int iterations; /* of Newton */
    bool converged; /* and the tolerance of friction was met */
} cst_pushed_state;

/* depth: (count) where the middle is pushed to, from 0. state: (count). False and a message if a step failed. */
bool cst_pushed_rod_run(const cst_pushed_rod *rod, const double *depth, int count, cst_pushed_state *state, char *message,
                        size_t message_size);

/* Force where the depth, or the slope of the contact, is `at`: of the cubic through the four nearest states of a monotone run; NaN
 * outside it. */
double cst_pushed_force_at_depth(const cst_pushed_state *state, int count, double at);
double cst_pushed_force_at_slope(const cst_pushed_state *state, int count, double at);

/* Largest force times sign; between states by a parabola, unless the contact changes between sticking and sliding there. */
double cst_pushed_peak(const cst_pushed_state *state, int count, double sign);

#endif
