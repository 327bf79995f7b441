/* Computes the residual of a friction problem, which is given by its Delassus matrix or by its bodies. The code calls no friction
 * solver, so the residual is an independent check of a solution. */
#ifndef CST_FRICTION_RESIDUAL_H
#define CST_FRICTION_RESIDUAL_H

#include <math.h>

#include "capstan/friction.h"

/* Replaces *largest by `value` if `value` is larger; a NaN counts as infinite. */
static inline void cst_keep_largest(double *largest, double value)
{
    if (!(value <= *largest))
        *largest = isnan(value) ? HUGE_VAL : value;
}

/* Returns the velocity scale of the residual for free velocities (contacts x dim), or 1 if all free velocities are zero. `law`
 * may be NULL. */
double cst_velocity_scale(int dim, int contacts, const double *free_velocity, const uint8_t *law);

/* To compute a residual, call cst_residual_begin with the velocity scale, then cst_residual_add for every contact with its
 * compliance w, impulse r and velocity u. The function cst_residual_add returns the error of the contact: the norm of the
 * Alart-Curnier function, or of the scaled velocity for a bilateral contact. */
void cst_residual_begin(cst_residual *out, double scale);
double cst_residual_add(cst_residual *out, int dim, int contact, double mu, bool bilateral, double w, const double *r,
                        const double *u);

/* Merges two residuals with the same velocity scale: on return, `out` is the residual of its own contacts and of the contacts of
 * `part`. */
void cst_residual_merge(cst_residual *out, const cst_residual *part);

#endif
