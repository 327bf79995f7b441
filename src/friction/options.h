/* Checks of the options. The solvers use enum values as table indices and stop on tolerances, so enum values and tolerances
 * are checked on entry. */
#ifndef CST_FRICTION_OPTIONS_H
#define CST_FRICTION_OPTIONS_H

#include "capstan/friction.h"

/* The solvers check on entry that cst_friction_options_default has set this value, to detect options that were not
 * initialised. */
#define CST_OPTIONS_COOKIE 0xCA957A01u

/* Returns NULL if the options are valid; if not, returns a sentence that starts with the name of the wrong field and says what
 * is wrong. */
const char *cst_friction_options_fault(const cst_friction_options *options);

#endif
