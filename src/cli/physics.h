/* The look at the physics of a scene (examine/examine.h), as the commands show it. */
#ifndef CST_CLI_PHYSICS_H
#define CST_CLI_PHYSICS_H

#include <stdio.h>

#include "examine/examine.h"
#include "write/table.h"

/* This machine: its memory, and the disk on which `directory` is or will be. */
cst_machine cst_machine_here(const char *directory);

/* A line each: FILE:LINE:COLUMN: warning: KEY: what; remedy [name]. */
void cst_print_findings(FILE *to, const cst_look *look, const cst_examination *examination);

/* The same lines without colour, as texts for outcome.json: (findings) of them, to be freed together. NULL: none,
 * or no memory. */
char **cst_finding_texts(const cst_examination *examination);
void cst_finding_texts_free(char **text, int count);

#endif
