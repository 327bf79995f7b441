/* Writes manual pages from the tables of options (cli/help_formats.h). */
#ifndef CST_CLI_HELP_MAN_H
#define CST_CLI_HELP_MAN_H

#include "cli/help_formats.h"

void cst_help_man_command(const cst_command *command, const cst_option *option, int options);

#endif
