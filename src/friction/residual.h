/* Functions that compute the residual of a friction problem, given by its Delassus matrix or by its bodies. The residual never
 * includes solver code. */
#ifndef CST_FRICTION_RESIDUAL_H
#define CST_FRICTION_RESIDUAL_H

#include <math.h>

#include "capstan/friction.h"

/* Replaces *largest by `value` if `value` is larger; not-a-number counts as infinite. */
static inline void cst_keep_largest(double *largest, double value)
{
    if (!(value <= *largest))
        *largest = isnan(value) ? HUGE_VAL : value;
}

/* Returns the velocity scale V of the residual for the free velocities of the contacts (contacts x dim), or 1 if nothing moves.
 * `law` may be NULL. */
double cst_velocity_scale(int dim, int contacts, const double *free_velocity, const uint8_t *law);

/* To compute a residual, call cst_residual_begin with the velocity scale, then cst_residual_add for every contact with its
 * compliance w, its impulse r and its velocity u. The function cst_residual_add returns the Alart-Curnier error of the
 * contact. */
void cst_residual_begin(cst_residual *out, double scale);
double cst_residual_add(cst_residual *out, int dim, int contact, double mu, bool bilateral, double w, const double *r,
                        const double *u);

/* Merges the residual `part` of some contacts into the residual `out` of other contacts; both residuals must have been started
 * with the same velocity scale V. The order does not matter. */
void cst_residual_merge(cst_residual *out, const cst_residual *part);

#endif
