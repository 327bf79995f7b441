/* Set by cst_friction_options_default and checked on entry: catches options nobody initialised. */
#ifndef CST_FRICTION_OPTIONS_H
#define CST_FRICTION_OPTIONS_H

#define CST_OPTIONS_COOKIE 0xCA957A01u

#endif
