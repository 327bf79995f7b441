/* Energy. What bodies have now, less what came in since the start:
 *
 *     surplus = kinetic + elastic + gravity - loads - constraints - (work of moving obstacles)
 *
 * must not rise: friction, impacts, viscosity and the scheme only take. The gain is its largest rise above its least value before. Moving
 * obstacles are moved without turning here, and give (sum of their forces) . (their way) in a step. The energy put in is what was there at
 * the start (kinetic, elastic), what weight gave (the deepest fall) and all positive work of loads, constraints and moving obstacles. */
#include "worlds/random_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cpu_clock.h"
#include "scene/scene.h"
#include "worlds/trespass.h"

typedef struct ledger {
    double start, gravity_start, gravity_least; /* J */
    double given;                               /* by moving obstacles */
    double positive;                            /* all positive work so far */
    double before;                              /* loads + constraints + given at the step before */
    double least;                               /* of the surplus */
} ledger;

/* The obstacles' work on bodies in a step, from their ways since `before` (3 numbers each), which are then set to now. */
static double obstacle_work(const cst_world *world, double *before)
{
    double work = 0.0;
    for (int k = 0; k < cst_world_obstacles(world); k++) {
        double force[3], now[3], turned[3];
        cst_world_obstacle_force(world, (cst_obstacle_id)k + 1, force);
        cst_world_obstacle_displacement(world, (cst_obstacle_id)k + 1, now, turned);
        for (int c = 0; c < 3; c++) {
            work -= force[c] * (now[c] - before[3 * k + c]);
            before[3 * k + c] = now[c];
        }
    }
    return work;
}

static void balance(ledger *books, const cst_energies *energy, double obstacles, double time, cst_random_verdict *out)
{
    books->given += obstacles;
    const double came = energy->loads + energy->constraints + books->given;
    const double surplus = energy->kinetic + energy->elastic + energy->gravity - came;
    books->positive += fmax(came - books->before, 0.0);
    books->before = came;
    books->gravity_least = fmin(books->gravity_least, energy->gravity);
    out->put_in = books->start + (books->gravity_start - books->gravity_least) + books->positive;
    if (!isfinite(surplus))
        out->not_finite = true;
    if (surplus - books->least > out->gain) {
        out->gain = surplus - books->least;
        out->gain_at = time;
    }
    books->least = fmin(books->least, surplus);
    out->unexplained = fmax(out->unexplained, fabs(energy->unexplained));
}

static void note_step(const cst_step_report *report, cst_random_verdict *out)
{
    out->steps++;
    out->retries += report->retries;
    out->contacts = report->contacts > out->contacts ? report->contacts : out->contacts;
    out->error = fmax(out->error, report->residual.error);
    if (report->status == CST_SOLVED)
        return;
    if (out->missed < CST_RANDOM_NAMED) {
        out->missed_at[out->missed] = report->time;
        out->missed_error[out->missed] = report->residual.error;
    }
    out->missed++;
}

static void note_trespass(const cst_trespass_finding *found, double time, cst_random_verdict *out)
{
    if (found->relative > out->depth) {
        out->depth = found->relative;
        out->depth_at = time;
        if (out->crossings == 0)
            memcpy(out->who, found->deepest, sizeof out->who);
    }
    if (found->crossings > 0 && out->crossings == 0) {
        out->crossed_at = time;
        memcpy(out->who, found->crossed, sizeof out->who);
    }
    out->crossings += found->crossings;
}

static cst_body_id body_named(const cst_world *world, const char *name)
{
    for (int k = 1; k <= cst_world_bodies(world); k++)
        if (strcmp(cst_world_body_name(world, (cst_body_id)k), name) == 0)
            return (cst_body_id)k;
    return 0;
}

/* way (3 obstacles): room. */
static void run(cst_world *world, double duration, cst_trespass *trespass, double *way, cst_random_verdict *out)
{
    cst_trespass_finding found;
    cst_energies energy;
    cst_world_energies(world, &energy);
    ledger books = {.start = energy.kinetic + energy.elastic,
                    .gravity_start = energy.gravity,
                    .gravity_least = energy.gravity,
                    .least = energy.kinetic + energy.elastic + energy.gravity};
    obstacle_work(world, way);
    cst_trespass_look(trespass, world, &found);
    note_trespass(&found, 0.0, out);
    while (cst_world_time(world) < duration * (1 - 1e-9) && !out->not_finite) {
        cst_step_report report;
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED) {
            snprintf(out->message, sizeof out->message, "at %g s: %.200s", cst_world_time(world), report.message);
            return;
        }
        note_step(&report, out);
        balance(&books, &report.energy, obstacle_work(world, way), report.time, out);
        cst_trespass_look(trespass, world, &found);
        note_trespass(&found, report.time, out);
    }
    out->finished = !out->not_finite;
}

void cst_random_trial(const char *path, const char *const *set, int sets, const cst_random_scene *about, cst_random_verdict *out)
{
    const double start = cst_cpu_seconds();
    *out = (cst_random_verdict){0};
    cst_scene *scene = cst_scene_read_file(path, set, sets, NULL);
    const cst_scene_fault *fault = NULL;
    if (!scene || cst_scene_faults(scene, &fault) > 0) {
        snprintf(out->message, sizeof out->message, "%.60s: %.150s", fault ? fault->key : "",
                 fault ? fault->message : "out of memory");
        cst_scene_free(scene);
        return;
    }
    cst_world *world = cst_scene_world(scene, 1, out->message, sizeof out->message);
    cst_joined_pair joined[CST_RANDOM_BODIES];
    for (int k = 0; k < about->joineds && world; k++)
        joined[k] = (cst_joined_pair){body_named(world, about->joined[k][0]), body_named(world, about->joined[k][1])};
    cst_trespass *trespass = world ? cst_trespass_new(world, joined, about->joineds) : NULL;
    double *way = world ? calloc(3 * (size_t)cst_world_obstacles(world) + 1, sizeof *way) : NULL;
    if (trespass && way)
        run(world, cst_scene_run_settings(scene)->duration, trespass, way, out);
    out->seconds = cst_cpu_seconds() - start;
    free(way);
    cst_trespass_free(trespass);
    cst_world_free(world);
    cst_scene_free(scene);
}
