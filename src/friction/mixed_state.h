/* Data and sweeps of the Gauss-Seidel method for cloth and all other bodies (friction/mixed_sweep.h). */
#ifndef CST_FRICTION_MIXED_STATE_H
#define CST_FRICTION_MIXED_STATE_H

#include "friction/body_residual.h"
#include "friction/half.h"
#include "friction/local_contact.h"
#include "friction/nodes.h"

typedef struct cst_mixed {
    const cst_body_problem *problem;
    cst_bodies bodies; /* all bodies except cloth */
    cst_halves halves;
    double *compliance; /* array (contacts), for the residual */
    cst_nodes nodes;
    cst_body_judge judge;
    cst_local_contacts local;
    /* array (contacts x dim): velocity of each contact if all impulses and all velocities of cloth nodes are zero */
    double *offset;
    /* array (contacts + 1): position in the array `patch` at which the inverse matrix for the nodes of each contact starts */
    int64_t *patch_start;
    /* for each contact, the inverse of the block of the nodal matrix A that belongs to the nodes of the contact */
    double *patch;
    /* for each contact and each of its nodes, the change of the node velocity per change of the contact impulse (dim x dim) */
    double *follow;
    double *W;      /* local compliance of each contact */
    bool *touched;  /* array (nodes): true if a contact acts on the node */
    double *defect; /* scratch */
    /* proximal weight: if a contact has the compliance w, eta w is added to the diagonal of its local compliance matrix. The
     * converged solution does not depend on the proximal weight eta. */
    double eta;
    double *y;       /* states of bodies except cloth (half.h) */
    double *v;       /* array (nodes x dim): node velocities */
    double *impulse; /* array (nodes x dim): sum of the contact impulses on each node */
    double *r;       /* array (contacts x dim): contact impulses */
} cst_mixed;

/* Prepares Gauss-Seidel sweeps over cloth and other bodies, with zero node velocities and without a proximal term. `bodies`
 * (without cloth) and `r` must outlive `mixed`. `compliance` (contacts): output, for the residual. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_mixed_begin(cst_mixed *mixed, const cst_bodies *bodies, const cst_friction_options *options, double *r,
                           double *compliance, cst_arena *arena, char *message, size_t message_size);

/* Recomputes two quantities from the contact impulses r: the impulses on cloth nodes, and the vectors L^-1 H^T r of all other
 * bodies (L: Cholesky factor of a body's matrix, H: contact Jacobian; half.h). A change of the impulses r outside the sweeps
 * requires a call of cst_mixed_resume before the next sweep. */
void cst_mixed_resume(cst_mixed *mixed);

/* Momentum defect of a cloth node: right-hand side plus contact impulses minus the node's row of A v, with the nodal matrix A
 * and the node velocities v. */
void cst_mixed_node_defect(const cst_mixed *mixed, int node, double *defect);

void cst_mixed_set_proximal(cst_mixed *mixed, double eta);

/* Does one sweep over cloth and all other bodies. Returns the largest error of all contacts and cloth nodes during the sweep. The
 * error of a contact is the norm of its Alart-Curnier function, scaled as in the friction residual E. The error of a cloth node
 * is its velocity change divided by the velocity scale of E. The returned error only estimates the friction residual E, because
 * later contacts of the sweep change the errors of earlier contacts. */
double cst_mixed_sweep(cst_mixed *mixed);

#endif
