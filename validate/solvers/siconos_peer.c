#include "solvers/siconos_peer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/progress.h"
#include "exchange/fclib.h"
#include "harness/bench_data.h"

extern char **environ;

enum { PATH_LENGTH = 2048 };

static const char script_name[] = "solvers/siconos_rows.py";

static const char *interpreter(void)
{
    const char *said = getenv("CAPSTAN_PYTHON");
    return said && *said ? said : "/usr/bin/python3";
}

/* Starts the interpreter with its output thrown away; -1 if it could not be started. */
static pid_t start(char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    pid_t child = -1;
    if (posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
        posix_spawn(&child, interpreter(), &actions, NULL, arguments, environ) != 0)
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

bool cst_siconos_available(char *message, size_t message_size)
{
    char script[PATH_LENGTH];
    if (!cst_bench_data_find(script_name, script, sizeof script)) {
        snprintf(message, message_size, "siconos_rows.py was not found: set CAPSTAN_BENCH_DATA to the directory validate");
        return false;
    }
    char name[] = "python3", option[] = "-c", program[] = "import siconos.numerics, h5py, scipy.sparse";
    char *arguments[] = {name, option, program, NULL};
    pid_t child = start(arguments);
    int status = -1;
    if (child > 0)
        waitpid(child, &status, 0);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    snprintf(message, message_size, "%s has no siconos.numerics: apt-get install python3-siconos python3-h5py python3-scipy",
             interpreter());
    return false;
}

/* Each problem once, however many jobs have it. */
static bool write_jobs(const char *directory, const cst_siconos_job *job, int count, char *message, size_t message_size)
{
    static const char *const goals[] = {"iterations", "error", "fb"};
    char path[PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/jobs.tsv", directory);
    FILE *to = fopen(path, "w");
    if (!to) {
        snprintf(message, message_size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool sound = true;
    for (int i = 0; sound && i < count; i++) {
        int same = 0;
        while (job[same].problem != job[i].problem)
            same++;
        snprintf(path, sizeof path, "%s/problem%d.hdf5", directory, same);
        if (same == i)
            sound = cst_fclib_write_local(path, job[i].problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, message_size);
        fprintf(to, "%d\t%s\t%s\t%s\t%.17g\t%d\t%g\n", i, path, job[i].solver, goals[job[i].goal], job[i].value, job[i].scaled,
                job[i].limit);
    }
    return fclose(to) == 0 && sound;
}

static double *read_impulses(const char *directory, int index, const cst_friction_problem *problem)
{
    char path[PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/%d.r", directory, index);
    size_t entries = (size_t)problem->dim * (size_t)problem->contacts;
    FILE *from = fopen(path, "rb");
    double *r = from ? malloc((entries + 1) * sizeof *r) : NULL;
    if (r && fread(r, sizeof *r, entries + 1, from) != entries) {
        free(r);
        r = NULL;
    }
    if (from)
        fclose(from);
    return r;
}

/* How many lines there are; each fills its job's answers. */
static int read_results(const char *directory, cst_siconos_job *job, int count)
{
    char path[PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/results.tsv", directory);
    FILE *from = fopen(path, "r");
    if (!from)
        return 0;
    int lines = 0;
    char line[256];
    while (fgets(line, sizeof line, from) && strchr(line, '\n')) {
        int index, iterations;
        double seconds;
        char status[32];
        lines++;
        if (sscanf(line, "%d\t%31[^\t]\t%d\t%lf", &index, status, &iterations, &seconds) != 4 || index < 0 || index >= count)
            continue;
        snprintf(job[index].status, sizeof job[index].status, "%s", status);
        job[index].iterations = iterations;
        job[index].seconds = seconds;
    }
    fclose(from);
    return lines;
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *file = entry->d_name[0] != '.' ? cst_path_join(path, entry->d_name, "") : NULL;
        if (file)
            unlink(file);
        free(file);
    }
    closedir(directory);
    rmdir(path);
}

static bool run_script(const char *directory, cst_siconos_job *job, int count, char *message, size_t message_size)
{
    char script[PATH_LENGTH], jobs[PATH_LENGTH], results[PATH_LENGTH], name[] = "python3";
    snprintf(jobs, sizeof jobs, "%.2000s/jobs.tsv", directory);
    snprintf(results, sizeof results, "%.2000s/results.tsv", directory);
    char *arguments[] = {name, script, jobs, results, NULL};
    pid_t child = cst_bench_data_find(script_name, script, sizeof script) ? start(arguments) : -1;
    if (child < 0) {
        snprintf(message, message_size, "Siconos could not be started");
        return false;
    }
    cst_progress progress = {0};
    while (waitpid(child, NULL, WNOHANG) == 0) {
        if (cst_interrupted())
            kill(child, SIGKILL);
        cst_progress_note(&progress, "Siconos: %d of %d runs", read_results(directory, job, count), count);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    cst_progress_end(&progress);
    return true;
}

bool cst_siconos_run(cst_siconos_job *job, int count, char *message, size_t message_size)
{
    const char *base = getenv("TMPDIR");
    char directory[PATH_LENGTH / 2];
    snprintf(directory, sizeof directory, "%s/capstan-siconos-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(directory)) {
        snprintf(message, message_size, "%s: %s", directory, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        snprintf(job[i].status, sizeof job[i].status, "not run");
        job[i].r = NULL;
    }
    bool ran =
        write_jobs(directory, job, count, message, message_size) && run_script(directory, job, count, message, message_size);
    if (ran)
        read_results(directory, job, count);
    for (int i = 0; ran && i < count; i++) {
        if (strcmp(job[i].status, "ok") == 0 && !(job[i].r = read_impulses(directory, i, job[i].problem)))
            snprintf(job[i].status, sizeof job[i].status, "no answer");
    }
    remove_directory(directory);
    return ran;
}

void cst_siconos_free(cst_siconos_job *job, int count)
{
    for (int i = 0; i < count; i++) {
        free(job[i].r);
        job[i].r = NULL;
    }
}
