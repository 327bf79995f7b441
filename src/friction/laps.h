/* Any method, in laps over the contacts that are not open.
 *
 * In hair and piles half of the contacts and more carry no impulse. A lap packs the others into a system of their own (their number
 * squared is what a product costs), lets the method bring its error to a tenth of the error over all contacts, and looks at all contacts
 * again. A contact once taken in stays in, so laps cannot go round in circles; where nearly all contacts are in, the method is
 * left alone with the whole system. */
#ifndef CST_FRICTION_LAPS_H
#define CST_FRICTION_LAPS_H

#include "friction/method.h"

typedef cst_method_result (*cst_method)(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

/* x: first guess in, best iterate out. Out of memory: arena->failed. */
cst_method_result cst_in_laps(cst_method method, cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                              double *x);

#endif
