/* The explicit step of a CORDE rod uses the forces at the start of the step and a diagonal matrix. The explicit step computes
 * the final velocities v+ and the final generalised coordinates q+ from the initial velocities v and the initial coordinates q.
 * In the equations of the explicit step, M is the lumped mass matrix, rhoA the mass per length, nu the drag per length, E the
 * elastic energy and D the viscosity matrix:
 *     `(1+dt*nu/rhoA)*M*v+ = M*v + dt*F`.
 *     `F = m g-grad E(q)-D v`.
 *     `q+ = q + dt v+`.
 *
 *
 * The explicit step is a step of the semi-implicit Euler method, whose energy error stays bounded as long as the step is stable.
 * Typical steps of an explicit CORDE rod with exact friction are 0.1 to 0.25 ms. The viscosity matrix contains the viscosity of
 * joints and of edges. Bending and twist have the full viscosity that the user gives. The viscosity of the shear strains of edges
 * is limited to a tenth of the critical damping of their fastest vibration, because a larger viscosity would shorten the longest
 * stable step.
 *
 * The joint strains have the viscosity nu_j (s), and the highest angular frequency of the rod with joint strains alone is
 * omega_j. For the edge strains, the viscosity is nu_e and the highest angular frequency with edge strains alone is omega_e. The
 * explicit step dt is stable if dt^2 omega^2 + 2 dt d < 4, with the highest angular frequency omega of the rod and the damping d
 * = nu_j omega_j^2 + nu_e omega_e^2. The highest frequencies omega, omega_j and omega_e of the rod are computed by power
 * iteration when the rod is created. A time step longer than 0.95 of the longest stable step is refused, and the error message
 * gives the longest allowed step.
 *
 * Theta must be 1. The default stretching stiffness of an explicit CORDE rod is 100 times smaller than that of implicit
 * rods. */
#ifndef CST_ROD_CORDE_EXPLICIT_H
#define CST_ROD_CORDE_EXPLICIT_H

#include "rod/nodal_rod.h"

typedef struct cst_corde_explicit {
    cst_nodal_rod super;
    double edge_viscosity; /* damping time (s) of the strains of edges */
    double longest_step;   /* s */
    double *diagonal;      /* array (total): of A */
    double *force;         /* array (total): elastic and viscous force on each dof at the start of the step */
    double elastic;        /* elastic energy (J) at the start of the step */
    double dissipation;    /* power (W) lost by viscosity at the start of the step */
} cst_corde_explicit;

/* Computes the data that only the explicit step of a rod needs; all other data of the rod must be set before this call. Returns
 * false if memory ran out. */
bool cst_corde_explicit_prepare(cst_corde_explicit *rod);

bool cst_corde_explicit_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message,
                                 size_t message_size);
bool cst_corde_explicit_solve(void *self, double *x);
void cst_corde_explicit_describe(void *self, cst_body *out);
void cst_corde_explicit_finish(void *self, const cst_step_frame *frame, const double *v);

#endif
