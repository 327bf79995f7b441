/* Prints the warnings about the physics of a scene (examine/examine.h). */
#ifndef CST_CLI_PHYSICS_H
#define CST_CLI_PHYSICS_H

#include <stdio.h>

#include "examine/examine.h"
#include "write/table.h"

/* Returns the memory of this machine, and the free space of the disk on which `directory` is or will be. */
cst_machine cst_machine_here(const char *directory);

/* Prints each warning about a scene on one line: FILE:LINE:COLUMN: warning: KEY: what; remedy [name]. */
void cst_print_findings(FILE *to, const cst_look *look, const cst_examination *examination);

/* Returns the warnings as lines of text without colour, for outcome.json, or NULL if there are no warnings or memory ran out. The
 * caller frees the texts of the warnings with cst_finding_texts_free. */
char **cst_finding_texts(const cst_examination *examination);
void cst_finding_texts_free(char **text, int count);

#endif
