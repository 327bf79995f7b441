/* Finds the equilibrium of a clamped rod by raising the load from zero; under zero load the natural shape is the equilibrium.
 *
 * Newton's method minimises the potential energy E as a function of the shape x (the curvatures of all elements). Each Newton
 * step uses the exact Hessian H of the energy, plus a multiple of the elastic stiffness K where H is not positive definite:
 *     `(H+shift K) dx = -grad E`.
 *     `x <- x + alpha dx`.
 *
 * The multiple `shift` of the elastic stiffness that is added to the Hessian is 0, or the first of 1e-3, 4e-3, ... for which
 * the sum is positive definite. The length of a Newton step is first limited so that no joint turns by more than half a radian,
 * and is then halved until the energy decreases enough (Armijo). The load increments are so small that the shape follows one
 * branch of equilibria, continuously from the natural shape. If the whole load has a potential, an unstable equilibrium is
 * rejected; in such an equilibrium, the Hessian of the energy is not positive definite. */
#ifndef CST_ROD_LOAD_PATH_H
#define CST_ROD_LOAD_PATH_H

#include "base/arena.h"

/* Functions of a rod model that evaluate the energy of a shape and its derivatives. */
typedef struct cst_load_path {
    void *rod;
    int size;       /* number of values of a shape */
    int load_steps; /* largest number of load steps */
    /* True if a part of the load has no potential (in 3D, a moment with fixed direction). The work of a load without potential is
     * measured from the shape at which a Newton step begins. Under a load without potential, the stability of an equilibrium is
     * not checked. */
    bool from_here;

    /* Computes the energy of a shape under a given fraction (`share`) of the load, the gradient of this energy, and the data for
     * its Hessian. Also computes the sum of the absolute values of all energy terms, which bounds the rounding error. `here`: a
     * Newton step begins. */
    void (*evaluate)(void *rod, double share, const double *shape, bool here);
    /* Factors the sum of two matrices at the last evaluated shape: the Hessian of the energy, and `shift` times the elastic
     * stiffness. Returns false if the sum is not positive definite. */
    bool (*factor)(void *rod, double shift);
    void (*solve)(const void *rod, double *x);
    /* returns the largest rotation (rad) of a joint of the rod if the shape changes by x */
    double (*largest_turn)(const void *rod, const double *x);
    double (*imbalance)(const void *rod); /* largest unbalanced moment (N m) */
    const double *gradient;               /* (size) */
    const double *energy, *rounding;
} cst_load_path;

/* Returns the unbalanced moment (N m) that is allowed in an equilibrium. The allowed unbalanced moment is `tolerance` times the
 * smaller of two moments: the largest moment of the load (`load_moment`), and the moment that bends the rod by one radian over
 * its length (`bending_moment`). The allowed unbalanced moment is never smaller than the rounding error of the moments in the
 * rod. The rounding error of the moments is estimated from the sum `load_moment` + `bent`, where `bent` is the largest moment
 * that is needed to straighten an element with natural curvature. */
double cst_load_path_goal(double tolerance, int elements, double load_moment, double bending_moment, double bent);

/* `shape`: on input, the natural shape of the rod; on return, its equilibrium under the whole load. `goal`: largest unbalanced
 * moment (N m) that is allowed in an equilibrium. Counts linear solves in `iterations`. If no equilibrium under the whole load is
 * found, returns false with a message that gives the fraction of the load up to which an equilibrium was found. */
bool cst_load_path_follow(const cst_load_path *path, double goal, double *shape, int *iterations, cst_arena *arena, char *message,
                          size_t message_size);

#endif
