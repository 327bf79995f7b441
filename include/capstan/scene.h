/* Scenes: what a file or a text says, checked, and the world it makes (docs/scene.md is the language).
 *
 *     cst_scene *scene = cst_scene_read_file("fall.json", NULL, 0, NULL);
 *     const cst_scene_fault *fault;
 *     int faults = cst_scene_faults(scene, &fault);       every mistake, not the first
 *     cst_world *world = faults == 0 ? cst_scene_world(scene, 0, message, sizeof message) : NULL;
 *     ...
 *     cst_world_free(world);
 *     cst_scene_free(scene);
 *
 * A scene is read once and never changes; it may be used by several threads. capstan/run.h runs it to files. Served by the core library. */
#ifndef CAPSTAN_SCENE_H
#define CAPSTAN_SCENE_H

#include "capstan/capstan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cst_scene cst_scene;

/* --------------------------------------------------------------------------------------------------------------- reading */

/* A file with the files that it extends. override: (overrides) texts "a.b=c" as of `capstan run --set`, applied in order. allocator NULL:
 * malloc and free. Never NULL unless memory ran out: ask cst_scene_faults whether the scene is good. */
cst_scene *cst_scene_read_file(const char *path, const char *const *override, int overrides, const cst_allocator *allocator);

/* The same of a text of `size` bytes. `name` stands for the file in messages, and relative paths are taken from its folder. */
cst_scene *cst_scene_read_text(const char *text, size_t size, const char *name, const char *const *override, int overrides,
                               const cst_allocator *allocator);
void cst_scene_free(cst_scene *scene); /* NULL is fine */

/* One mistake. Texts belong to the scene. */
typedef struct cst_scene_fault {
    const char *file;
    int line, column;    /* from 1; 0: the file as a whole, or an override (file is then "--set a.b=c") */
    const char *key;     /* path of the offending key: rods[0].radius */
    const char *message; /* what is wrong, what was expected, the nearest valid key */
} cst_scene_fault;

/* How many mistakes there are, and which: in the order of the text. 0: the scene is good. out may be NULL. */
int cst_scene_faults(const cst_scene *scene, const cst_scene_fault **out);

/* ---------------------------------------------------------------------------------------------------------- a good scene */

/* How much of a frame is saved, as the scene says it. */
typedef enum cst_scene_detail { CST_SCENE_DETAIL_AUTO = 0, CST_SCENE_DETAIL_FULL, CST_SCENE_DETAIL_LIGHT } cst_scene_detail;

/* How a scene is run. */
typedef struct cst_scene_run {
    double duration;       /* s */
    double frame_interval; /* s between saved frames, a multiple of dt */
    int64_t steps_per_frame;
    int64_t total_steps;      /* of dt */
    int64_t checkpoint_steps; /* of dt, between checkpoints; a multiple of steps_per_frame */
    int samples;              /* drawn vertices per rod element */
    bool save_contacts;
    cst_scene_detail detail;
    bool equilibrium_first; /* statics before the first step (cst_world_find_equilibrium) */
    double until_rest;      /* m/s: stop when nothing moves faster than this (0: never) */
} cst_scene_run;

const char *cst_scene_title(const cst_scene *scene); /* "" if it has none */
const cst_scene_run *cst_scene_run_settings(const cst_scene *scene);

/* The scene as it is run: files and overrides merged, JSON without comments. Reading this text gives the same world. */
const char *cst_scene_text(const cst_scene *scene);

/* A fresh world each time, which does not need the scene any more. NULL with a message (memory, or a thing that only the world can find wrong).
 * threads > 0 overrides the scene's. */
cst_world *cst_scene_world(const cst_scene *scene, int threads, char *message, size_t message_size);

/* -------------------------------------------------------------------------------------------------------------- warnings */

/* One thing that is suspicious, though no value is a mistake: a mesh in millimetres, a rod inside the ground (docs/check.md). Texts belong
 * to the examination. */
typedef struct cst_finding {
    const char *name; /* short and lasting: "overlap", the row in docs/check.md */
    const char *file; /* "--set a.b=c" for an override */
    int line, column; /* from 1; 0: the file as a whole */
    const char *key;  /* path of what it is about: rods[0].radius; "" for the scene as a whole */
    const char *what; /* what is suspicious, in figures with units */
    const char *remedy;
    const char *text; /* all of it but the place: "KEY: what; remedy [name]" */
} cst_finding;

/* What there is to run it on; 0: not known. */
typedef struct cst_machine {
    double memory; /* bytes */
    double disk;   /* bytes free where results go */
} cst_machine;

typedef struct cst_examination cst_examination;

/* Builds the world of a good scene and looks at it, as `capstan check` does. NULL with a message: memory, or a thing that only the world can
 * find wrong. */
cst_examination *cst_examine(const cst_scene *scene, const cst_machine *machine, char *message, size_t message_size);
int cst_examination_findings(const cst_examination *examination, const cst_finding **out); /* 0: nothing is suspicious */
/* A line each: bodies and their sizes, obstacles and theirs, steps, memory. */
const char *cst_examination_summary(const cst_examination *examination);
void cst_examination_free(cst_examination *examination); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
