/* capstan solve FILE...: solves problem files and reports the accuracy. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/solve_report.h"

static const cst_command command = {
    .name = "capstan solve",
    .usage = "FILE... [options]",
    .about = "Solves friction problems from files and says how exactly the Coulomb law is met.",
    .more =
        "Each FILE is FCLIB HDF5 or Siconos text (FC3D, FC2D, GFC3D), told apart by content; a directory stands for the problem\n"
        "files in it. E is the largest violation of the Coulomb law at any contact, divided by the largest approach speed in "
        "the\n"
        "problem (E = 1 for zero impulses, less if all approach speeds are below 1e-6 of the free speeds); FB is the\n"
        "Fischer-Burmeister function.",
    .ending = "Exit status: 0 all solved, 1 a tolerance missed, 2 bad input or an answer that could not be written, 130 Ctrl-C.\n"
              "\n"
              "Examples:\n"
              "  capstan solve problem.hdf5\n"
              "  capstan solve problems/ --tol 1e-8 --threads 2 --out answers\n"
              "  capstan solve problem.hdf5 --solver gauss-seidel --local mfb+direct --json"};

/* Reports an error if the solutions of two inputs would be written to the same file, or if a solution would overwrite its
 * problem. */
static bool outputs_apart(const cst_inputs *inputs, const char *out, char *message, size_t message_size)
{
    for (int i = 0; i < inputs->count; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(inputs->file[i].name, inputs->file[k].name) == 0) {
                snprintf(message, message_size, "%s and %s would both be written to %s/%s.hdf5", inputs->file[k].path,
                         inputs->file[i].path, out, inputs->file[i].name);
                return false;
            }
        }
        struct stat from, to;
        char *path = cst_path_join(out, inputs->file[i].name, ".hdf5");
        bool same = path && stat(path, &to) == 0 && stat(inputs->file[i].path, &from) == 0 && from.st_dev == to.st_dev &&
                    from.st_ino == to.st_ino;
        free(path);
        if (same) {
            snprintf(message, message_size, "--out %s would replace %s by its answer", out, inputs->file[i].path);
            return false;
        }
    }
    return true;
}

static int solve_all(const cst_inputs *inputs, const cst_solve_settings *settings, bool json)
{
    cst_solve_record *record = calloc((size_t)inputs->count, sizeof *record);
    if (!record) {
        fputs("capstan solve: out of memory\n", stderr);
        return CST_EXIT_BAD;
    }
    int worst = CST_EXIT_SOLVED, done = 0;
    for (; done < inputs->count && !cst_interrupted(); done++) {
        cst_progress progress;
        cst_progress_begin(&progress, settings->time_limit, "[%d/%d] %s", done + 1, inputs->count, inputs->file[done].name);
        cst_solve_file(&inputs->file[done], settings, &progress, &record[done]);
        cst_progress_end(&progress);
        int own = cst_solve_exit(&record[done]);
        worst = own > worst ? own : worst;
        if (json)
            cst_solve_print_json(stdout, settings, &record[done]);
        if (own == CST_EXIT_BAD)
            fprintf(stderr, "capstan solve: %s\n", record[done].message);
    }
    if (!json)
        cst_solve_print_table(stdout, settings, record, done);
    free(record);
    if (cst_interrupted()) {
        fprintf(stderr, "capstan solve: interrupted, %d of %d files not reached\n", inputs->count - done, inputs->count);
        return CST_EXIT_INTERRUPTED;
    }
    return worst;
}

int cst_command_solve(int argc, char **argv)
{
    static const char *const guesses[] = {"zero", "file", NULL};
    static const char *const measures[] = {"error", "fb", NULL};
    cst_solve_settings settings = {.options = cst_friction_options_default(), .repeat = 1};
    cst_choices choices;
    cst_choices_fill(&choices);
    int solver = CST_SOLVER_AUTO, local = CST_LOCAL_DIRECT, form = CST_FORM_AUTO, guess = 0, measure = 0;
    bool json = false, full_steps = false;
    cst_friction_options *options = &settings.options;
    const cst_option table[] = {
        cst_option_choice("solver", &solver, "S", choices.solver, "global solver"),
        cst_option_choice("local", &local, "L", choices.local, "solver of one contact in a sweep; X+direct falls back on direct"),
        cst_option_choice("form", &form, "F", choices.form, "how a file with bodies (FCLIB global, GFC3D) is swept"),
        cst_option_flag("no-line-search", &full_steps, "newton-ac and newton-fb take full steps, without Goldstein-Price"),
        cst_option_flag("symmetrise", &options->symmetrise, "solve (W + W')/2 instead of W as given"),
        cst_option_real("tol", &options->tolerance, "T", 0, 1, "stop at this residual (1e-6)"),
        cst_option_choice("measure", &measure, "M", measures,
                          "residual to stop at: E, or FB in the scale max |w| of published work"),
        cst_option_integer("max-iterations", &options->max_iterations, "N", 1, INT_MAX,
                           "sweeps, Newton and gradient steps together (100000)"),
        cst_option_real("time-limit", &settings.time_limit, "S", 0, HUGE_VAL, "seconds per file (none)"),
        cst_option_integer("threads", &options->threads, "N", 1, 1024, "the bits of the answer do not depend on it (1)"),
        cst_option_choice("guess", &guess, "G", guesses, "first impulses: zero, or those in the file"),
        cst_option_integer("repeat", &settings.repeat, "K", 1, 1000, "solve K times and report the best time (1)"),
        cst_option_flag("json", &json, "one record per file and line instead of a table"),
        cst_option_text("out", &settings.out, "DIR", "write answers: DIR/NAME.hdf5 with /solution/r and /solution/u"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands == 0) {
        fputs("capstan solve: no files given\nTry: capstan solve --help\n", stderr);
        return CST_EXIT_BAD;
    }
    options->solver = (cst_solver)solver;
    options->form = (cst_form)form;
    options->line_search = !full_steps;
    options->judge_by_fischer_burmeister = measure == 1;
    settings.guess_from_file = guess == 1;
    cst_choices_set_local(local, options);

    char message[512];
    cst_inputs inputs;
    bool ready = cst_inputs_gather(&inputs, operands, argv, message, sizeof message);
    if (ready && settings.out)
        ready = cst_directory_make(settings.out, message, sizeof message) &&
                outputs_apart(&inputs, settings.out, message, sizeof message);
    code = CST_EXIT_BAD;
    if (ready) {
        cst_interrupt_install();
        code = solve_all(&inputs, &settings, json);
    } else {
        fprintf(stderr, "capstan solve: %s\n", message);
    }
    cst_inputs_free(&inputs);
    return code;
}
