/* Checks that the numbers of a rod's definition are finite and in their valid range. */
#ifndef CST_ROD_VALUE_CHECK_H
#define CST_ROD_VALUE_CHECK_H

#include "base/complaint.h"

typedef enum cst_range { CST_RANGE_ANY, CST_RANGE_NOT_NEGATIVE, CST_RANGE_POSITIVE } cst_range;

bool cst_check_value(const char *name, double value, cst_range wanted, const cst_complaint *to);

/* Checks `each` numbers of every element. A list that is not given (its pointer is NULL) is valid. */
bool cst_check_list(const char *name, const double *value, int elements, int each, cst_range wanted, const cst_complaint *to);

/* Checks the friction coefficients of all elements: each must be zero or more, or CST_UNSET (not given). */
bool cst_check_element_friction(const double *friction, int elements, const cst_complaint *to);

#endif
