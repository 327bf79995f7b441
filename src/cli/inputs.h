/* The input files of a command: a directory stands for the problem files in it. */
#ifndef CST_CLI_INPUTS_H
#define CST_CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "write/directory.h"

typedef struct cst_input {
    char *path;
    char *name; /* name of the file without directory and extensions (.hdf5, .h5, .dat) */
} cst_input;

typedef struct cst_inputs {
    cst_input *file;
    int count, room;
} cst_inputs;

/* Replaces a directory by its *.hdf5, *.h5 and *.dat files, sorted. An argument that is not a directory is taken as the path of a
 * file; the function does not check that the file exists. Returns false with a message if a directory cannot be listed or
 * contains no problem file, or if memory ran out. Free the inputs in either case. */
bool cst_inputs_gather(cst_inputs *inputs, int count, char *const *argument, char *message, size_t message_size);

void cst_inputs_free(cst_inputs *inputs);

#endif
