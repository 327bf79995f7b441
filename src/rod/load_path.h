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
 * A Newton step is shortened so that no joint turns by more than half a radian, and then halved until the energy decreases
 * enough (Armijo). A load increment is divided by 4 if Newton's method fails or a joint turns by more than 0.35 rad. Small load
 * increments keep the shape on the branch of equilibria that begins at the natural shape. If the load has a potential, an
 * equilibrium whose Hessian is not positive definite is unstable, and it is rejected. */
#ifndef CST_ROD_LOAD_PATH_H
#define CST_ROD_LOAD_PATH_H

#include "base/arena.h"

/* Functions of a rod model that compute the energy of a shape and its derivatives. */
typedef struct cst_load_path {
    void *rod;
    int size;       /* number of values of a shape */
    int load_steps; /* largest number of load steps */
    /* True if a part of the load has no potential (in 3D, a moment with fixed direction). The work of a load without potential is
     * measured from the shape where a Newton step begins. Under a load without potential, the stability of an equilibrium is not
     * checked. */
    bool from_here;

    /* Computes the energy of a shape under the fraction `share` of the load, the gradient of the energy, and the data for its
     * Hessian. Also computes `rounding`, the sum of the magnitudes of all energy terms. `here`: true if a Newton step begins at
     * the given shape; the work of a load without potential is then measured from this shape. */
    void (*evaluate)(void *rod, double share, const double *shape, bool here);
    /* Factors the sum of two matrices: the Hessian of the energy at the last evaluated shape, and `shift` times the elastic
     * stiffness. Returns false if the Hessian plus `shift` times the elastic stiffness is not positive definite. */
    bool (*factor)(void *rod, double shift);
    void (*solve)(const void *rod, double *x);
    /* returns the largest rotation (rad) of a joint if the shape changes by x */
    double (*largest_turn)(const void *rod, const double *x);
    double (*imbalance)(const void *rod); /* largest unbalanced moment (N m) */
    const double *gradient;               /* (size) */
    const double *energy, *rounding;
} cst_load_path;

/* Returns the largest unbalanced moment (N m) that is accepted in an equilibrium. The accepted moment is `tolerance` times the
 * smaller of `load_moment` and `bending_moment`, but not less than the rounding error of the moments in the rod. Parameters:
 *     `load_moment`: upper bound of the moment that the load causes in the rod.
 *     `bending_moment`: moment that bends the rod by one radian over its length.
 *     `bent`: largest moment that is needed to straighten an element with natural curvature. */
double cst_load_path_goal(double tolerance, int elements, double load_moment, double bending_moment, double bent);

/* Follows the equilibrium from zero load to the whole load. `shape`: on input, the natural shape of the rod; on return, its
 * equilibrium under the whole load. `goal`: from cst_load_path_goal. The number of linear solves is added to `iterations`. If no
 * equilibrium is found beyond some fraction of the load, returns false with a message that gives the fraction. */
bool cst_load_path_follow(const cst_load_path *path, double goal, double *shape, int *iterations, cst_arena *arena, char *message,
                          size_t message_size);

#endif
