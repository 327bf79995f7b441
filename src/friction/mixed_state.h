/* The data of a Gauss-Seidel sweep over cloth and all other bodies (friction/mixed_sweep.h), and the sweep itself. */
#ifndef CST_FRICTION_MIXED_STATE_H
#define CST_FRICTION_MIXED_STATE_H

#include "friction/body_residual.h"
#include "friction/half.h"
#include "friction/local_contact.h"
#include "friction/nodes.h"

typedef struct cst_mixed {
    const cst_body_problem *problem;
    cst_bodies bodies; /* without the nodal bodies */
    cst_halves halves;
    double *compliance; /* array (contacts): for the residual */
    cst_nodes nodes;
    cst_body_judge judge;
    cst_local_contacts local;
    /* array (contacts x dim): velocity of each contact without impulses: the given offset u_f plus the velocity due to the free
     * motion of all bodies except cloth */
    double *offset;
    /* array (contacts + 1): position in the array `patch` at which the inverse nodal matrix of each contact starts */
    int64_t *patch_start;
    /* for each contact, the inverse of the block of the nodal matrix A that belongs to the nodes of the contact */
    double *patch;
    /* for each contact and each of its nodes, the change of the node velocity per change of the contact impulse (dim x dim) */
    double *follow;
    double *W;      /* local compliance of each contact */
    bool *touched;  /* array (nodes): true if a contact acts on the node */
    double *defect; /* (largest patch) scratch */
    /* proximal weight eta: eta times the compliance of a contact is added to the diagonal of its local matrix, which does not
     * change the solution */
    double eta;
    double *y;       /* states of reduced bodies (half.h) */
    double *v;       /* (nodes x dim) */
    double *impulse; /* impulses on nodes, H^T r */
    double *r;       /* (contacts x dim) */
} cst_mixed;

/* Prepares Gauss-Seidel sweeps over cloth and other bodies, with zero node velocities and without a proximal term. The prepared
 * bodies `bodies` (without cloth) and the impulses `r` must outlive the struct `mixed`. `compliance` (contacts): output, for the
 * residual. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_mixed_begin(cst_mixed *mixed, const cst_bodies *bodies, const cst_friction_options *options, double *r,
                           double *compliance, cst_arena *arena, char *message, size_t message_size);

/* Recomputes, from the contact impulses r, the states of bodies that are not cloth and the impulses on cloth nodes. If the
 * impulses r were changed outside the sweep, the function cst_mixed_resume must be called before the next sweep. */
void cst_mixed_resume(cst_mixed *mixed);

/* Computes the momentum defect of a node: right-hand side plus contact impulses minus the product of the matrix A with the
 * velocities v. */
void cst_mixed_node_defect(const cst_mixed *mixed, int node, double *defect);

void cst_mixed_set_proximal(cst_mixed *mixed, double eta);

/* Does one sweep. Returns the largest Alart-Curnier error of a contact found during the sweep, scaled like the residual E. The
 * returned error is only an estimate of the residual E, because later contacts of the sweep change the errors of earlier
 * contacts. */
double cst_mixed_sweep(cst_mixed *mixed);

#endif
