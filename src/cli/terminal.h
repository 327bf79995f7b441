/* Properties of the terminal behind a stream: colours and width. */
#ifndef CST_CLI_TERMINAL_H
#define CST_CLI_TERMINAL_H

#include <stdio.h>

#include "write/table.h"

/* NO_COLOR and TERM=dumb are respected; COLUMNS overrides the terminal's own width. For a stream that is not a terminal, all
 * fields of the returned cst_look are zero. */
cst_look cst_terminal_look(FILE *stream);

#endif
