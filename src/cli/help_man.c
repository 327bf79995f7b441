/* Writes manual pages (man(7)) from the tables of options. */
#include "cli/help_man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#ifndef CAPSTAN_VERSION
#error "CAPSTAN_VERSION is defined by the build"
#endif

/* Writes text so that troff prints it unchanged: dashes stay dashes, and a line that begins with a dot or a quote is not taken as
 * a troff command. */
static void put_text(const char *text)
{
    bool fresh = true;
    for (; *text; text++) {
        if (fresh && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        fresh = *text == '\n';
    }
}

static void put_head(const char *name)
{
    fputs(".TH ", stdout);
    for (; *name; name++)
        putchar(*name == ' ' ? '-' : toupper((unsigned char)*name));
    puts(" 1 \"\" \"capstan " CAPSTAN_VERSION "\" \"User Commands\"");
}

/* Writes "capstan-run" for "capstan run". */
static void put_page_name(const char *name)
{
    for (; *name; name++)
        fputs(*name == ' ' ? "\\-" : (const char[]){*name, '\0'}, stdout);
}

static void put_option(const cst_option *option)
{
    printf(".TP\n\\fB\\-\\-");
    put_text(option->name);
    printf("\\fR");
    if (option->what) {
        printf(" \\fI");
        put_text(option->what);
        printf("\\fR");
    }
    putchar('\n');
    put_text(option->help);
    if (option->kind == CST_OPTION_CHOICE) {
        printf(": ");
        for (int i = 0; option->names[i]; i++) {
            put_text(option->names[i]);
            printf("%s", option->names[i + 1] ? ", " : "");
        }
    }
    putchar('\n');
}

void cst_help_man_command(const cst_command *command, const cst_option *option, int options)
{
    put_head(command->name);
    printf(".SH NAME\n");
    put_page_name(command->name);
    printf(" \\- ");
    put_text(command->about);
    printf("\n.SH SYNOPSIS\n.B %s\n", command->name);
    put_text(command->usage);
    printf("\n.SH DESCRIPTION\n");
    put_text(command->about);
    if (command->more) {
        printf("\n.PP\n.nf\n");
        put_text(command->more);
        printf("\n.fi");
    }
    printf("\n.SH OPTIONS\n");
    for (int i = 0; i < options; i++)
        put_option(&option[i]);
    printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nthe help\n");
    if (command->ending) {
        printf(".SH NOTES\n.nf\n");
        put_text(command->ending);
        printf("\n.fi\n");
    }
    printf(".SH SEE ALSO\n.BR capstan (1)\n");
}

void cst_help_man_overview(const cst_help_entry *entry, int entries)
{
    put_head("capstan");
    printf(
        ".SH NAME\ncapstan \\- contact with the exact Coulomb law of friction\n.SH SYNOPSIS\n.B capstan\n"
        "\\fICOMMAND\\fR [\\fIarguments\\fR]\n.SH DESCRIPTION\n"
        "Simulates slender elastic things (rods, ropes, hair) and rigid bodies in frictional contact, and says in each step how\n"
        "exactly the Coulomb law was met.\n.SH COMMANDS\n");
    for (int i = 0; i < entries; i++) {
        printf(".TP\n\\fB%s\\fR\n", entry[i].name);
        put_text(entry[i].about);
        putchar('\n');
    }
    printf(
        ".SH EXIT STATUS\n.TP\n0\nall went well\n.TP\n1\na tolerance was missed\n.TP\n2\nbad input, or results that could not be "
        "written\n.TP\n130\nstopped by Ctrl\\-C\n.SH SEE ALSO\n");
    for (int i = 0; i < entries; i++)
        if (strcmp(entry[i].name, "help") != 0 && strcmp(entry[i].name, "version") != 0 &&
            strcmp(entry[i].name, "completion") != 0)
            printf(".BR capstan\\-%s (1)\n", entry[i].name);
}
