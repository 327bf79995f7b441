/* Error message about a file that the user gave: "FILE: where: what". */
#ifndef CST_FILES_FAULT_H
#define CST_FILES_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_fault {
    const char *path; /* path with which the message starts */
    char *message;    /* the caller's buffer, or NULL */
    size_t size;
    bool set; /* only the first fault is reported, since later faults are its consequences */
} cst_fault;

/* Returns a fault with an empty message; a message that is recorded later begins with `path`. */
cst_fault cst_fault_begin(const char *path, char *message, size_t size);

void cst_fault_record(cst_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cst_fault_record_memory(cst_fault *fault);

/* The macro cst_fault_set records a fault and is an expression with the value false, so that a function that reads a file can
 * write `return cst_fault_set(...)`. */
#define cst_fault_set(fault, ...) (cst_fault_record((fault), __VA_ARGS__), false)
#define cst_fault_memory(fault) (cst_fault_record_memory(fault), false)

#endif
