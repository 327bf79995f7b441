/* Checks of the numbers in a rod's definition: each number must be finite and in its valid range. */
#ifndef CST_ROD_VALUE_CHECK_H
#define CST_ROD_VALUE_CHECK_H

#include "base/complaint.h"

typedef enum cst_range { CST_RANGE_ANY, CST_RANGE_NOT_NEGATIVE, CST_RANGE_POSITIVE } cst_range;

bool cst_check_value(const char *name, double value, cst_range wanted, const cst_complaint *to);

/* Checks an array `value` with `each` numbers per element of a rod: every number must be in the range `wanted`. An array `value`
 * that is NULL (not given) is valid. */
bool cst_check_list(const char *name, const double *value, int elements, int each, cst_range wanted, const cst_complaint *to);

/* Checks the friction coefficients of all elements: each must be zero or more, or CST_UNSET (not given). An array `friction` that
 * is NULL (not given) is valid. */
bool cst_check_element_friction(const double *friction, int elements, const cst_complaint *to);

#endif
