/* Properties of the terminal to which a stream writes: colours and width. */
#ifndef CST_CLI_TERMINAL_H
#define CST_CLI_TERMINAL_H

#include <stdio.h>

#include "write/table.h"

/* The environment variable NO_COLOR switches colours off, and COLUMNS overrides the width of the terminal. If the stream is not a
 * terminal, or the environment variable TERM is unset or "dumb", all fields of the returned struct cst_look are zero. */
cst_look cst_terminal_look(FILE *stream);

#endif
