/* The explicit step of a CORDE rod uses the forces at the start of the step and a diagonal mass matrix.
 *
 * The explicit step is a step of the semi-implicit Euler method, whose energy error stays bounded as long as the step is stable:
 *     `(1+dt*nu/rhoA)*M*v+ = M*v + dt*F`.
 *     `F = m g-grad E(q)-D v`.
 *     `q+ = q + dt v+`.
 *
 * Symbols:
 *     `q`, `v`: initial coordinates, velocities.
 *     `q+`, `v+`: final coordinates, velocities.
 *     `M`: lumped mass matrix.
 *     `rhoA`: mass per length.
 *     `nu`: drag per length.
 *     `E`: elastic energy.
 *     `D`: viscosity matrix.
 *
 * Typical explicit steps of a CORDE rod with exact friction are 0.1 to 0.25 ms long.
 *
 * Bending and twist have the full viscosity that the user gives. The viscosity of the shear strains of edges is limited to a
 * tenth of the critical damping of their fastest vibration, because a larger viscosity would shorten the longest stable step.
 *
 * The explicit step of length dt is stable if the highest angular frequency omega of the rod and the damping rate d (1/s) satisfy
 * the condition:
 *     `dt^2*omega^2+2*dt*d < 4`.
 *     `d = nu_j*omega_j^2+nu_e*omega_e^2`.
 *     `omega`: highest angular frequency with all strains.
 *     `omega_j`: highest angular frequency with the joint strains only.
 *     `omega_e`: highest angular frequency with the edge strains only.
 *     `nu_j`, `nu_e`: viscosity of joint strains and of edge strains, divided by their stiffness (s).
 *
 * The highest frequencies of the rod are computed by power iteration when the rod is created. A time step longer than 0.95 of the
 * longest stable step is refused, and the error message gives the longest allowed step.
 *
 * Theta must be 1. The default stretching stiffness of an explicit CORDE rod is 100 times smaller than that of an implicit
 * rod. */
#ifndef CST_ROD_CORDE_EXPLICIT_H
#define CST_ROD_CORDE_EXPLICIT_H

#include "rod/nodal_rod.h"

typedef struct cst_corde_explicit {
    cst_nodal_rod super;
    double edge_viscosity; /* viscosity / stiffness (s) of the edge strains (angles between an edge and its frame) */
    double longest_step;   /* longest allowed time step (s) */
    double *diagonal;      /* array (number of dofs): diagonal of the system matrix */
    double *force;         /* array (number of dofs): elastic and viscous force on each dof at the start of the step */
    double elastic;        /* elastic energy (J) at the start of the step */
    double dissipation;    /* power (W) that viscosity dissipates at the start of the step */
} cst_corde_explicit;

/* Computes the data that only the explicit step of a rod needs. All other data of the rod must be set before
 * cst_corde_explicit_prepare is called. Returns false if memory ran out. */
bool cst_corde_explicit_prepare(cst_corde_explicit *rod);

bool cst_corde_explicit_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message,
                                 size_t message_size);
bool cst_corde_explicit_solve(void *self, double *x);
void cst_corde_explicit_describe(void *self, cst_body *out);
void cst_corde_explicit_finish(void *self, const cst_step_frame *frame, const double *v);

#endif
