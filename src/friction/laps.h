/* Runs any iterative solution method in rounds on the active contacts. A contact is active if it is bilateral, has a normal
 * impulse, or is about to get a normal impulse.
 *
 * In hair and piles at least half of the contacts carry no impulse. Each round copies the active contacts into a smaller friction
 * problem, on which an iteration is cheaper. A round ends when the error of the active contacts is a tenth of the error of all
 * contacts at the start of the round, or half the tolerance. With few contacts, or if most of them are active, the method
 * iterates on all contacts instead (laps.c). A contact that was active in one round takes part in all later rounds, so that the
 * rounds cannot cycle. */
#ifndef CST_FRICTION_LAPS_H
#define CST_FRICTION_LAPS_H

#include "friction/method.h"

typedef cst_method_result (*cst_method)(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* `x` (contacts x dim): the impulses; on input the initial guess, on output the best iterate. Sets arena->failed if memory ran
 * out. */
cst_method_result cst_in_laps(cst_method method, cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                              double *x);

#endif
