/* Finds the equilibrium of a clamped rod by raising the load from zero. Under zero load, the equilibrium is the natural shape. At
 * each load, Newton's method minimises the potential energy of the rod. Symbols:
 *     `x`: curvatures of all elements.
 *     `E`: potential energy of the shape.
 *     `H`: Hessian of the potential energy.
 *     `K`: elastic stiffness.
 *     `shift`: factor of the elastic stiffness K: the first of 0, 1e-3, 4e-3, ... with which H + shift K is positive definite.
 *     `alpha`: fraction of the Newton step.
 *
 * One Newton step is:
 *     `(H+shift*K)*dx = -grad E`.
 *     `x <- x + alpha*dx`.
 *
 * A Newton step is shortened so that no joint turns by more than half a radian, and then halved until the energy decreases enough
 * (Armijo). A load increment is divided by 4 if Newton's method fails or a joint turns by more than 0.35 rad, but it is never
 * less than 1e-7 of the load. Small load increments keep the shape on the branch of equilibria that begins at the natural shape.
 * If the load has a potential, an equilibrium whose Hessian is not positive definite is unstable, and it is rejected. */
#ifndef CST_ROD_LOAD_PATH_H
#define CST_ROD_LOAD_PATH_H

#include "base/arena.h"

/* Functions of a rod model that compute the energy of a shape and its derivatives. */
typedef struct cst_load_path {
    void *rod;
    int size;       /* number of values of a shape */
    int load_steps; /* largest number of load steps */
    /* True if a part of the load has no potential (in 3D, a moment with fixed direction). The work of a load without potential
     * depends on the path of the rod, so the code computes only its work since the start of the present Newton step. Under a load
     * without potential, the code does not check whether an equilibrium is stable. */
    bool from_here;

    /* Computes the energy of a shape under the fraction `share` of the load, the gradient of the energy, and the data for its
     * Hessian. Also computes `rounding`, the sum of the absolute values of all energy terms; the rounding error of the energy is
     * proportional to this sum. `here`: true if the given shape is the start of a Newton step; the work of a load without
     * potential is then counted from this shape. */
    void (*evaluate)(void *rod, double share, const double *shape, bool here);
    /* Factors the sum of two matrices: the Hessian of the energy at the last evaluated shape, and `shift` times the elastic
     * stiffness. Returns false if the sum of the two matrices is not positive definite. */
    bool (*factor)(void *rod, double shift);
    void (*solve)(const void *rod, double *x);
    /* returns the largest rotation (rad) of a joint if the curvatures of the elements change by x */
    double (*largest_turn)(const void *rod, const double *x);
    double (*imbalance)(const void *rod); /* largest unbalanced moment (N m) */
    const double *gradient;               /* (size) */
    const double *energy, *rounding;
} cst_load_path;

/* Returns the error limit of an equilibrium: a shape counts as an equilibrium if no unbalanced moment (N m) exceeds this limit.
 * The limit of the unbalanced moment is `tolerance` times the smaller of `load_moment` and `bending_moment`, but at least the
 * rounding error of the moments in the rod. Parameters:
 *     `load_moment`: upper bound of the moment (N m) that the whole load causes at any point of the rod.
 *     `bending_moment`: moment that bends the rod by one radian over its length.
 *     `bent`: moment (N m) that straightens a naturally curved element; the largest value of all elements. */
double cst_load_path_goal(double tolerance, int elements, double load_moment, double bending_moment, double bent);

/* Raises the load from zero to the whole load in steps, and computes the equilibrium of the rod at each step. `shape`: on input,
 * the natural shape of the rod; on return, its equilibrium under the whole load. `goal`: from cst_load_path_goal. The number of
 * linear solves is added to `iterations`. If the search fails before the whole load is reached, returns false with a message that
 * gives the largest fraction of the load for which an equilibrium was found. */
bool cst_load_path_follow(const cst_load_path *path, double goal, double *shape, int *iterations, cst_arena *arena, char *message,
                          size_t message_size);

#endif
