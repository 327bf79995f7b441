/* Checks the definition of a fiber for invalid values; the checks are the same for all rod models, except that a mass-spring
 * chain may have a twisting stiffness of 0. */
#ifndef CST_ROD_FIBER_CHECK_H
#define CST_ROD_FIBER_CHECK_H

#include "capstan/capstan.h"

/* Returns false with a message that names the invalid value and says what it must be. `fewest`: smallest number of elements that
 * the fiber's rod model allows. */
bool cst_fiber_check(const cst_fiber_def *def, int fewest, char *message, size_t message_size);

#endif
