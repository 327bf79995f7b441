/* From a scene to results on disk: the loop of `capstan run`, for anyone (docs/running.md).
 *
 *     cst_run_settings settings = {.directory = "fall.run"};
 *     cst_run_result result;
 *     if (cst_run(scene, &settings, &result) == CST_RUN_FINISHED) ...
 *
 * Results are bit-identical whatever happens in between: number of threads, interruptions, kills and resumptions. Only timings
 * differ. */
#ifndef CST_RUN_RUN_H
#define CST_RUN_RUN_H

#include "run/checkpoint.h"
#include "scene/scene.h"

typedef struct cst_run_progress {
    double duration; /* s, of the whole run */
    bool frame;      /* a frame has just been saved */
    const cst_run_totals *totals;
    const cst_step_report *report;
} cst_run_progress;

typedef struct cst_run_settings {
    const char *directory;
    double duration;            /* s; 0: the scene's */
    int threads;                /* 0: the scene's */
    bool resume;                /* go on from the last checkpoint */
    bool force;                 /* a run that is there already is removed */
    bool probe_each_step;       /* rows of probes at every step, not at every frame */
    const char *const *warning; /* (warnings) what is suspicious in the scene, for outcome.json */
    int warnings;
    bool (*progress)(void *user, const cst_run_progress *now); /* after every step; false: stop and save. NULL: none */
    void *user;
} cst_run_settings;

typedef enum cst_run_end {
    CST_RUN_FINISHED = 0, /* the duration is reached, or everything rests */
    CST_RUN_ALREADY,      /* resumed, but it had finished before: nothing was done */
    CST_RUN_INTERRUPTED,  /* the callback said stop; saved */
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
    double seconds;    /* wall clock, this session */
    double saved_time; /* s: what is on the disk reaches up to here */
    int64_t first;     /* steps of dt that were there when it began */
    cst_run_totals totals;
    char message[1024];
} cst_run_result;

/* Returns result->end. */
cst_run_end cst_run(const cst_scene *scene, const cst_run_settings *settings, cst_run_result *result);

#endif
