/* What is wrong with a file, for the one who has to mend it: "FILE: where: what". */
#ifndef CST_FILES_FAULT_H
#define CST_FILES_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_fault {
    const char *path; /* what the message starts with */
    char *message;    /* the caller's buffer, or NULL */
    size_t size;
    bool set; /* the first fault is the one reported: those after it are its consequences */
} cst_fault;

/* An empty message, and `path` in front of the one to come. */
cst_fault cst_fault_begin(const char *path, char *message, size_t size);

void cst_fault_record(cst_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cst_fault_record_memory(cst_fault *fault);

/* The same as an expression that is false, so that a reader can say `return cst_fault_set(...)`, and the compiler knows. */
#define cst_fault_set(fault, ...) (cst_fault_record((fault), __VA_ARGS__), false)
#define cst_fault_memory(fault) (cst_fault_record_memory(fault), false)

#endif
