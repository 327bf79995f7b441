#include "rod/value_check.h"

#include <math.h>

#include "capstan/capstan.h"

static bool is_in(cst_range wanted, double value)
{
    return isfinite(value) && (wanted != CST_RANGE_NOT_NEGATIVE || value >= 0.0) && (wanted != CST_RANGE_POSITIVE || value > 0.0);
}

static const char *range_name(cst_range wanted)
{
    return wanted == CST_RANGE_POSITIVE ? "positive" : wanted == CST_RANGE_NOT_NEGATIVE ? "zero or more" : "finite";
}

bool cst_check_value(const char *name, double value, cst_range wanted, const cst_complaint *to)
{
    return is_in(wanted, value) || cst_complain(to, "%s must be %s, not %g", name, range_name(wanted), value);
}

bool cst_check_list(const char *name, const double *value, int elements, int each, cst_range wanted, const cst_complaint *to)
{
    for (int i = 0; value && i < elements * each; ++i) {
        if (!is_in(wanted, value[i]))
            return cst_complain(to, "%s of element %d must be %s, not %g", name, i / each, range_name(wanted), value[i]);
    }
    return true;
}

bool cst_check_element_friction(const double *friction, int elements, const cst_complaint *to)
{
    for (int i = 0; friction && i < elements; ++i) {
        if (!is_in(CST_RANGE_NOT_NEGATIVE, friction[i]) && friction[i] != CST_UNSET)
            return cst_complain(to, "element_friction of element %d must be zero or more or unset, not %g", i, friction[i]);
    }
    return true;
}
