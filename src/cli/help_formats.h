/* Prints the options of a command as a manual page, or as completions for a shell.
 *
 * Each command prints its own help in all formats (option --help=FORM), because its table of options is defined in the source
 * file of the command. */
#ifndef CST_CLI_HELP_FORMATS_H
#define CST_CLI_HELP_FORMATS_H

#include "cli/arguments.h"

typedef enum cst_help_form {
    CST_HELP_TEXT = 0,
    CST_HELP_MAN,
    CST_HELP_BASH,
    CST_HELP_ZSH,
    CST_HELP_FISH,
    CST_HELP_FORMS
} cst_help_form;

/* Names of the formats: "text", "man", "bash", "zsh", "fish"; the last entry is NULL. */
extern const char *const cst_help_form_names[CST_HELP_FORMS + 1];

/* Prints one command in a format other than text: its manual page, or its part of a completion script. */
void cst_help_print(cst_help_form form, const cst_command *command, const cst_option *option, int options);

/* A command with its one-line description. The function cst_help_man_overview prints the manual page that lists all commands of
 * `capstan`; cst_help_completion_begin and cst_help_completion_end print the beginning and the end of a completion script. */
typedef struct cst_help_entry {
    const char *name, *about;
} cst_help_entry;

void cst_help_man_overview(const cst_help_entry *entry, int entries);
void cst_help_completion_begin(cst_help_form form);
void cst_help_completion_end(cst_help_form form, const cst_help_entry *entry, int entries);

#endif
