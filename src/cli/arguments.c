#include "cli/arguments.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/exit_codes.h"
#include "cli/help_formats.h"

/* A command of `capstan`: its name and its options. */
typedef struct grammar {
    const char *name;
    const cst_option *options;
    int option_count;
    cst_help_form form; /* form in which help was requested */
} grammar;

typedef enum outcome { GOES_ON, HELPED, WRONG } outcome;

static const char HELP_IN[] = "--help="; /* another form: cli/help_formats.h */

enum { OPTIONS_MAX = 32, HELP_COLUMN = 26, HELP_WIDTH = 110 };

cst_option cst_option_flag(const char *name, bool *value, const char *help)
{
    return (cst_option){.name = name, .kind = CST_OPTION_FLAG, .value = value, .help = help};
}

cst_option cst_option_integer(const char *name, int *value, const char *what, int low, int high, const char *help)
{
    return (cst_option){
        .name = name, .kind = CST_OPTION_INTEGER, .value = value, .what = what, .low = low, .high = high, .help = help};
}

cst_option cst_option_count(const char *name, int *value, const char *what, int low, int high, int otherwise, const char *help)
{
    cst_option option = cst_option_integer(name, value, what, low, high, help);
    option.kind = CST_OPTION_COUNT;
    option.otherwise = otherwise;
    return option;
}

cst_option cst_option_real(const char *name, double *value, const char *what, double low, double high, const char *help)
{
    return (cst_option){
        .name = name, .kind = CST_OPTION_REAL, .value = value, .what = what, .low = low, .high = high, .help = help};
}

cst_option cst_option_text(const char *name, const char **value, const char *what, const char *help)
{
    return (cst_option){.name = name, .kind = CST_OPTION_TEXT, .value = value, .what = what, .help = help};
}

cst_option cst_option_list(const char *name, cst_text_list *value, const char *what, const char *help)
{
    return (cst_option){.name = name, .kind = CST_OPTION_LIST, .value = value, .what = what, .help = help};
}

cst_option cst_option_choice(const char *name, int *value, const char *what, const char *const *names, const char *help)
{
    return (cst_option){.name = name, .kind = CST_OPTION_CHOICE, .value = value, .what = what, .names = names, .help = help};
}

__attribute__((format(printf, 2, 3))) static outcome wrong(const grammar *command, const char *format, ...)
{
    fprintf(stderr, "%s: ", command->name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry: %s --help\n", command->name);
    return WRONG;
}

/* Prints "auto, gauss-seidel, newton". If `indent` is not 0, long lists of names are broken into lines that are indented by
 * `indent` spaces. */
static void print_names(FILE *to, const char *const *names, int indent)
{
    int column = indent;
    for (int i = 0; names[i]; i++) {
        int length = (int)strlen(names[i]) + 2;
        if (indent && i && column + length > HELP_WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        }
        fprintf(to, "%s%s", names[i], names[i + 1] ? ", " : "");
        column += length;
    }
}

static outcome read_number(const grammar *command, const cst_option *option, const char *text)
{
    char *end = NULL;
    errno = 0;
    const bool whole = option->kind != CST_OPTION_REAL;
    double value = whole ? (double)strtol(text, &end, 10) : strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(value))
        return wrong(command, "--%s needs %s, not \"%s\"", option->name, whole ? "a whole number" : "a number", text);
    if (value < option->low || value > option->high) {
        if (option->high >= (whole ? INT_MAX : HUGE_VAL))
            return wrong(command, "--%s must be at least %g, not %s", option->name, option->low, text);
        return wrong(command, "--%s must be between %g and %g, not %s", option->name, option->low, option->high, text);
    }
    if (whole)
        *(int *)option->value = (int)value;
    else
        *(double *)option->value = value;
    return GOES_ON;
}

static outcome read_choice(const grammar *command, const cst_option *option, const char *text)
{
    int count = 0;
    for (; option->names[count]; count++) {
        if (strcmp(option->names[count], text) == 0) {
            *(int *)option->value = count;
            return GOES_ON;
        }
    }
    const char *near = cst_nearest_name(text, option->names, count);
    fprintf(stderr, "%s: --%s does not know \"%s\"", command->name, option->name, text);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fputs("\nIt is one of: ", stderr);
    print_names(stderr, option->names, 0);
    fputc('\n', stderr);
    return WRONG;
}

static outcome read_one_more(const grammar *command, const cst_option *option, const char *text)
{
    cst_text_list *list = option->value;
    if (!*text)
        return wrong(command, "--%s needs a value", option->name);
    if (list->count == CST_TEXT_LIST_MAX)
        return wrong(command, "--%s can be given %d times at most", option->name, CST_TEXT_LIST_MAX);
    list->text[list->count++] = text;
    return GOES_ON;
}

static outcome read_value(const grammar *command, const cst_option *option, const char *text)
{
    switch (option->kind) {
    case CST_OPTION_INTEGER:
    case CST_OPTION_COUNT:
    case CST_OPTION_REAL:
        return read_number(command, option, text);
    case CST_OPTION_CHOICE:
        return read_choice(command, option, text);
    case CST_OPTION_TEXT:
        if (!*text)
            return wrong(command, "--%s needs a value", option->name);
        *(const char **)option->value = text;
        return GOES_ON;
    case CST_OPTION_LIST:
        return read_one_more(command, option, text);
    case CST_OPTION_FLAG:
        break;
    }
    *(bool *)option->value = true;
    return GOES_ON;
}

static const cst_option *find(const grammar *command, const char *name, size_t length)
{
    for (int i = 0; i < command->option_count; i++) {
        const char *own = command->options[i].name;
        if (strncmp(own, name, length) == 0 && own[length] == '\0')
            return &command->options[i];
    }
    return NULL;
}

static outcome unknown(const grammar *command, const char *argument, size_t length)
{
    const char *names[OPTIONS_MAX + 1] = {"help"};
    int count = 1;
    for (int i = 0; i < command->option_count && count <= OPTIONS_MAX; i++)
        names[count++] = command->options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    const char *near = cst_nearest_name(name + strspn(name, "-"), names, count);
    return near ? wrong(command, "unknown option %s; did you mean --%s?", name, near) : wrong(command, "unknown option %s", name);
}

static outcome read_form(grammar *command, const char *text)
{
    int form = CST_HELP_TEXT;
    const cst_option option = {.name = "help", .value = &form, .names = cst_help_form_names};
    const outcome read = read_choice(command, &option, text);
    command->form = (cst_help_form)form;
    return read == GOES_ON ? HELPED : read;
}

static outcome parse(grammar *command, int argc, char **argv, int *operands)
{
    *operands = 0;
    for (int i = 0; i < argc; i++) {
        char *argument = argv[i];
        if (strcmp(argument, "--") == 0) {
            for (i++; i < argc; i++)
                argv[(*operands)++] = argv[i];
            break;
        }
        if (argument[0] != '-' || argument[1] == '\0') {
            argv[(*operands)++] = argument;
            continue;
        }
        if (strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0)
            return HELPED;
        if (strncmp(argument, HELP_IN, sizeof HELP_IN - 1) == 0)
            return read_form(command, argument + sizeof HELP_IN - 1);
        size_t length = strcspn(argument, "=");
        const cst_option *option = length > 2 && argument[1] == '-' ? find(command, argument + 2, length - 2) : NULL;
        if (!option)
            return unknown(command, argument, length);
        const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
        if (option->kind == CST_OPTION_FLAG && value)
            return wrong(command, "--%s takes no value", option->name);
        if (option->kind == CST_OPTION_COUNT && !value && (i + 1 == argc || argv[i + 1][strspn(argv[i + 1], "0123456789")])) {
            *(int *)option->value = option->otherwise;
            continue;
        }
        if (option->kind != CST_OPTION_FLAG && !value) {
            if (i + 1 == argc)
                return wrong(command, "--%s needs a value: --%s %s", option->name, option->name, option->what);
            value = argv[++i];
        }
        outcome read = read_value(command, option, value);
        if (read != GOES_ON)
            return read;
    }
    return GOES_ON;
}

static void print_help(const cst_command *command, const cst_option *options, int option_count)
{
    printf("Usage: %s %s\n\n%s\n", command->name, command->usage, command->about);
    if (command->more)
        printf("\n%s\n", command->more);
    printf("\nOptions:\n");
    for (int i = 0; i < option_count; i++) {
        const cst_option *option = &options[i];
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->what ? " " : "", option->what ? option->what : "");
        printf("  %-*s", HELP_COLUMN - 2, left);
        if (strlen(left) > HELP_COLUMN - 3)
            printf("\n%*s", HELP_COLUMN, "");
        for (const char *at = option->help; *at; at++) {
            putchar(*at);
            if (*at == '\n')
                printf("%*s", HELP_COLUMN, "");
        }
        if (option->kind == CST_OPTION_CHOICE) {
            printf(":\n%*s", HELP_COLUMN, "");
            print_names(stdout, option->names, HELP_COLUMN);
        }
        putchar('\n');
    }
    printf("  %-*sthis text\n", HELP_COLUMN - 2, "-h, --help");
    if (command->ending)
        printf("\n%s\n", command->ending);
}

int cst_arguments_parse(const cst_command *command, const cst_option *option, int options, int argc, char **argv, int *code)
{
    grammar known = {.name = command->name, .options = option, .option_count = options};
    int operands;
    const outcome found = parse(&known, argc, argv, &operands);
    if (found == HELPED && known.form == CST_HELP_TEXT)
        print_help(command, option, options);
    else if (found == HELPED)
        cst_help_print(known.form, command, option, options);
    *code = found == WRONG ? CST_EXIT_BAD : CST_EXIT_SOLVED;
    return found == GOES_ON ? operands : -1;
}
