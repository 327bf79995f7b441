/* What makes no sense in the definition of a fiber, whatever its model. */
#ifndef CST_ROD_FIBER_CHECK_H
#define CST_ROD_FIBER_CHECK_H

#include "capstan/capstan.h"

/* False with a message that names the value and says what it must be. fewest: elements that the model needs. */
bool cst_fiber_check(const cst_fiber_def *def, int fewest, char *message, size_t message_size);

#endif
