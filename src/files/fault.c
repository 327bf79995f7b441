#include "files/fault.h"

#include <stdarg.h>
#include <stdio.h>

cst_fault cst_fault_begin(const char *path, char *message, size_t size)
{
    if (message && size > 0)
        message[0] = '\0';
    return (cst_fault){.path = path, .message = message, .size = size};
}

void cst_fault_record(cst_fault *fault, const char *format, ...)
{
    if (fault->set)
        return;
    fault->set = true;
    if (!fault->message || fault->size == 0)
        return;
    int used = snprintf(fault->message, fault->size, "%s: ", fault->path);
    if (used < 0 || (size_t)used >= fault->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message + used, fault->size - (size_t)used, format, arguments);
    va_end(arguments);
}

void cst_fault_record_memory(cst_fault *fault)
{
    cst_fault_record(fault, "not enough memory");
}
