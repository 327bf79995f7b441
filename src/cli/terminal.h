/* What is at the other end of a stream: a terminal that understands colour, or a file. */
#ifndef CST_CLI_TERMINAL_H
#define CST_CLI_TERMINAL_H

#include <stdio.h>

#include "write/table.h"

/* NO_COLOR and TERM=dumb are respected; COLUMNS overrides the terminal's own width. A stream that is no terminal gets a zeroed
 * look. */
cst_look cst_terminal_look(FILE *stream);

#endif
