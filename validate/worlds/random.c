/* capstan-bench random: random worlds with the default settings. Each is written as a scene, run to its end in a process of its own, looked at
 * step by step by a check that shares no code with detection (worlds/trespass.h), and judged. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benches.h"
#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "worlds/random_trial.h"
#include "write/csv.h"
#include "write/directory.h"
#include "write/file_write.h"
#include "write/table.h"

static const double GAIN = 0.01;          /* of the energy put in */
static const double THROUGH = 0.5;        /* of the smaller radius: deeper counts as passed through */
static const double AT_TOLERANCE = 0.999; /* of the steps of all worlds */

enum { JOBS_MAX = 64 };

/* A world under way in a process of its own. */
typedef struct job {
    pid_t process;
    int from; /* its verdict comes through here */
    uint64_t seed;
} job;

typedef struct settings {
    uint64_t first, last;
    const char *seeds, *out, *csv, *scene;
    int jobs;
    double limit;
    bool keep;
    cst_text_list set;
} settings;

typedef struct tally {
    int worlds, bad, crashed, not_finite, stopped, slow, gained, passed, unexplained;
    int64_t steps, missed, retries;
    int worlds_missed, deep; /* overlap beyond 1 % of a radius */
    double deepest, worst_gain, error, seconds;
} tally;

static void scene_path(const settings *how, uint64_t seed, char *path, size_t size)
{
    if (how->scene)
        snprintf(path, size, "%s", how->scene);
    else
        snprintf(path, size, "%s/seed_%llu.json", how->out, (unsigned long long)seed);
}

/* ------------------------------------------------------------------------------------------------------------------ processes */

static bool write_scene(const char *path, uint64_t seed, cst_random_scene *about)
{
    FILE *to = fopen(path, "w");
    if (!to)
        return false;
    cst_random_scene_write(seed, to, about);
    return fclose(to) == 0;
}

static void live(const settings *how, uint64_t seed, int to)
{
    char path[1200];
    cst_random_scene about = {0};
    cst_random_verdict verdict = {.message = "the scene could not be written"};
    const struct rlimit limit = {(rlim_t)how->limit, (rlim_t)how->limit + 5};
    setrlimit(RLIMIT_CPU, &limit);
    signal(SIGXCPU, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    scene_path(how, seed, path, sizeof path);
    if (how->scene || write_scene(path, seed, &about))
        cst_random_trial(path, how->set.text, how->set.count, &about, &verdict);
    const ssize_t sent = write(to, &verdict, sizeof verdict);
    _exit(sent == (ssize_t)sizeof verdict ? 0 : 1);
}

static bool begin(const settings *how, uint64_t seed, job *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    *out = (job){.process = fork(), .from = ends[0], .seed = seed};
    if (out->process == 0) {
        close(ends[0]);
        live(how, seed, ends[1]);
    }
    close(ends[1]);
    if (out->process < 0)
        close(ends[0]);
    return out->process > 0;
}

/* Waits for any of the jobs; its number. -1: interrupted. */
static int wait_for_one(const job *jobs, int count, int *status)
{
    for (;;) {
        const pid_t done = waitpid(-1, status, 0);
        if (done < 0 && errno == EINTR && !cst_interrupted())
            continue;
        if (done < 0)
            return -1;
        for (int k = 0; k < count; k++)
            if (jobs[k].process == done)
                return k;
    }
}

/* ------------------------------------------------------------------------------------------------------------------- verdicts */

static void add_fault(char *faults, size_t size, const char *fault)
{
    const size_t used = strlen(faults);
    snprintf(faults + used, size - used, "%s%s", used ? "; " : "", fault);
}

/* What is wrong with a world, in words; "" if nothing is. */
static void judge(const cst_random_verdict *v, int status, tally *sum, char *faults, size_t size)
{
    char text[400];
    faults[0] = '\0';
    sum->worlds++;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        sum->slow++;
        add_fault(faults, size, "too slow: stopped by the limit of processor time");
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        sum->crashed++;
        snprintf(text, sizeof text, "crash: %s %d", WIFSIGNALED(status) ? "signal" : "exit",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        add_fault(faults, size, text);
    } else {
        sum->steps += v->steps;
        sum->missed += v->missed;
        sum->retries += v->retries;
        sum->worlds_missed += v->missed > 0;
        sum->deep += v->depth > 0.01;
        sum->deepest = fmax(sum->deepest, v->depth);
        sum->error = fmax(sum->error, v->error);
        sum->seconds += v->seconds;
        sum->worst_gain = fmax(sum->worst_gain, v->gain / fmax(v->put_in, 1e-300));
        sum->unexplained += v->unexplained > GAIN * v->put_in;
        if (v->not_finite) {
            sum->not_finite++;
            add_fault(faults, size, "not finite");
        } else if (!v->finished) {
            sum->stopped++;
            snprintf(text, sizeof text, "stopped %s", v->message);
            add_fault(faults, size, text);
        }
        if (v->gain > GAIN * v->put_in) {
            sum->gained++;
            snprintf(text, sizeof text, "gains %.3g J of %.3g J put in at %.4g s", v->gain, v->put_in, v->gain_at);
            add_fault(faults, size, text);
        }
        if (v->crossings > 0 || v->depth > THROUGH) {
            sum->passed++;
            snprintf(text, sizeof text, "%s: %s, %.2g radii at %.4g s", v->crossings ? "passes through" : "deep", v->who,
                     v->depth, v->crossings ? v->crossed_at : v->depth_at);
            add_fault(faults, size, text);
        }
        if (v->missed > 0) {
            snprintf(text, sizeof text, "%d steps over tolerance", v->missed);
            add_fault(faults, size, text);
            for (int k = 0; k < v->missed && k < CST_RANDOM_NAMED; k++) {
                const size_t used = strlen(faults);
                snprintf(faults + used, size - used, "%s %.6g s (E %.2g)", k ? "," : ":", v->missed_at[k], v->missed_error[k]);
            }
        }
    }
    sum->bad += faults[0] != '\0';
}

static void write_row(cst_csv *csv, uint64_t seed, const cst_random_verdict *v, const char *faults)
{
    if (!csv)
        return;
    cst_csv_integer(csv, (int64_t)seed);
    cst_csv_integer(csv, v->steps);
    cst_csv_integer(csv, v->missed);
    cst_csv_integer(csv, v->retries);
    cst_csv_integer(csv, v->contacts);
    cst_csv_real(csv, v->put_in);
    cst_csv_real(csv, v->gain);
    cst_csv_real(csv, v->unexplained);
    cst_csv_real(csv, v->depth);
    cst_csv_integer(csv, v->crossings);
    cst_csv_real(csv, v->error);
    cst_csv_real(csv, v->seconds);
    cst_csv_text(csv, faults);
    cst_csv_row_end(csv);
}

/* A world has ended: judged, told, its scene kept if something is wrong with it. */
static void finish(const settings *how, const job *of, int status, tally *sum, cst_csv *csv)
{
    cst_random_verdict verdict = {0};
    char faults[1024], path[1200];
    if (read(of->from, &verdict, sizeof verdict) != (ssize_t)sizeof verdict)
        verdict = (cst_random_verdict){0};
    close(of->from);
    judge(&verdict, status, sum, faults, sizeof faults);
    write_row(csv, of->seed, &verdict, faults);
    scene_path(how, of->seed, path, sizeof path);
    if (faults[0] != '\0') {
        printf("%s: %s\n    capstan run %s\n", path, faults, path);
        fflush(stdout);
    } else if (!how->keep && !how->scene) {
        remove(path);
    }
}

/* --------------------------------------------------------------------------------------------------------------------- running */

static void run_all(const settings *how, tally *sum, cst_csv *csv)
{
    job jobs[JOBS_MAX];
    int running = 0, status;
    uint64_t next = how->first;
    cst_progress progress;
    cst_progress_begin(&progress, 0, "random worlds");
    while ((next <= how->last || running > 0) && !cst_interrupted()) {
        while (running < how->jobs && next <= how->last && begin(how, next, jobs + running)) {
            running++;
            next++;
        }
        cst_progress_note(&progress, "%d worlds of %llu, %d with something wrong", sum->worlds,
                          (unsigned long long)(how->last - how->first + 1), sum->bad);
        const int k = running > 0 ? wait_for_one(jobs, running, &status) : -1;
        if (k < 0)
            break;
        cst_progress_end(&progress);
        finish(how, jobs + k, status, sum, csv);
        jobs[k] = jobs[--running];
    }
    for (int k = 0; k < running; k++)
        kill(jobs[k].process, SIGTERM);
    cst_progress_end(&progress);
}

static void row(cst_table *table, const char *what, double measured, const char *bound, bool met)
{
    cst_table_cell(table, "%s", what);
    cst_table_cell(table, "%.6g", measured);
    cst_table_cell(table, "%s", bound);
    cst_table_cell(table, "%s", *bound == '\0' ? "" : met ? "met" : "MISSED");
    cst_table_tone(table, met ? CST_TONE_GOOD : CST_TONE_BAD);
}

static bool print_tally(const tally *sum)
{
    const double share = sum->steps > 0 ? 1.0 - (double)sum->missed / (double)sum->steps : 0.0;
    const cst_look look = cst_terminal_look(stdout);
    cst_table *table = cst_table_new();
    cst_table_column(table, "worlds", CST_ALIGN_LEFT);
    cst_table_column(table, "measured", CST_ALIGN_RIGHT);
    cst_table_column(table, "asked", CST_ALIGN_LEFT);
    cst_table_column(table, "", CST_ALIGN_LEFT);
    row(table, "run", sum->worlds, "", true);
    row(table, "not finite", sum->not_finite, "0", sum->not_finite == 0);
    row(table, "crash", sum->crashed, "0", sum->crashed == 0);
    row(table, "a step that failed", sum->stopped, "0", sum->stopped == 0);
    row(table, "too slow", sum->slow, "0", sum->slow == 0);
    row(table, "energy gain beyond 1 % of what was put in", sum->gained, "0", sum->gained == 0);
    row(table, "passed through, or deeper than half a radius", sum->passed, "0", sum->passed == 0);
    row(table, "steps at tolerance, share", share, ">= 0.999", share >= AT_TOLERANCE);
    row(table, "worlds with a step over tolerance", sum->worlds_missed, "", true);
    row(table, "worlds with an overlap beyond 1 % of a radius", sum->deep, "", true);
    row(table, "worlds with more than 1 % unexplained", sum->unexplained, "", true);
    row(table, "deepest overlap, in radii", sum->deepest, "", true);
    row(table, "largest gain, of what was put in", sum->worst_gain, "", true);
    row(table, "largest E", sum->error, "", true);
    row(table, "steps", (double)sum->steps, "", true);
    row(table, "times a step was begun again", (double)sum->retries, "", true);
    row(table, "processor time, s", sum->seconds, "", true);
    cst_table_print(table, stdout, &look);
    cst_table_free(table);
    return sum->not_finite + sum->crashed + sum->stopped + sum->slow + sum->gained + sum->passed == 0 && share >= AT_TOLERANCE;
}

static bool read_seeds(settings *how)
{
    unsigned long long first, last;
    char rest;
    const int read = sscanf(how->seeds, "%llu:%llu%c", &first, &last, &rest);
    if (read == 1)
        last = first;
    how->first = first;
    how->last = last;
    return (read == 1 || read == 2) && first <= last && strchr(how->seeds, '-') == NULL;
}

int cst_bench_random(int argc, char **argv)
{
    static const char *const header[] = {
        "seed",          "steps",         "missed",    "retries", "contacts", "put_in_J", "gain_J",
        "unexplained_J", "overlap_radii", "crossings", "error",   "seconds",  "faults",   NULL};
    settings how = {.seeds = "1:50", .out = "random_worlds", .jobs = 2, .limit = 300};
    const cst_option option[] = {
        cst_option_text("seeds", &how.seeds, "A:B", "worlds A to B (1:50); even ones in the plane, odd ones in space"),
        cst_option_integer("jobs", &how.jobs, "N", 1, JOBS_MAX, "worlds at a time (2)"),
        cst_option_text("out", &how.out, "DIR", "scenes with something wrong are kept here (random_worlds)"),
        cst_option_text("csv", &how.csv, "FILE", "a row per world"),
        cst_option_text("scene", &how.scene, "FILE", "this scene, judged in the same way, instead of random ones"),
        cst_option_list("set", &how.set, "KEY=VALUE", "another value for a key of every scene; may be repeated"),
        cst_option_real("limit", &how.limit, "S", 1, 1e6, "processor time of a world (300)"),
        cst_option_flag("keep", &how.keep, "keep all scenes"),
    };
    const cst_command command = {
        .name = "capstan-bench random",
        .usage = "[options]",
        .about = "Random worlds with the default settings: do they go wrong?",
        .more = "Each world is a scene, runs in a process of its own, and is looked at after every step by a check that shares "
                "no code\n"
                "with detection. A world with something wrong is named with what it is and with the command that runs it.\n"
                "Exits with 1 if anything is not as asked."};
    char message[512];
    int code;
    if (cst_arguments_parse(&command, option, CST_OPTION_COUNT_OF(option), argc, argv, &code) < 0)
        return code;
    tally sum = {0};
    cst_file_write file;
    cst_csv csv;
    if (!read_seeds(&how)) {
        fprintf(stderr, "capstan-bench random: --seeds %s: expected A:B, whole numbers, A <= B\n", how.seeds);
        return CST_EXIT_BAD;
    }
    if (how.scene)
        how.first = how.last = 0;
    snprintf(message, sizeof message, "%s: its meshes cannot be written", how.out);
    if ((!how.scene && (!cst_directory_make(how.out, message, sizeof message) || !cst_random_meshes(how.out))) ||
        (how.csv && !cst_file_write_begin(&file, how.csv, message, sizeof message))) {
        fprintf(stderr, "capstan-bench random: %s\n", message);
        return CST_EXIT_BAD;
    }
    if (how.csv) {
        csv = cst_csv_begin(file.to);
        cst_csv_header(&csv, header);
    }
    run_all(&how, &sum, how.csv ? &csv : NULL);
    const bool good = print_tally(&sum);
    if (how.csv && !cst_file_write_commit(&file, message, sizeof message)) {
        fprintf(stderr, "capstan-bench random: %s\n", message);
        return CST_EXIT_BAD;
    }
    return good ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}
