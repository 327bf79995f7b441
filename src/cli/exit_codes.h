/* Exit codes of the commands. Scripts rely on them: docs/command.md. */
#ifndef CST_CLI_EXIT_CODES_H
#define CST_CLI_EXIT_CODES_H

enum { CST_EXIT_SOLVED = 0, CST_EXIT_MISSED = 1, CST_EXIT_BAD = 2, CST_EXIT_INTERRUPTED = 130 };

#endif
