/* The state of a mixed sweep (friction/mixed_sweep.h): contacts with their patches of nodes, what they push, and one sweep
 * over all. */
#ifndef CST_FRICTION_MIXED_STATE_H
#define CST_FRICTION_MIXED_STATE_H

#include "friction/body_residual.h"
#include "friction/half.h"
#include "friction/local_contact.h"
#include "friction/nodes.h"

typedef struct cst_mixed {
    const cst_body_problem *problem;
    cst_bodies bodies; /* nodal ones left out */
    cst_halves halves;
    double *compliance; /* (contacts) for the judge */
    cst_nodes nodes;
    cst_body_judge judge;
    cst_local_contacts local;
    double *offset;       /* (contacts x dim) u_f and the free motion of reduced bodies */
    int64_t *patch_start; /* (contacts + 1) first entry of A_SS^-1 in `patch` */
    double *patch;        /* A_SS^-1, (s dim) x (s dim) for s nodes touched */
    double *follow;       /* (touches x dim x dim) A_SS^-1 H_S^T: how a node follows dr */
    double *W;            /* (contacts x dim x dim) local compliance */
    bool *touched;        /* (nodes) */
    double *defect;       /* (largest patch) scratch */
    double eta;           /* proximal weight: r moves as if W were W + eta w I, fixed points stay what they are */
    double *y;            /* states of reduced bodies: sum of Z r */
    double *v;            /* (nodes x dim) */
    double *impulse;      /* (nodes x dim) sum of H^T r */
    double *r;            /* (contacts x dim) */
} cst_mixed;

/* bodies (nodal ones left out) and r are borrowed. v = 0, eta = 0. compliance (contacts) out: for the judge.
 * CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_mixed_begin(cst_mixed *mixed, const cst_bodies *bodies, const cst_friction_options *options, double *r,
                           double *compliance, cst_arena *arena, char *message, size_t message_size);

/* y and the nodal impulses from r alone, after r was changed from outside. */
void cst_mixed_resume(cst_mixed *mixed);

/* defect = rhs_j + impulse_j - (A v)_j of a node. */
void cst_mixed_node_defect(const cst_mixed *mixed, int node, double *defect);

void cst_mixed_set_proximal(cst_mixed *mixed, double eta);

/* Returns the largest violation met on the way, in the scale of the residual: an estimate that costs nothing, never taken
 * for E itself. */
double cst_mixed_sweep(cst_mixed *mixed);

#endif
