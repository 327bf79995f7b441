/* Checks of the solver options before a solve. */
#ifndef CST_FRICTION_OPTIONS_H
#define CST_FRICTION_OPTIONS_H

#include "capstan/friction.h"

/* CST_OPTIONS_COOKIE: number that cst_friction_options_default writes into the options, so that the solvers detect options that
 * were never initialised. */
#define CST_OPTIONS_COOKIE 0xCA957A01u

/* Returns NULL, or an error message. The message starts with the name of the invalid field, unless the options were never
 * initialised. */
const char *cst_friction_options_fault(const cst_friction_options *options);

#endif
