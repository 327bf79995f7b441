/* From a scene to results on disk: what `capstan run` does (docs/running.md).
 *
 *     cst_run_settings settings = cst_run_settings_default();
 *     cst_run_result result;
 *     settings.directory = "fall.run";
 *     if (cst_run(scene, &settings, &result) == CST_RUN_FINISHED) ...
 *
 * Results have the same bits for any number of threads and after a stop and a resume; only timings differ. capstan/cache.h reads them.
 * Not part of the core library: needs HDF5. */
#ifndef CAPSTAN_RUN_H
#define CAPSTAN_RUN_H

#include "capstan/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Figures of a run so far. */
typedef struct cst_run_totals {
    double time;   /* s */
    int64_t steps; /* accepted */
    int64_t whole; /* of dt, the last multiple that was reached */
    int64_t frames;
    int64_t contacts_max;
    double nu_max; /* of cst_step_report */
    int64_t iterations;
    int64_t retries;     /* steps begun again with half the dt */
    int64_t missed;      /* steps over the friction solver's tolerance */
    int64_t unconverged; /* other steps: the iterated step did not converge (docs/world.md) */
    double worst_error;  /* largest residual, and where */
    int64_t worst_step;
    double deepest_penetration; /* m */
    double worst_imbalance;     /* N: of quasi-static steps */
    double speed;               /* m/s: largest since the last frame */
    cst_energies energy;
    double unexplained;         /* J: largest that the budget of energy has left unexplained, either way */
    double unexplained_in_step; /* J: most that one step has added to it, and which one */
    double unexplained_time;    /* s */
    int64_t unexplained_step;
    double seconds; /* wall clock, of all sessions */
} cst_run_totals;

/* What a callback is told after a step. */
typedef struct cst_run_progress {
    double duration; /* s, of the whole run */
    bool frame;      /* a frame has just been saved */
    const cst_run_totals *totals;
    const cst_step_report *report;
    const cst_world *world; /* to look at; NULL only in tests of what shows it */
} cst_run_progress;

/* Fill with cst_run_settings_default(), then edit. */
typedef struct cst_run_settings {
    uint32_t cookie; /* set by the default function; catches a struct nobody initialised */
    const char *directory;
    double duration;            /* s; 0: the scene's */
    int threads;                /* 0: the scene's */
    bool resume;                /* go on from the last checkpoint */
    bool force;                 /* a run that is there already is removed */
    const char *from;           /* NULL, or the directory of a run: bodies begin as they are in its last frame */
    bool probe_each_step;       /* rows of probes at every step, not at every frame */
    const char *const *warning; /* (warnings) what is suspicious in the scene, for outcome.json */
    int warnings;
    bool (*progress)(void *user, const cst_run_progress *now); /* after every step; false: stop and save. NULL: none */
    /* Before every step, with a world that may be changed (capstan/state.h); false: stop and save. NULL: none. The results are then those of
     * the scene and of this function. What it sets is in no checkpoint: a function of the time and the state of the world gives the same
     * bits after a resume, one with a memory of its own does not. */
    bool (*before_step)(void *user, cst_world *world);
    void *user;
} cst_run_settings;

cst_run_settings cst_run_settings_default(void);

typedef enum cst_run_end {
    CST_RUN_FINISHED = 0, /* the duration is reached, or everything rests */
    CST_RUN_ALREADY,      /* resumed, but it had finished before: nothing was done */
    CST_RUN_INTERRUPTED,  /* a callback said stop; saved */
    CST_RUN_FAILED,       /* a step failed, or a result could not be written: the message says which. Resumable */
    CST_RUN_REFUSED       /* nothing was begun, nothing was changed: the message says why */
} cst_run_end;

typedef struct cst_run_result {
    cst_run_end end;
    bool at_rest;      /* finished before the duration, because everything rests */
    bool started_over; /* resumed, but there was no checkpoint yet */
    bool was_killed; /* resumed, and the process before had been killed: outcome.json said "running", and nobody held the lock */
    bool from_previous; /* resumed from the checkpoint before the last, which was damaged or missing */
    bool disk;          /* failed because a result could not be written */
    double duration;    /* s, asked for */
    double tolerance;
    double seconds;        /* wall clock, this session */
    double saved_time;     /* s: what is on the disk reaches up to here */
    int64_t first;         /* steps of dt that were there when it began */
    double speed_at_first; /* m/s: of the fastest vertex of what began as another run ended */
    cst_run_totals totals;
    char message[1024];
} cst_run_result;

/* Runs a good scene. Returns result->end. */
cst_run_end cst_run(const cst_scene *scene, const cst_run_settings *settings, cst_run_result *result);

#ifdef __cplusplus
}
#endif
#endif
