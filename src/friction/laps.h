/* Runs any iterative solution method in rounds of iterations on the active contacts.
 *
 * In hair and piles at least half of the contacts carry no impulse. A round of iterations starts by copying the active contacts
 * into a smaller friction problem, on which iterations are cheaper. A round of iterations ends when the error of the active
 * contacts is a tenth of the error of all contacts at the start of the round; then the error of all contacts is computed again.
 * A contact that was active in one round of iterations takes part in all later rounds, so the rounds cannot cycle between the
 * same sets of contacts. */
#ifndef CST_FRICTION_LAPS_H
#define CST_FRICTION_LAPS_H

#include "friction/method.h"

typedef cst_method_result (*cst_method)(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. The flag arena->failed is set if memory
 * ran out. */
cst_method_result cst_in_laps(cst_method method, cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                              double *x);

#endif
