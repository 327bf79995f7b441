#include "cli/help_formats.h"

#include <stdio.h>
#include <string.h>

#include "cli/help_man.h"

const char *const cst_help_form_names[CST_HELP_FORMS + 1] = {"text", "man", "bash", "zsh", "fish", NULL};

/* "run" of "capstan run". */
static const char *own_name(const cst_command *command)
{
    const char *space = strrchr(command->name, ' ');
    return space ? space + 1 : command->name;
}

/* Prints the first line of a text, without the characters in `forbidden`. The caller prints a single quote before and after this
 * line. `quote`: text that is printed for a single quote inside the line. */
static void put_first_line(const char *text, const char *forbidden, const char *quote)
{
    for (; *text && *text != '\n'; text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else if (!strchr(forbidden, *text))
            putchar(*text);
    }
}

static const char ZSH_QUOTE[] = "'\\''", FISH_QUOTE[] = "\\'";

static void put_names(const char *const *names, const char *between)
{
    for (int i = 0; names[i]; i++)
        printf("%s%s", i ? between : "", names[i]);
}

static bool takes_path(const cst_option *option)
{
    return option->what && (strstr(option->what, "FILE") || strstr(option->what, "DIR") || strstr(option->what, "PATH"));
}

static void print_bash(const cst_command *command, const cst_option *option, int options)
{
    printf("        %s)\n            options=\"", own_name(command));
    for (int i = 0; i < options; i++)
        printf("--%s ", option[i].name);
    printf("--help\"\n            case $before in\n");
    for (int i = 0; i < options; i++) {
        if (option[i].kind == CST_OPTION_FLAG || option[i].kind == CST_OPTION_COUNT)
            continue;
        printf("            --%s) ", option[i].name);
        if (option[i].kind == CST_OPTION_CHOICE) {
            printf("values=\"");
            put_names(option[i].names, " ");
            printf("\" ;;\n");
        } else {
            printf("values=%s ;;\n", takes_path(&option[i]) ? "@files" : "@none");
        }
    }
    printf("            esac ;;\n");
}

static void print_zsh(const cst_command *command, const cst_option *option, int options)
{
    printf("        %s)\n            _arguments \\\n", own_name(command));
    for (int i = 0; i < options; i++) {
        const bool flag = option[i].kind == CST_OPTION_FLAG;
        printf("                '%s--%s%s[", option[i].kind == CST_OPTION_LIST ? "*" : "", option[i].name, flag ? "" : "=");
        put_first_line(option[i].help, "[]\\", ZSH_QUOTE);
        printf("]");
        if (option[i].kind == CST_OPTION_CHOICE) {
            printf(":%s:(", option[i].what);
            put_names(option[i].names, " ");
            printf(")");
        } else if (!flag) {
            printf(":");
            put_first_line(option[i].what, "[]:\\", ZSH_QUOTE);
            printf(":%s", takes_path(&option[i]) ? "_files" : " ");
        }
        printf("' \\\n");
    }
    printf("                '(- *)'{-h,--help}'[the help]' '*:file:_files' ;;\n");
}

static void print_fish(const cst_command *command, const cst_option *option, int options)
{
    const char *name = own_name(command);
    for (int i = 0; i < options; i++) {
        printf("complete -c capstan -n '__fish_seen_subcommand_from %s' -l %s -d '", name, option[i].name);
        put_first_line(option[i].help, "\\", FISH_QUOTE);
        printf("'");
        if (option[i].kind == CST_OPTION_CHOICE) {
            printf(" -x -a '");
            put_names(option[i].names, " ");
            printf("'");
        } else if (option[i].kind != CST_OPTION_FLAG && option[i].kind != CST_OPTION_COUNT) {
            printf(takes_path(&option[i]) ? " -r -F" : " -x");
        }
        putchar('\n');
    }
}

void cst_help_print(cst_help_form form, const cst_command *command, const cst_option *option, int options)
{
    if (form == CST_HELP_MAN)
        cst_help_man_command(command, option, options);
    else if (form == CST_HELP_BASH)
        print_bash(command, option, options);
    else if (form == CST_HELP_ZSH)
        print_zsh(command, option, options);
    else if (form == CST_HELP_FISH)
        print_fish(command, option, options);
}

void cst_help_completion_begin(cst_help_form form)
{
    if (form == CST_HELP_BASH)
        printf("# Completion of capstan for bash, made by: capstan completion bash\n_capstan()\n{\n"
               "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
               "    COMPREPLY=()\n    case ${COMP_WORDS[1]} in\n");
    else if (form == CST_HELP_ZSH)
        printf("#compdef capstan\n# Completion of capstan for zsh, made by: capstan completion zsh\n_capstan()\n{\n"
               "    if (( CURRENT == 2 )); then\n        _capstan_commands\n        return\n    fi\n"
               "    local command=$words[2]\n    words=(\"capstan $command\" \"${(@)words[3,-1]}\")\n    (( CURRENT -= 1 ))\n"
               "    case $command in\n");
    else if (form == CST_HELP_FISH)
        printf("# Completion of capstan for fish, made by: capstan completion fish\n");
}

static void end_bash(const cst_help_entry *entry, int entries)
{
    printf("        esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (int i = 0; i < entries; i++)
        printf("%s ", entry[i].name);
    printf("--help --version\" -- \"$word\"))\n"
           "    elif [ \"$values\" = @none ]; then\n        return\n"
           "    elif [ \"$values\" = @files ]; then\n        COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "    elif [ -n \"$values\" ]; then\n        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
           "    elif [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
           "complete -o filenames -F _capstan capstan\n");
}

static void end_zsh(const cst_help_entry *entry, int entries)
{
    printf("        *) _files ;;\n    esac\n}\n_capstan_commands()\n{\n    local commands=(\n");
    for (int i = 0; i < entries; i++) {
        printf("        '%s:", entry[i].name);
        put_first_line(entry[i].about, ":\\", ZSH_QUOTE);
        printf("'\n");
    }
    printf("    )\n    _describe command commands\n}\n"
           "if [ \"$funcstack[1]\" = _capstan ]; then\n    _capstan \"$@\"\nelse\n    compdef _capstan capstan\nfi\n");
}

static void end_fish(const cst_help_entry *entry, int entries)
{
    for (int i = 0; i < entries; i++) {
        printf("complete -c capstan -n __fish_use_subcommand -f -a %s -d '", entry[i].name);
        put_first_line(entry[i].about, "\\", FISH_QUOTE);
        printf("'\n");
    }
    printf("complete -c capstan -s h -l help -d 'the help'\n");
}

void cst_help_completion_end(cst_help_form form, const cst_help_entry *entry, int entries)
{
    if (form == CST_HELP_BASH)
        end_bash(entry, entries);
    else if (form == CST_HELP_ZSH)
        end_zsh(entry, entries);
    else if (form == CST_HELP_FISH)
        end_fish(entry, entries);
}
