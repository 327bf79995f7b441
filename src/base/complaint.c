#include "base/complaint.h"

#include <stdarg.h>
#include <stdio.h>

bool cst_complain(const cst_complaint *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->message, to->size, format, arguments);
    va_end(arguments);
    return false;
}
