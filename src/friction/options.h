/* Checks of the options. The solvers use enum values as table indices and tolerances as stopping criteria, so both are checked
 * before a solve. */
#ifndef CST_FRICTION_OPTIONS_H
#define CST_FRICTION_OPTIONS_H

#include "capstan/friction.h"

/* The function cst_friction_options_default writes the number CST_OPTIONS_COOKIE into the options; the solvers check it on entry,
 * to detect options that were not initialised. */
#define CST_OPTIONS_COOKIE 0xCA957A01u

/* Returns NULL if the options are valid; otherwise returns an error message that starts with the name of the invalid field. */
const char *cst_friction_options_fault(const cst_friction_options *options);

#endif
