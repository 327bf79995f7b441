/* What options may say. The solvers use choices as indices of tables and stop on tolerances: both are checked on entry. */
#ifndef CST_FRICTION_OPTIONS_H
#define CST_FRICTION_OPTIONS_H

#include "capstan/friction.h"

/* Set by cst_friction_options_default and checked on entry: catches options nobody initialised. */
#define CST_OPTIONS_COOKIE 0xCA957A01u

/* NULL, or what is wrong, as a sentence that begins with the name of the field. */
const char *cst_friction_options_fault(const cst_friction_options *options);

#endif
