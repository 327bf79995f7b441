/* Runs a scene and writes the results to disk, as `capstan run` does (docs/running.md).
 *
 * The results have the same bits with any number of threads, and also if the run is stopped and resumed; only the measured times
 * differ. Read the results with capstan/cache.h. The functions of this header are not part of the core library, because they need
 * HDF5.
 *
 * This example runs a scene and writes the results to the directory fall.run:
 *
 *     cst_run_settings settings = cst_run_settings_default();
 *     cst_run_result result;
 *     settings.directory = "fall.run";
 *     if (cst_run(scene, &settings, &result) == CST_RUN_FINISHED) ... */
#ifndef CAPSTAN_RUN_H
#define CAPSTAN_RUN_H

#include "capstan/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Statistics of a run so far. */
typedef struct cst_run_totals {
    double time;   /* s */
    int64_t steps; /* accepted */
    int64_t whole; /* number of full steps dt completed */
    int64_t frames;
    int64_t contacts_max;
    double nu_max; /* of cst_step_report */
    int64_t iterations;
    /* number of times that a step was repeated, with half its length or with smaller coefficients of restitution */
    int64_t retries;
    int64_t missed; /* number of steps that missed the friction solver's tolerance */
    /* number of steps that met the friction solver's tolerance, but whose Newton iteration did not converge (docs/world.md) */
    int64_t unconverged;
    double worst_error; /* largest residual of all steps (cst_step_report.residual.error), at step worst_step */
    int64_t worst_step;
    double deepest_penetration; /* m */
    int64_t crossed;            /* number of steps that ended with crossing triangles of sheets (cst_step_report.crossings) */
    int64_t crossings_max;      /* largest number of crossing pairs of triangles at the end of a step */
    char crossing[256];         /* text: where triangles of sheets crossed in the first step with crossings */
    double worst_imbalance;     /* largest of the quasi-static steps (N) */
    double speed;               /* largest speed of any body since the last frame (m/s) */
    cst_energies energy;
    /* largest absolute value so far of the unexplained energy (J), which is the error of the energy balance */
    double unexplained;
    /* largest unexplained energy (J) that a single step has added; unexplained_time and unexplained_step identify this step */
    double unexplained_in_step;
    double unexplained_time; /* s */
    int64_t unexplained_step;
    double seconds; /* wall clock, summed over all sessions */
} cst_run_totals;

/* Argument of the callback `progress` after each step. */
typedef struct cst_run_progress {
    double duration; /* s, of the whole run */
    bool frame;      /* a frame has just been saved */
    const cst_run_totals *totals;
    const cst_step_report *report;
    const cst_world *world; /* read only; NULL in some tests */
} cst_run_progress;

/* Fill a struct cst_run_settings with cst_run_settings_default(), then change some of its fields. */
typedef struct cst_run_settings {
    uint32_t cookie; /* check value that cst_run_settings_default() sets, to show that the struct was initialised */
    const char *directory;
    double duration; /* s; 0: the scene's */
    int threads;     /* 0: the scene's */
    bool resume;     /* continue from the last checkpoint */
    bool force;      /* true: removes a run that already exists in the directory */
    /* NULL, or the directory of another run; the bodies start from the last frame of that run (not with equilibrium_first) */
    const char *from;
    /* true: each probe of the scene (recorded positions, velocities or forces) writes a row at every step, not only at every
     * frame */
    bool probe_each_step;
    const char *const *warning; /* array (warnings): texts of warnings about the scene, written to outcome.json */
    int warnings;
    /* The callback `progress` is called after every step; it may be NULL. If the callback `progress` returns false, the run stops
     * and is saved. */
    bool (*progress)(void *user, const cst_run_progress *now);
    /* The callback `before_step` is called before every step and may change the world (capstan/state.h); it may be NULL. If the
     * callback `before_step` returns false, the run stops and is saved. A checkpoint contains the body states that the callback
     * `before_step` has set, but none of the other changes that it has made. A resumed run gives the same bits only if the
     * callback `before_step` depends on nothing but the time and the state of the world. */
    bool (*before_step)(void *user, cst_world *world);
    void *user;
} cst_run_settings;

cst_run_settings cst_run_settings_default(void);

typedef enum cst_run_end {
    CST_RUN_FINISHED = 0, /* the run is complete: its duration is reached, or all bodies are at rest */
    CST_RUN_ALREADY,      /* no step was made, because the run to be resumed is already complete */
    CST_RUN_INTERRUPTED,  /* a callback stopped the run by returning false; the run is saved */
    /* A step failed, memory ran out, or a result could not be written; the message says which. The run can be resumed. */
    CST_RUN_FAILED,
    CST_RUN_REFUSED /* the run was not started and nothing was changed: the message says why */
} cst_run_end;

typedef struct cst_run_result {
    cst_run_end end;
    bool at_rest;      /* true: the run ended before its full duration, because all bodies are at rest */
    bool started_over; /* true: the resumed run had no checkpoint and started over */
    /* true: the resumed run had been killed; its outcome.json still said "running", but no process had locked the run */
    bool was_killed;
    bool from_previous; /* true: the last checkpoint was damaged or missing, so the run resumed from an earlier checkpoint */
    bool disk;          /* true: the run failed because a result could not be written */
    double duration;    /* requested duration (s) */
    double tolerance;
    double seconds;        /* wall clock, this session */
    double saved_time;     /* simulated time up to which results are on disk (s) */
    double start_time;     /* simulated time at which this session (call of cst_run) began (s) */
    double speed_at_first; /* speed of the fastest vertex at the start (m/s), if the run started from another run */
    cst_run_totals totals;
    char message[1024];
} cst_run_result;

/* Runs a scene. A scene with errors (cst_scene_faults) is refused. Returns result->end. */
cst_run_end cst_run(const cst_scene *scene, const cst_run_settings *settings, cst_run_result *result);

#ifdef __cplusplus
}
#endif
#endif
