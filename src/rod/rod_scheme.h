/* Coefficients of a step of the theta scheme for super-circle rods and super helices; super_circle_rod.h gives the equation of
 * the step. */
#ifndef CST_ROD_ROD_SCHEME_H
#define CST_ROD_ROD_SCHEME_H

#include "body/body.h"

typedef struct cst_rod_scheme {
    double dt;
    double mass_new, mass_old;
    double damping_new, stiffness_new;
    double damping_old, stiffness_old;
    double inertia;  /* factor of the initial velocities in the equations of a step: 0 in a quasi-static step, otherwise 1 */
    double gyration; /* factor of dt times the gyroscopic forces in the equations of a step: 1 / (2 theta) */
} cst_rod_scheme;

/* `dragging`: drag coefficient per length divided by mass per length (1/s). */
static inline cst_rod_scheme cst_rod_scheme_of(const cst_step_frame *frame, double dragging)
{
    const double dt = frame->dt, theta = frame->theta;
    return (cst_rod_scheme){.dt = dt,
                            .mass_new = 1.0 + theta * dt * dragging,
                            .mass_old = 1.0 - (1.0 - theta) * dt * dragging,
                            .damping_new = theta * dt,
                            .stiffness_new = theta * theta * dt * dt,
                            .damping_old = (1.0 - theta) * dt,
                            .stiffness_old = (1.0 - theta) * theta * dt * dt,
                            .inertia = frame->quasi_static ? 0.0 : 1.0,
                            .gyration = 0.5 / theta};
}

#endif
