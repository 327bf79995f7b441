/* The explicit step of a CORDE rod: forces at the start of the step, a diagonal matrix.
 *
 *     M (1 + dt nu / rhoA) v+ = M v + dt (m g - grad E(q) - D v),        q+ = q + dt v+
 *
 * (semi-implicit Euler, which keeps energy as long as it is stable; as CORDE is used with exact friction, in steps of 0.1 to
 * 0.25 ms). D is the viscosity of joints; of edges (shear, which the viscosity of a fiber is not about) only as much as damps the
 * fastest vibration by a tenth of what is critical, or it would rule the step.
 *
 * Stability: with omega the fastest vibration and omega_D the fastest of what viscosity acts on, nu its times, no vibration grows if
 * dt^2 omega^2 + 2 dt max(nu omega_D^2) < 4. Both are found when the rod is made, by power iteration on M^-1 H; a step longer than 0.95
 * of that is refused, with the longest one in the message.
 *
 * Theta must be 1. The stretch that is chosen if none is given is 100 times softer than that of implicit rods. */
#ifndef CST_ROD_CORDE_EXPLICIT_H
#define CST_ROD_CORDE_EXPLICIT_H

#include "rod/nodal_rod.h"

typedef struct cst_corde_explicit {
    cst_nodal_rod super;
    double edge_viscosity; /* s: of the strains of edges */
    double longest_step;   /* s */
    double *diagonal;      /* (total) of A */
    double *force;         /* (total) elastic and viscous, at the start of the step */
    double elastic;        /* J: at the start of the step */
    double dissipation;    /* W: by viscosity, at the start of the step */
} cst_corde_explicit;

/* What the step needs, of a rod that is otherwise complete. False: no memory. */
bool cst_corde_explicit_prepare(cst_corde_explicit *rod);

bool cst_corde_explicit_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message,
                                 size_t message_size);
bool cst_corde_explicit_solve(void *self, double *x);
void cst_corde_explicit_describe(void *self, cst_body *out);
void cst_corde_explicit_finish(void *self, const cst_step_frame *frame, const double *v);

#endif
