/* One Gauss-Seidel sweep: each contact in turn solves its local problem with the impulses of all other contacts fixed. Symbols:
 *     `x_i`: impulse of contact i.
 *     `b_i`, `mu_i`: free velocity and friction coefficient of contact i.
 *     `beta_i`: velocity of contact i without its own impulse.
 *     `A_ij`: block of the scaled Delassus matrix for the contacts i and j.
 *     `eta`: proximal weight.
 *     `local`: local solver.
 *
 * A visit of contact i uses the newest impulses x_j of all other contacts:
 *
 *     `beta_i = b_i + sum_{j!=i} A_ij*x_j`.
 *     `x_i <- local(A_ii+eta*I, beta_i-eta*x_i, mu_i)`.
 *
 * The solution does not depend on the proximal weight eta. With a positive proximal weight eta, the matrix of every contact's
 * local problem is positive definite, so every local problem has a solution (docs/maths_solvers.md, 5.3). Several threads visit
 * the contacts of one colour at once; these contacts are not coupled, so the result does not depend on the number of
 * threads. */
#ifndef CST_FRICTION_SWEEP_H
#define CST_FRICTION_SWEEP_H

#include "friction/cluster.h"
#include "friction/local_choice.h"
#include "friction/method.h"

typedef struct cst_sweeper {
    cst_system *system;
    cst_local_choice local;
    double proximal; /* eta */
    void *prepared;  /* array (contacts): precomputed for local solver */
    /* Clusters of contacts, which a sweep solves jointly after all other contacts; NULL: no clusters. Set by the caller after
     * cst_sweeper_begin. */
    cst_clusters *clusters;
    cst_local_count count;
} cst_sweeper;

/* Returns false if memory ran out. */
bool cst_sweeper_begin(cst_sweeper *sweeper, cst_system *system, cst_local_choice local, double proximal, cst_arena *arena);
void cst_sweeper_set_proximal(cst_sweeper *sweeper, double proximal);

/* Contacts that plain Gauss-Seidel skips in some sweeps. */
typedef struct cst_freeze {
    uint8_t *asleep; /* array (contacts): number of sweeps that will still skip the contact; 0: the next sweep visits it */
    /* after a visit that leaves a contact with a small impulse, or changes the contact's impulse only a little, the next
     * `duration` sweeps skip the contact. The impulse or the impulse change of a contact is small if its size is at most
     * `threshold` divided by the contact's weight (system.h). */
    double threshold;
    uint8_t duration;
} cst_freeze;

/* Does one Gauss-Seidel sweep and updates the impulses x. Returns the largest weighted Alart-Curnier error of the contacts that
 * the sweep visits; the error of each contact is computed just before the sweep updates its impulse. The returned error is only
 * an estimate, because later updates change the errors of earlier contacts. `freeze`: NULL is allowed. Before the call, the
 * stored data that depend on the impulses must be up to date for x (functions `begin` and `moved` of cst_coupling). */
double cst_sweep(cst_sweeper *sweeper, double *x, cst_freeze *freeze);

#endif
