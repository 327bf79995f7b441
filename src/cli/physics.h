/* The check of a scene's physics (examine/examine.h) as the commands print it. */
#ifndef CST_CLI_PHYSICS_H
#define CST_CLI_PHYSICS_H

#include <stdio.h>

#include "examine/examine.h"
#include "write/table.h"

/* Describes this machine: its memory, and the disk on which `directory` is or will be. */
cst_machine cst_machine_here(const char *directory);

/* Prints one line for each finding: FILE:LINE:COLUMN: warning: KEY: what; remedy [name]. */
void cst_print_findings(FILE *to, const cst_look *look, const cst_examination *examination);

/* Returns the lines of cst_print_findings without colour, as texts for outcome.json; their number is `findings`, and they are
 * freed together. Returns NULL if there are no findings or memory ran out. */
char **cst_finding_texts(const cst_examination *examination);
void cst_finding_texts_free(char **text, int count);

#endif
