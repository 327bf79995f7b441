/* Options of a command, described in one table, from which the arguments are parsed and the help is printed.
 *
 * Parsing checks the values of options, so that a command only receives valid values.
 *
 * An option is written as `--name value` or `--name=value`, and an option without a value as `--name`. The argument `--` ends
 * the options. The functions of this header also read the option `--help` or `-h`. */
#ifndef CST_CLI_ARGUMENTS_H
#define CST_CLI_ARGUMENTS_H

#include <stdbool.h>

typedef enum cst_option_kind {
    CST_OPTION_FLAG,    /* bool: true if given */
    CST_OPTION_INTEGER, /* int in [low, high] */
    /* int in [low, high], which the user may omit: if no integer follows the option, the variable gets the value of the field
     * `otherwise` */
    CST_OPTION_COUNT,
    CST_OPTION_REAL,   /* double in [low, high] */
    CST_OPTION_TEXT,   /* const char *, not empty */
    CST_OPTION_CHOICE, /* int: index in names */
    CST_OPTION_LIST    /* cst_text_list: may be given several times */
} cst_option_kind;

enum { CST_TEXT_LIST_MAX = 256 };

typedef struct cst_text_list {
    const char *text[CST_TEXT_LIST_MAX];
    int count;
} cst_text_list;

typedef struct cst_option {
    const char *name; /* without the dashes */
    cst_option_kind kind;
    int otherwise; /* counts */
    /* variable that receives the value of the option and is unchanged if the option is not given; its type depends on the kind of
     * the option (cst_option_kind) */
    void *value;
    const char *what; /* placeholder of the option's value in the help; NULL for a flag */
    const char *help;
    double low, high;         /* numbers */
    const char *const *names; /* choices, the last one NULL */
} cst_option;

cst_option cst_option_flag(const char *name, bool *value, const char *help);
cst_option cst_option_integer(const char *name, int *value, const char *what, int low, int high, const char *help);
cst_option cst_option_count(const char *name, int *value, const char *what, int low, int high, int otherwise, const char *help);
cst_option cst_option_real(const char *name, double *value, const char *what, double low, double high, const char *help);
cst_option cst_option_text(const char *name, const char **value, const char *what, const char *help);
cst_option cst_option_list(const char *name, cst_text_list *value, const char *what, const char *help);
cst_option cst_option_choice(const char *name, int *value, const char *what, const char *const *names, const char *help);

typedef struct cst_command {
    const char *name;   /* "capstan solve" */
    const char *usage;  /* text after the name: "FILE... [options]" */
    const char *about;  /* one line that says what the command does */
    const char *more;   /* text before the options, or NULL */
    const char *ending; /* text after the options, or NULL */
} cst_command;

#define CST_OPTION_COUNT_OF(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* `argv` (argc): the arguments without the names of program and command. Moves the arguments that are not options to the front of
 * argv, in their order, and returns their number. If the return value is negative, the command must end at once with the exit
 * code *code: 0 if the help was requested and has been printed, 2 if an argument was wrong and the error has been printed. */
int cst_arguments_parse(const cst_command *command, const cst_option *option, int options, int argc, char **argv, int *code);

#endif
