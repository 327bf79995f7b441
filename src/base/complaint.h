/* The caller's buffer for an error message that says why a definition is rejected. */
#ifndef CST_BASE_COMPLAINT_H
#define CST_BASE_COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_complaint {
    char *message;
    size_t size;
} cst_complaint;

/* Writes the message and returns false, so that a check of a condition can be written as `return condition || cst_complain(to,
 * ...)`. */
bool cst_complain(const cst_complaint *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
