#include "cli/solve_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/fclib.h"

/* The friction problem of a file, given by its Delassus matrix (explicit form) or by a mass matrix (body form), and memory for
 * its solution. */
typedef struct task {
    const cst_friction_problem *local; /* one of `local` and `bodies` */
    const cst_body_problem *bodies;
    cst_body_problem body_form; /* storage for `bodies` */
    int dofs;                   /* bodies: number of entries of v */
    double *r, *u, *v;
} task;

static void describe(cst_solve_record *record, const char *text)
{
    size_t used = strlen(record->message);
    snprintf(record->message + used, sizeof record->message - used, "%s%s", used ? "; " : "", text);
}

/* Chooses the form of the problem: the body form if the file contains a mass matrix (a global problem), and the explicit form if
 * it contains only a Delassus matrix (a local problem). If the mass matrix is not symmetric, or cannot be split into separate
 * bodies, the Delassus matrix is computed, and the explicit form is used. Reports an error if the problem can only be solved in
 * the explicit form, but the user has requested another form. */
static bool choose_form(cst_problem_file *file, const cst_solve_settings *settings, task *work, cst_solve_record *record)
{
    char message[512];
    cst_form form = settings->options.form;
    if (file->has_global && file->global.asymmetry <= CST_MASS_SYMMETRIC) {
        if (cst_problem_file_bodies(file, &work->body_form, message, sizeof message)) {
            work->bodies = &work->body_form;
            for (int i = 0; i < work->bodies->bodies; i++)
                work->dofs += work->bodies->body[i].size;
            return true;
        }
        if (form != CST_FORM_AUTO && form != CST_FORM_EXPLICIT) {
            describe(record, message);
            return false;
        }
    } else if (form != CST_FORM_AUTO && form != CST_FORM_EXPLICIT) {
        snprintf(message, sizeof message, "%s: %s, so it can only be solved in the explicit form, not %s", record->input->path,
                 file->has_global ? "M is not symmetric" : "the file has W only", cst_form_name(form));
        describe(record, message);
        return false;
    }
    if (!file->has_local && !cst_problem_file_condense(file, message, sizeof message)) {
        describe(record, message);
        return false;
    }
    work->local = &file->local;
    return true;
}

/* Computes the velocity scale that published comparisons of friction solvers use: the largest relative velocity that a contact
 * has without contact impulses. If the problem is given by a mass matrix, the relative velocities without contact impulses are
 * not in the file; they are computed together with the Delassus matrix. */
static bool published_scale(const task *work, double *scale, cst_solve_record *record)
{
    if (work->local) {
        *scale = cst_friction_largest_velocity(work->local);
        return true;
    }
    char message[256];
    cst_friction_problem explicit_form;
    cst_assembled *assembled = cst_friction_assemble(work->bodies, NULL, &explicit_form, message, sizeof message);
    if (!assembled) {
        describe(record, message);
        return false;
    }
    *scale = cst_friction_largest_velocity(&explicit_form);
    cst_assembled_free(assembled);
    return true;
}

/* Returns the default velocity scale of the residual. The default velocity scale does not depend on the computed impulses, but
 * only on the relative velocities that the contacts would have without impulses. */
static double own_scale(const task *work, const cst_friction_options *options)
{
    cst_residual residual = {0};
    if (work->local)
        cst_friction_residual(work->local, work->r, 0, &residual);
    else if (!cst_body_residual(work->bodies, work->v, work->r, 0, &options->allocator, &residual))
        return 0;
    return residual.velocity_scale;
}

static cst_status solve_once(const task *work, const cst_friction_options *options, cst_friction_report *report)
{
    return work->local ? cst_friction_solve(work->local, options, work->r, work->u, report)
                       : cst_friction_solve_bodies(work->bodies, options, work->r, work->u, work->v, report);
}

static void start_from_guess(const cst_problem_file *file, const cst_solve_settings *settings, double *r)
{
    size_t bytes = (size_t)file->dim * (size_t)file->contacts * sizeof *r;
    if (settings->guess_from_file && file->guess)
        memcpy(r, file->guess, bytes);
    else
        memset(r, 0, bytes);
}

static void write_answer(const cst_problem_file *file, const task *work, const cst_solve_settings *settings,
                         cst_solve_record *record)
{
    cst_fclib_solution solution = {.dim = file->dim,
                                   .contacts = file->file_contacts,
                                   .r = work->r,
                                   .u = work->u,
                                   .l = file->equalities ? work->r + (size_t)file->dim * (size_t)file->file_contacts : NULL,
                                   .equalities = file->equalities};
    char message[512];
    char *path = cst_path_join(settings->out, record->input->name, ".hdf5");
    double *v = NULL;
    bool enough = path != NULL;
    if (enough && work->bodies && file->file_dofs > 0) {
        v = calloc((size_t)work->dofs, sizeof *v);
        enough = v != NULL;
        for (int i = 0; enough && i < work->dofs; i++)
            v[file->body_dof[i]] = work->v[i];
        solution.v = v;
        solution.dofs = file->file_dofs;
    }
    snprintf(message, sizeof message, "out of memory for writing the answer");
    if (!enough || !cst_fclib_write_solution(path, &solution, NULL, message, sizeof message)) {
        record->written_badly = true;
        describe(record, message);
    }
    free(v);
    free(path);
}

static void solve_task(cst_problem_file *file, task *work, const cst_solve_settings *settings, cst_progress *progress,
                       cst_solve_record *record)
{
    cst_friction_options options = settings->options;
    options.progress = cst_progress_step;
    options.progress_user = progress;
    if (options.judge_by_fischer_burmeister && !published_scale(work, &options.velocity_scale, record))
        return;

    for (int i = 0; i < settings->repeat; i++) {
        cst_friction_report report;
        start_from_guess(file, settings, work->r);
        solve_once(work, &options, &report);
        if (i > 0) {
            report.seconds = report.seconds < record->report.seconds ? report.seconds : record->report.seconds;
            report.setup_seconds =
                report.setup_seconds < record->report.setup_seconds ? report.setup_seconds : record->report.setup_seconds;
        }
        record->report = report;
        if (report.status == CST_INTERRUPTED || report.status == CST_BAD_PROBLEM || report.status == CST_OUT_OF_MEMORY)
            break;
    }
    if (*record->report.message)
        describe(record, record->report.message);
    record->status = record->report.status;
    if (record->status == CST_BAD_PROBLEM || record->status == CST_OUT_OF_MEMORY)
        return;

    record->solvable = true;
    record->symmetrised = options.symmetrise;
    record->interrupted = record->status == CST_INTERRUPTED && !progress->timed_out;
    if (progress->timed_out) {
        char message[64];
        snprintf(message, sizeof message, "stopped at the time limit of %g s", settings->time_limit);
        describe(record, message);
        record->status = CST_TOLERANCE_MISSED;
    }
    record->error = record->report.residual.error;
    record->fischer_burmeister = record->report.residual.fischer_burmeister;
    if (options.judge_by_fischer_burmeister) {
        /* The residual E is inversely proportional to the velocity scale. */
        double scale = own_scale(work, &options);
        if (scale > 0)
            record->error *= record->report.residual.velocity_scale / scale;
    }
    if (settings->out)
        write_answer(file, work, settings, record);
}

void cst_solve_file(const cst_input *input, const cst_solve_settings *settings, cst_progress *progress, cst_solve_record *record)
{
    *record = (cst_solve_record){.input = input, .status = CST_BAD_PROBLEM};
    char message[512];
    cst_problem_file *file = cst_problem_file_read(input->path, NULL, message, sizeof message);
    if (!file) {
        describe(record, message);
        return;
    }
    record->dim = file->dim;
    record->contacts = file->contacts;
    if (settings->guess_from_file && !file->guess)
        describe(record, "the file has no guess: started from zero");
    task work = {0};
    if (choose_form(file, settings, &work, record)) {
        size_t entries = (size_t)file->dim * (size_t)file->contacts + 1;
        work.r = calloc(entries, sizeof *work.r);
        work.u = calloc(entries, sizeof *work.u);
        work.v = calloc((size_t)work.dofs + 1, sizeof *work.v);
        if (work.r && work.u && work.v) {
            solve_task(file, &work, settings, progress, record);
        } else {
            record->status = CST_OUT_OF_MEMORY;
            describe(record, "out of memory");
        }
        free(work.r);
        free(work.u);
        free(work.v);
    }
    cst_problem_file_free(file);
}

int cst_solve_exit(const cst_solve_record *record)
{
    if (!record->solvable || record->written_badly)
        return CST_EXIT_BAD;
    return record->status == CST_SOLVED ? CST_EXIT_SOLVED : CST_EXIT_MISSED;
}
