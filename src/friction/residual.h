/* Parts of the residual that the explicit and the body form share. No solver is included here, nor there. */
#ifndef CST_FRICTION_RESIDUAL_H
#define CST_FRICTION_RESIDUAL_H

#include "capstan/friction.h"

/* V of cst_residual for a free velocity (contacts x dim); 1 if nothing moves. law may be NULL. */
double cst_velocity_scale(int dim, int contacts, const double *free_velocity, const uint8_t *law);

/* Start a residual with V = scale, then add every contact: w its compliance, r and u its answer, unscaled. Adding returns the
 * contact's own |f_AC|. */
void cst_residual_begin(cst_residual *out, double scale);
double cst_residual_add(cst_residual *out, int dim, int contact, double mu, bool bilateral, double w, const double *r,
                        const double *u);

/* The contacts of `part`, begun with the same V, count in `out` as if they had been added there: the order does not matter. */
void cst_residual_merge(cst_residual *out, const cst_residual *part);

#endif
