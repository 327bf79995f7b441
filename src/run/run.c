#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "cache/cache_frame.h"
#include "run/begin_from.h"
#include "run/outcome.h"
#include "run/probes.h"
#include "run/run_scene_differs.h"
#include "write/file_write.h"

/* The measured computing time decides only when results are saved; the results themselves do not depend on it. */
#define SAVE_SECONDS 30.0 /* longest time between two saves */
/* SAVE_SHARE: a checkpoint that is due at the scene's checkpoint interval is skipped if less time than SAVE_SHARE times the
 * duration of the last save has passed since that save. Checkpoints at the scene's interval therefore take at most about a tenth
 * of the computing time. */
#define SAVE_SHARE 10.0

enum {
    UNSAVED_BYTES = 64 << 20, /* limit of unsaved results in memory */
    FULL_BODIES = 500         /* more bodies: light frames in 3D */
};

typedef struct run {
    const cst_scene *scene;
    const cst_run_settings *settings;
    cst_run_result *result;
    cst_scene_run plan;
    cst_arena arena;
    const char *files; /* names and checksums of the scene's files */
    uint64_t sum;      /* checksum of everything that affects results */
    cst_run_directory directory;
    cst_world *world;
    cst_cache_writer *cache;
    cst_frame_writer *frames;
    cst_probe_files *probes;
    int probe_count;
    cst_checkpoint save; /* buffers of the next checkpoint */
    size_t world_room;
    double started, saved, save_cost;
    double seconds_before; /* of earlier sessions */
} run;

static cst_run_end refuse(run *r, const char *format, const char *what)
{
    snprintf(r->result->message, sizeof r->result->message, format, what);
    return CST_RUN_REFUSED;
}

/* -------------------------------------------------------------------------------------------------------------- saving */

static bool write_outcome(run *r, cst_outcome_state state, const char *reason, char *message, size_t message_size)
{
    cst_outcome outcome = {.state = state,
                           .reason = reason,
                           .title = cst_scene_title(r->scene),
                           .duration = r->result->duration,
                           .saved_time = r->result->saved_time,
                           .tolerance = r->result->tolerance,
                           .threads = cst_world_definition(r->world)->friction.threads,
                           .warning = r->settings->warning,
                           .warnings = r->settings->warnings,
                           .totals = &r->result->totals};
    return cst_outcome_write(&r->directory, &outcome, message, message_size);
}

static bool not_saved(run *r)
{
    r->result->disk = true;
    return false;
}

static bool save_world(run *r)
{
    size_t bytes = cst_world_save(r->world, r->save.world, r->world_room);
    if (bytes > r->world_room) {
        free(r->save.world);
        r->save.world = malloc(bytes);
        r->world_room = r->save.world ? bytes : 0;
        if (!r->save.world) {
            snprintf(r->result->message, sizeof r->result->message, "%s: not enough memory", r->directory.checkpoint);
            return false;
        }
        cst_world_save(r->world, r->save.world, bytes);
    }
    r->save.world_bytes = bytes;
    return true;
}

/* Writes the results to disk, and then a checkpoint that contains the length of each result file.
 * `rows`: for each table of cache.h5, number of rows that the checkpoint records; NULL: all rows.
 * `mark`: length and checksum that the checkpoint records for each probe file; NULL: those of the whole files. */
static bool save_as(run *r, cst_run_phase phase, const int64_t *rows, const cst_probe_mark *mark)
{
    cst_run_result *result = r->result;
    double begun = cst_clock_seconds();
    result->seconds = begun - r->started;
    result->totals.seconds = r->seconds_before + result->seconds;
    if (!cst_probes_commit(r->probes, r->save.probe_mark, result->message, sizeof result->message) ||
        !cst_cache_commit(r->cache, result->message, sizeof result->message) || !save_world(r))
        return not_saved(r);
    r->save.settings = r->sum;
    r->save.phase = phase;
    r->save.totals = result->totals;
    r->save.probes = r->probe_count;
    for (int t = 0; t < CST_TABLES; t++)
        r->save.rows[t] = rows ? rows[t] : cst_cache_rows(r->cache, (cst_cache_table)t);
    for (int p = 0; mark && p < r->probe_count; p++)
        r->save.probe_mark[p] = mark[p];
    if (!cst_checkpoint_write(&r->directory, &r->save, result->message, sizeof result->message))
        return not_saved(r);
    result->saved_time = result->totals.time;
    if (phase == CST_PHASE_RUNNING &&
        !write_outcome(r, CST_OUTCOME_RUNNING, "under way, or killed", result->message, sizeof result->message))
        return not_saved(r);
    r->saved = cst_clock_seconds();
    r->save_cost = r->saved - begun;
    return true;
}

static bool save(run *r, cst_run_phase phase)
{
    return save_as(r, phase, NULL, NULL);
}

static bool save_due(const run *r, int64_t whole)
{
    double since = cst_clock_seconds() - r->saved;
    bool planned = whole >= 0 && r->plan.checkpoint_steps > 0 && whole % r->plan.checkpoint_steps == 0;
    return (planned && since > SAVE_SHARE * r->save_cost) || since > SAVE_SECONDS ||
           cst_cache_uncommitted(r->cache) > UNSAVED_BYTES;
}

/* -------------------------------------------------------------------------------------------------------------- running */

static bool out_of_memory(run *r)
{
    snprintf(r->result->message, sizeof r->result->message, "%s: not enough memory", r->directory.path);
    return false;
}

static bool write_frame(run *r, int64_t whole)
{
    r->result->totals.frames++;
    r->result->totals.speed = 0;
    return (cst_frame_write(r->frames, r->world, whole, r->cache) &&
            (r->settings->probe_each_step || cst_probes_sample(r->probes, r->world))) ||
           out_of_memory(r);
}

static void count_step(cst_run_totals *totals, const cst_step_report *report, double tolerance)
{
    bool over = !(report->residual.error <= tolerance);
    totals->time = report->time;
    totals->steps++;
    totals->contacts_max = report->contacts > totals->contacts_max ? report->contacts : totals->contacts_max;
    totals->nu_max = fmax(totals->nu_max, report->nu);
    totals->iterations += report->iterations;
    totals->retries += report->retries;
    totals->missed += over;
    totals->unconverged += report->status != CST_SOLVED && !over;
    if (!(report->residual.error <= totals->worst_error)) {
        totals->worst_error = report->residual.error;
        totals->worst_step = report->step;
    }
    totals->deepest_penetration = fmax(totals->deepest_penetration, report->penetration);
    if (report->crossings > 0 && totals->crossed++ == 0)
        snprintf(totals->crossing, sizeof totals->crossing, "%s", report->message);
    totals->crossings_max = report->crossings > totals->crossings_max ? report->crossings : totals->crossings_max;
    totals->worst_imbalance = fmax(totals->worst_imbalance, report->imbalance);
    totals->speed = fmax(totals->speed, report->motion / report->dt);
    const double added = fabs(report->energy.unexplained - totals->energy.unexplained);
    totals->unexplained = fmax(totals->unexplained, fabs(report->energy.unexplained));
    if (added > totals->unexplained_in_step) {
        totals->unexplained_in_step = added;
        totals->unexplained_time = report->time;
        totals->unexplained_step = report->step;
    }
    totals->energy = report->energy;
}

/* Makes one time step of the world and stores its results. Returns false with a message if the step failed, which leaves the
 * world unchanged, or if memory ran out. */
static bool advance(run *r, cst_step_report *report, bool *frame, bool *rest)
{
    cst_run_totals *totals = &r->result->totals;
    if (cst_world_step(r->world, report) > CST_TOLERANCE_MISSED) {
        snprintf(r->result->message, sizeof r->result->message, "step %lld at %.9g s failed (%s)%s%s",
                 (long long)totals->steps + 1, cst_world_time(r->world), cst_status_name(report->status),
                 report->message[0] ? ": " : "", report->message);
        return false;
    }
    count_step(totals, report, r->result->tolerance);
    if (!cst_cache_append(r->cache, CST_TABLE_STEPS, report, 1) || !cst_cache_append(r->cache, CST_TABLE_TIMINGS, report, 1) ||
        (r->settings->probe_each_step && !cst_probes_sample(r->probes, r->world)))
        return out_of_memory(r);
    int64_t whole = cst_world_whole_steps(r->world);
    *frame = whole >= 0 && whole % r->plan.steps_per_frame == 0;
    *rest = *frame && totals->speed < r->plan.until_rest;
    if (whole >= 0)
        totals->whole = whole;
    return !*frame || write_frame(r, whole);
}

static cst_run_end end_with(run *r, cst_run_end end, cst_outcome_state state, const char *reason)
{
    if (write_outcome(r, state, reason, r->result->message, sizeof r->result->message)) {
        r->result->message[0] = '\0';
        return end;
    }
    not_saved(r);
    return CST_RUN_FAILED;
}

/* Keeps the message of the failure. */
static cst_run_end fail(run *r)
{
    char ignored[512];
    write_outcome(r, CST_OUTCOME_FAILED, r->result->message, ignored, sizeof ignored);
    return CST_RUN_FAILED;
}

static const char *end_reason(bool rest)
{
    return rest ? "everything is at rest" : "the duration is reached";
}

/* Called at the end of a run if its final time is not a multiple of the frame interval: writes the final state as an additional
 * frame. The checkpoint records the lengths of the result files without this frame. If the run is resumed with a longer duration,
 * the additional frame is therefore removed, and all frames are the same as in a run without interruption. */
static bool save_end(run *r)
{
    cst_run_totals *totals = &r->result->totals, before = *totals;
    int64_t rows[CST_TABLES];
    cst_probe_mark *mark = calloc((size_t)r->probe_count + 1, sizeof *mark);
    if (!mark)
        return out_of_memory(r);
    for (int t = 0; t < CST_TABLES; t++)
        rows[t] = cst_cache_rows(r->cache, (cst_cache_table)t);
    bool ok = cst_probes_commit(r->probes, mark, r->result->message, sizeof r->result->message) || not_saved(r);
    ok = ok && write_frame(r, totals->whole);
    const int frames = (int)(totals->frames - before.frames);
    totals->frames = before.frames;
    ok = ok && save_as(r, CST_PHASE_AT_END, rows, mark);
    totals->frames += frames;
    free(mark);
    return ok;
}

static cst_run_end finish(run *r, bool rest)
{
    r->result->at_rest = rest;
    const bool framed = r->result->totals.whole % r->plan.steps_per_frame == 0;
    if (framed ? !save(r, rest ? CST_PHASE_AT_REST : CST_PHASE_AT_END) : !save_end(r))
        return fail(r);
    return end_with(r, CST_RUN_FINISHED, CST_OUTCOME_FINISHED, end_reason(rest));
}

static cst_run_end interrupt(run *r)
{
    return save(r, CST_PHASE_RUNNING) ? end_with(r, CST_RUN_INTERRUPTED, CST_OUTCOME_INTERRUPTED, "stopped on request") : fail(r);
}

static cst_run_end loop(run *r)
{
    const cst_run_settings *settings = r->settings;
    cst_run_result *result = r->result;
    cst_step_report report = {0};
    bool rest = false;
    r->saved = cst_clock_seconds();
    while (result->totals.whole < r->plan.total_steps && !rest) {
        bool frame;
        if (settings->before_step && !settings->before_step(settings->user, r->world))
            return interrupt(r);
        if (!advance(r, &report, &frame, &rest)) {
            /* copies the error message of the failed step, because saving the earlier results may overwrite it */
            char message[sizeof result->message];
            memcpy(message, result->message, sizeof message);
            if (report.status == CST_INTERRUPTED) /* interrupted by cst_world_on_iteration */
                return interrupt(r);
            if (save(r, CST_PHASE_RUNNING))
                memcpy(result->message, message, sizeof message);
            return fail(r);
        }
        cst_run_progress now = {
            .duration = result->duration, .frame = frame, .totals = &result->totals, .report = &report, .world = r->world};
        result->seconds = cst_clock_seconds() - r->started;
        result->totals.seconds = r->seconds_before + result->seconds;
        bool stop = settings->progress && !settings->progress(settings->user, &now);
        bool done = rest || result->totals.whole >= r->plan.total_steps;
        if (!done && (stop || save_due(r, cst_world_whole_steps(r->world))) && !save(r, CST_PHASE_RUNNING))
            return fail(r);
        if (!done && stop)
            return end_with(r, CST_RUN_INTERRUPTED, CST_OUTCOME_INTERRUPTED, "stopped on request");
    }
    return finish(r, rest);
}

/* ------------------------------------------------------------------------------------------------------------ beginning */

/* Returns how much data each saved frame contains: all data (full) or less (light). A scene may choose full or light frames. By
 * default, the frames of a 3D scene with more than FULL_BODIES bodies (hair) are light, and those of all other scenes are
 * full. */
static cst_cache_detail detail_of(const run *r)
{
    const bool many = cst_world_definition(r->world)->dim == 3 && cst_world_bodies(r->world) > FULL_BODIES;
    const cst_scene_detail wanted = r->plan.detail;
    return wanted == CST_SCENE_DETAIL_LIGHT || (wanted == CST_SCENE_DETAIL_AUTO && many) ? CST_DETAIL_LIGHT : CST_DETAIL_FULL;
}

static bool create_cache(run *r)
{
    int bodies = cst_world_bodies(r->world), obstacles = cst_world_obstacles(r->world),
        constraints = cst_world_constraints(r->world);
    const char **name = calloc((size_t)(bodies + obstacles + constraints) + 1, sizeof *name);
    if (!name)
        return out_of_memory(r);
    for (int i = 0; i < bodies; i++)
        name[i] = cst_world_body_name(r->world, (cst_body_id)(i + 1));
    for (int i = 0; i < obstacles; i++)
        name[bodies + i] = cst_world_obstacle_name(r->world, (cst_obstacle_id)(i + 1));
    for (int i = 0; i < constraints; i++)
        name[bodies + obstacles + i] = cst_world_constraint_name(r->world, (cst_constraint_id)(i + 1));
    cst_cache_head head = {.dim = cst_world_definition(r->world)->dim,
                           .detail = detail_of(r),
                           .dt = cst_world_definition(r->world)->time_step.dt,
                           .frame_interval = r->plan.frame_interval,
                           .tolerance = r->result->tolerance,
                           .title = cst_scene_title(r->scene),
                           .scene = cst_scene_text(r->scene),
                           .source = cst_scene_source(r->scene),
                           .files = r->files,
                           .bodies = bodies,
                           .body_name = name,
                           .obstacles = obstacles,
                           .obstacle_name = name + bodies,
                           .constraints = constraints,
                           .constraint_name = name + bodies + obstacles};
    r->cache = cst_cache_create(r->directory.cache, &head, r->result->message, sizeof r->result->message);
    free(name);
    return r->cache || not_saved(r);
}

static bool copy_scene(run *r)
{
    cst_file_write file;
    if (!cst_file_write_begin(&file, r->directory.scene, r->result->message, sizeof r->result->message))
        return not_saved(r);
    fputs(cst_scene_source(r->scene), file.to);
    return cst_file_write_commit(&file, r->result->message, sizeof r->result->message) || not_saved(r);
}

/* Removes an earlier run from the directory and sets the state in outcome.json to "running", in the order that run_directory.h
 * describes. If outcome.json cannot be written because the disk is full, the function writes it again after the removal of the
 * old results. */
static bool take_over(run *r)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    if (!cst_run_directory_forget(&r->directory, message, size))
        return not_saved(r);
    bool said = write_outcome(r, CST_OUTCOME_RUNNING, "under way, or killed", message, size);
    if (!cst_run_directory_clear(&r->directory, message, size) ||
        (!said && !write_outcome(r, CST_OUTCOME_RUNNING, "under way, or killed", message, size)) ||
        !cst_run_directory_reserve(&r->directory, message, size))
        return not_saved(r);
    return true;
}

/* Starts a new run: writes the first frame and the first checkpoint. */
static bool begin_fresh(run *r)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    const cst_probe *probe;
    int probes = cst_scene_probes(r->scene, &probe), iterations;
    if (!take_over(r) || !copy_scene(r))
        return false;
    if (r->plan.equilibrium_first && !cst_world_find_equilibrium(r->world, 1e-10, &iterations, message, size))
        return false;
    if (!create_cache(r))
        return false;
    r->probes = cst_probes_open(&r->directory, cst_world_definition(r->world)->dim, probe, probes, NULL, message, size);
    if (!r->probes)
        return not_saved(r);
    cst_world_energies(r->world, &r->result->totals.energy);
    return write_frame(r, 0) && (!r->settings->probe_each_step || cst_probes_sample(r->probes, r->world) || out_of_memory(r)) &&
           save(r, CST_PHASE_RUNNING);
}

/* Loads the world from the checkpoint. Opens all result files whose lengths the checkpoint records, verifies them and shortens
 * each file to the recorded length: the probe files at once, the cache, which is therefore opened first, at the next save. If the
 * world cannot be loaded, or a file cannot be opened or is damaged, changes no file and returns false with a message. */
static bool open_results(run *r, const cst_checkpoint *from)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    const cst_probe *probe;
    int probes = cst_scene_probes(r->scene, &probe);
    if (!cst_world_load(r->world, from->world, from->world_bytes, message, size))
        return false;
    r->cache = cst_cache_continue(r->directory.cache, from->rows, message, size);
    int dim = cst_world_definition(r->world)->dim;
    r->probes = r->cache ? cst_probes_open(&r->directory, dim, probe, probes, from->probe_mark, message, size) : NULL;
    return r->probes != NULL;
}

static bool begin_resumed(run *r, const cst_checkpoint *from)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    r->result->totals = from->totals;
    r->result->start_time = from->totals.time;
    r->result->saved_time = from->totals.time;
    r->seconds_before = from->totals.seconds;
    cst_run_directory_sweep(&r->directory);
    return (cst_run_directory_reserve(&r->directory, message, size) &&
            write_outcome(r, CST_OUTCOME_RUNNING, "under way, or killed", message, size)) ||
           not_saved(r);
}

/* ------------------------------------------------------------------------------------------------------- what to begin */

static bool prepare(run *r)
{
    cst_run_result *result = r->result;
    const cst_probe *probe;
    r->world = cst_scene_world(r->scene, r->settings->threads, result->message, sizeof result->message);
    if (!r->world || (r->settings->from && !cst_begin_from(r->world, r->settings->from, &result->speed_at_first, result->message,
                                                           sizeof result->message)))
        return false;
    const cst_world_def *definition = cst_world_definition(r->world);
    result->tolerance = definition->friction.tolerance;
    r->plan = *cst_scene_run_settings(r->scene);
    if (r->settings->duration > 0) {
        r->plan.duration = r->settings->duration;
        r->plan.total_steps = llround(ceil(r->settings->duration / definition->time_step.dt - 1e-6));
    }
    result->duration = r->plan.duration;
    const char *text = cst_scene_text(r->scene);
    const uint8_t each_step = r->settings->probe_each_step;
    r->files = cst_scene_files(r->scene, &r->arena, result->message, sizeof result->message);
    if (!r->files)
        return false;
    r->sum = cst_checksum(cst_checksum(0, text, strlen(text)), &each_step, 1);
    r->sum = cst_checksum(r->sum, r->files, strlen(r->files));
    /* The checksum r->sum of everything that affects the results includes the initial state of all bodies. If two versions of
     * Capstan compute different natural shapes for the same hair, each version therefore refuses the checkpoints of the other,
     * whose saved states do not fit its shapes. */
    if (!save_world(r))
        return false;
    /* The last 8 bytes of the saved world are the CRC checksum of all bytes before them. The CRC of data followed by their own
     * CRC is always the same constant, so the last 8 bytes must be left out when the CRC of the saved world is computed. */
    r->sum = cst_checksum(r->sum, r->save.world, r->save.world_bytes - 8);
    r->probe_count = cst_scene_probes(r->scene, &probe);
    r->save.probe_mark = calloc((size_t)r->probe_count + 1, sizeof *r->save.probe_mark);
    r->frames = cst_frame_writer_new(r->world, r->plan.samples, r->plan.save_contacts);
    if (r->frames && r->save.probe_mark)
        return true;
    snprintf(result->message, sizeof result->message, "not enough memory");
    return false;
}

static cst_run_end run_fresh(run *r)
{
    return begin_fresh(r) ? loop(r) : fail(r);
}

/* Ends a resumed run that has nothing left to compute. The results are verified all the same, because a run with damaged or
 * missing results must not be reported as finished. If an earlier process was killed after its last checkpoint and before it
 * wrote outcome.json, this file still says "running"; this function then sets it to "finished". */
static cst_run_end already(run *r, const cst_checkpoint *from)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    const cst_probe *probe;
    int probes = cst_scene_probes(r->scene, &probe);
    r->result->totals = from->totals;
    r->result->saved_time = from->totals.time;
    r->result->at_rest = from->phase == CST_PHASE_AT_REST;
    if (!cst_cache_verify(r->directory.cache, from->rows, message, size) ||
        !cst_probes_verify(&r->directory, probe, probes, from->probe_mark, message, size))
        return CST_RUN_REFUSED;
    if (cst_outcome_says(&r->directory, CST_OUTCOME_FINISHED))
        return CST_RUN_ALREADY;
    return end_with(r, CST_RUN_ALREADY, CST_OUTCOME_FINISHED, end_reason(r->result->at_rest));
}

static cst_run_end run_resumed(run *r, const cst_checkpoint *from)
{
    char *message = r->result->message;
    size_t size = sizeof r->result->message;
    if (from->settings != r->sum || from->probes != r->probe_count) {
        cst_run_scene_differs(&r->directory, r->scene, r->files, message, size);
        return CST_RUN_REFUSED;
    }
    bool done =
        from->phase == CST_PHASE_AT_REST || (from->phase == CST_PHASE_AT_END && r->plan.total_steps <= from->totals.whole);
    if (!done && r->plan.total_steps < from->totals.whole) {
        snprintf(message, size, "%s: is at %.9g s already, beyond the duration of %.9g s", r->directory.path, from->totals.time,
                 r->result->duration);
        return CST_RUN_REFUSED;
    }
    if (done)
        return already(r, from);
    if (!open_results(r, from))
        return CST_RUN_REFUSED;
    if (!begin_resumed(r, from))
        return fail(r);
    return loop(r);
}

static cst_run_end resume(run *r)
{
    if (r->directory.state != CST_DIRECTORY_RUN)
        return refuse(r, "%s: there is no run to resume in it", r->directory.path);
    r->result->was_killed = cst_outcome_says(&r->directory, CST_OUTCOME_RUNNING);
    cst_checkpoint from;
    cst_checkpoint_found found = cst_checkpoint_read(&r->directory, &from, r->result->message, sizeof r->result->message);
    if (found == CST_CHECKPOINT_DAMAGED)
        return CST_RUN_REFUSED;
    r->result->from_previous = found == CST_CHECKPOINT_PREVIOUS;
    r->result->started_over = found == CST_CHECKPOINT_NONE;
    cst_run_end end = found == CST_CHECKPOINT_NONE ? run_fresh(r) : run_resumed(r, &from);
    cst_checkpoint_free(&from);
    return end;
}

static cst_run_end begin(run *r)
{
    const cst_run_settings *settings = r->settings;
    if (!prepare(r))
        return CST_RUN_REFUSED;
    if (!cst_run_directory_open(&r->directory, settings->directory, settings->resume, r->result->message,
                                sizeof r->result->message))
        return CST_RUN_REFUSED;
    if (settings->resume)
        return resume(r);
    if (r->directory.state == CST_DIRECTORY_OTHER)
        return refuse(r, "%s: is not empty and holds no run: choose another directory", r->directory.path);
    if (r->directory.state == CST_DIRECTORY_RUN && !settings->force) {
        /* only this process holds the lock */
        bool killed = cst_outcome_says(&r->directory, CST_OUTCOME_RUNNING);
        return refuse(r,
                      killed ? "%s: holds a run that was killed: --resume goes on with it, --force begins again"
                             : "%s: holds a run already: --resume goes on with it, --force begins again",
                      r->directory.path);
    }
    return run_fresh(r);
}

cst_run_settings cst_run_settings_default(void)
{
    return (cst_run_settings){.cookie = CST_RUN_COOKIE};
}

static const char *fault_of(const cst_scene *scene, const cst_run_settings *settings)
{
    if (settings->cookie != CST_RUN_COOKIE)
        return "the settings of a run must come from cst_run_settings_default()";
    if (cst_scene_faults(scene, NULL) > 0)
        return "the scene has mistakes (cst_scene_faults): it cannot be run";
    if (!settings->directory || !settings->directory[0])
        return "a run needs a directory";
    if (!(settings->duration >= 0.0) || !isfinite(settings->duration))
        return "the duration must be finite and not negative";
    if (settings->from && cst_scene_run_settings(scene)->equilibrium_first)
        return "the scene sets equilibrium_first: its bodies cannot begin as another run ended";
    return NULL;
}

cst_run_end cst_run(const cst_scene *scene, const cst_run_settings *settings, cst_run_result *result)
{
    const char *fault = fault_of(scene, settings);
    *result = (cst_run_result){0};
    if (fault) {
        snprintf(result->message, sizeof result->message, "%s", fault);
        return result->end = CST_RUN_REFUSED;
    }
    run r = {.scene = scene, .settings = settings, .result = result, .started = cst_clock_seconds()};
    r.directory.lock = -1;
    cst_arena_begin(&r.arena, NULL);
    result->end = begin(&r);
    if (r.directory.path && result->end != CST_RUN_REFUSED && !result->disk)
        cst_run_directory_release(&r.directory);
    result->seconds = cst_clock_seconds() - r.started;
    cst_probes_close(r.probes);
    cst_cache_writer_free(r.cache);
    cst_frame_writer_free(r.frames);
    cst_world_free(r.world);
    cst_checkpoint_free(&r.save);
    cst_run_directory_close(&r.directory);
    cst_arena_end(&r.arena);
    return result->end;
}
