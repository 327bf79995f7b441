/* capstan: the main program with all its commands. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/help_formats.h"
#include "cli/progress.h"

static int show_version(int argc, char **argv);
static int show_help(int argc, char **argv);
static int show_completion(int argc, char **argv);

static const struct {
    const char *name;
    const char *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "run a scene: results on disk, resumable at any moment", cst_command_run},
    {"check", "list the mistakes of a scene", cst_command_check},
    {"groom", "write the hair of a scene as strands", cst_command_groom},
    {"dump", "save the friction problems of a scene's steps as files", cst_command_dump},
    {"solve", "solve friction problems from files", cst_command_solve},
    {"plot", "charts of a run: energies, contacts, residual, probes", cst_command_plot},
    {"view", "a run as a page for the browser: one file, no server", cst_command_view},
    {"render", "pictures and videos of a run, without a display", cst_command_render},
    {"export", "a run as files of other programs: USD, OBJ, PC2, PLY, VTP, CSV, NPZ", cst_command_export},
    {"completion", "completion of this command for bash, zsh or fish", show_completion},
    {"version", "which version this is", show_version},
    {"help", "this text, or capstan help COMMAND", show_help},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fputs("capstan: contact with the exact Coulomb law of friction\n\nUsage: capstan COMMAND [arguments]\n\nCommands:\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].about);
    fputs("\ncapstan COMMAND --help says more about each.\n", to);
}

static int unknown_command(const char *name)
{
    if (strcmp(name, "bench") == 0) {
        fputs("capstan: the benchmarks have a command of their own: capstan-bench list\n", stderr);
        return CST_EXIT_BAD;
    }
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = cst_nearest_name(name, names, COMMANDS);
    fprintf(stderr, "capstan: unknown command \"%s\"", name);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fputs("\nTry: capstan help\n", stderr);
    return CST_EXIT_BAD;
}

static int run_command(const char *name, int argc, char **argv)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argc, argv);
    return unknown_command(name);
}

static int show_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("capstan " CAPSTAN_VERSION);
    return CST_EXIT_SOLVED;
}

static void list_commands(cst_help_entry entry[COMMANDS])
{
    for (int i = 0; i < COMMANDS; i++)
        entry[i] = (cst_help_entry){commands[i].name, commands[i].about};
}

static int show_completion(int argc, char **argv)
{
    int form = -1;
    for (int i = CST_HELP_BASH; argc == 1 && i < CST_HELP_FORMS; i++)
        form = strcmp(argv[0], cst_help_form_names[i]) == 0 ? i : form;
    if (form < 0) {
        const bool asked = argc == 1 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
        fputs("Usage: capstan completion bash|zsh|fish\n\nPrints what makes the shell complete commands, options and their "
              "values:\n"
              "  bash   capstan completion bash > ~/.local/share/bash-completion/completions/capstan\n"
              "  zsh    capstan completion zsh > _capstan, in a directory of fpath\n"
              "  fish   capstan completion fish > ~/.config/fish/completions/capstan.fish\n"
              "make install and the Debian package install all three.\n",
              asked ? stdout : stderr);
        return asked ? CST_EXIT_SOLVED : CST_EXIT_BAD;
    }
    cst_help_entry entry[COMMANDS];
    list_commands(entry);
    cst_help_completion_begin((cst_help_form)form);
    char option[16];
    snprintf(option, sizeof option, "--help=%s", cst_help_form_names[form]);
    for (int i = 0; i < COMMANDS; i++) {
        char *arguments[] = {option};
        if (commands[i].run != show_completion && commands[i].run != show_help && commands[i].run != show_version)
            commands[i].run(1, arguments);
    }
    cst_help_completion_end((cst_help_form)form, entry, COMMANDS);
    return CST_EXIT_SOLVED;
}

static int show_help(int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "--man") == 0) {
        cst_help_entry entry[COMMANDS];
        list_commands(entry);
        cst_help_man_overview(entry, COMMANDS);
        return CST_EXIT_SOLVED;
    }
    char option[] = "--help";
    char *arguments[] = {option};
    if (argc > 0 && argv[0][0] != '-' && strcmp(argv[0], "help") != 0)
        return run_command(argv[0], 1, arguments);
    print_help(stdout);
    return CST_EXIT_SOLVED;
}

/* A daemon may start this process with the file descriptors 0 to 2 closed. If the descriptors 0 to 2 are closed, the first files
 * that the process opens get these numbers, and progress lines would be written into cache.h5. The function secure_descriptors
 * opens closed descriptors as /dev/null, which discards all output. */
static bool secure_descriptors(void)
{
    int taken;
    do
        taken = open("/dev/null", O_RDWR);
    while (taken >= 0 && taken <= STDERR_FILENO);
    if (taken >= 0)
        close(taken);
    return taken >= 0;
}

int main(int argc, char **argv)
{
    if (!secure_descriptors())
        return CST_EXIT_BAD;
    signal(SIGXFSZ, SIG_IGN); /* if SIGXFSZ is ignored, a write beyond the file size limit fails like a write to a full disk */
    if (argc < 2) {
        print_help(stderr);
        return CST_EXIT_BAD;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0)
        name = "version";
    int code = run_command(name, argc - 2, argv + 2);
    /* If the standard output could not be written (a full disk, a closed pipe), the program returns an error code, even if the
     * computation succeeded. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("capstan: standard output could not be written\n", stderr);
        return code < CST_EXIT_BAD ? CST_EXIT_BAD : code;
    }
    return code;
}
