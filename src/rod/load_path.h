/* The equilibrium of a clamped rod under a load that grows from zero, where the natural shape is the equilibrium.
 *
 * Newton's method on the potential energy E of the shape x (the curvatures of all elements), with the exact Hessian H:
 *
 *     (H + shift K) dx = -grad E,    x <- x + alpha dx
 *
 * shift: 0, or the first of 1e-3, 4e-3, ... for which the matrix is positive definite; alpha: small enough for no joint to turn by
 * more than half a radian, then halved until E falls (Armijo). The load grows by steps small enough for the shape to follow the
 * branch. An equilibrium with H not positive definite is none: the rod would leave it. */
#ifndef CST_ROD_LOAD_PATH_H
#define CST_ROD_LOAD_PATH_H

#include "base/arena.h"

/* What a family of rods says of a shape. */
typedef struct cst_load_path {
    void *rod;
    int size;       /* of a shape */
    int load_steps; /* at most */
    /* Some of the load has no potential (a moment fixed in direction, in space): its work is counted from the shape that a Newton step begins
     * at, and whether the equilibrium is stable is not asked. */
    bool from_here;

    /* E, the size of what it is the sum of, grad E and what H needs, under this share of the load. here: a Newton step begins. */
    void (*evaluate)(void *rod, double share, const double *shape, bool here);
    bool (*factor)(void *rod, double shift); /* H + shift K at the shape evaluated last; false: not positive definite */
    void (*solve)(const void *rod, double *x);
    double (*largest_turn)(const void *rod, const double *x); /* of a joint, if the shape changes by x */
    double (*imbalance)(const void *rod);                     /* N m: the largest moment out of balance */
    const double *gradient;                                   /* (size) */
    const double *energy, *rounding;
} cst_load_path;

/* N m: the share `tolerance` of the smaller of what the load can exert and what bends a rod of `elements` by one over its length, or what
 * rounding makes of them and of the moments in the natural shape, `bent`. */
double cst_load_path_goal(double tolerance, int elements, double load_moment, double bending_moment, double bent);

/* shape: the natural one, on return the equilibrium under the whole load, to moments of `goal`. Counts linear solves. False: the
 * message says how far the load could be raised. */
bool cst_load_path_follow(const cst_load_path *path, double goal, double *shape, int *iterations, cst_arena *arena, char *message,
                          size_t message_size);

#endif
