/* One Gauss-Seidel sweep over a system: each contact in turn solves its local problem with the impulses of all other contacts
 * fixed. Let x_i be the impulse of contact i, b_i its free velocity, mu_i its friction coefficient, and beta_i its velocity
 * without its own impulse. Let A_ij be the blocks of the scaled Delassus matrix, eta a proximal weight, and `local` the local
 * solver. A visit of contact i uses the newest impulses x_j of all other contacts j:
 *
 *     `beta_i = b_i + sum_{j!=i} A_ij*x_j`.
 *     `x_i <- local(A_ii+eta*I, beta_i-eta*x_i, mu_i)`.
 *
 * The proximal weight eta has no effect at a fixed point of the sweep, so the solution stays exact. With a proximal weight eta >
 * 0, the matrix of every local problem is positive definite, and the local problem has a solution (docs/maths_solvers.md, 5.3).
 * Several threads visit the contacts of one colour at once. Contacts of one colour are not coupled, so the result does not depend
 * on the number of threads. */
#ifndef CST_FRICTION_SWEEP_H
#define CST_FRICTION_SWEEP_H

#include "friction/cluster.h"
#include "friction/local_choice.h"
#include "friction/method.h"

typedef struct cst_sweeper {
    cst_system *system;
    cst_local_choice local;
    double proximal; /* eta */
    void *prepared;  /* array (n): for each contact, the precomputed data of the local solver */
    /* Small sets of contacts that a sweep solves jointly, after all other contacts; NULL: the sweep solves each contact alone.
     * The caller sets `clusters` after cst_sweeper_begin. */
    cst_clusters *clusters;
    cst_local_count count;
} cst_sweeper;

/* Returns false if memory ran out. */
bool cst_sweeper_begin(cst_sweeper *sweeper, cst_system *system, cst_local_choice local, double proximal, cst_arena *arena);
void cst_sweeper_set_proximal(cst_sweeper *sweeper, double proximal);

/* Frozen contacts in plain Gauss-Seidel. */
typedef struct cst_freeze {
    uint8_t *asleep; /* array (n): number of further sweeps that skip the contact */
    /* a contact is frozen (skipped in some sweeps) if its weighted impulse, or the change of this impulse in a sweep, is at most
     * `threshold` */
    double threshold;
    uint8_t duration;
} cst_freeze;

/* Does one sweep and updates x. Returns the largest weighted Alart-Curnier error of the contacts, each measured when the sweep
 * visits the contact, before its update. The returned value is only an error estimate, because later updates change the errors of
 * earlier contacts. `freeze` may be NULL. The data that couple the contacts must be up to date for the impulses x (functions
 * `begin` and `moved` of cst_coupling). */
double cst_sweep(cst_sweeper *sweeper, double *x, cst_freeze *freeze);

#endif
