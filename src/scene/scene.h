/* A scene: what a file says, checked, and the world it makes.
 *
 * The language (docs/scene.md, scenes/scene.schema.json) is one table of keys in scene/schema.c, from which reading, `capstan
 * check`, the JSON Schema and the reference are all made. Reading finds every mistake, not the first. */
#ifndef CST_SCENE_SCENE_H
#define CST_SCENE_SCENE_H

#include <stdio.h>

#include "base/arena.h"
#include "capstan/capstan.h"

/* One mistake. Texts are owned by the scene. */
typedef struct cst_scene_fault {
    const char *file;
    int line, column;    /* from 1; 0: the file as a whole, or an override (file is then "--set a.b=c") */
    const char *key;     /* path of the offending key: rods[0].radius */
    const char *message; /* what is wrong, what was expected, the nearest valid key */
} cst_scene_fault;

typedef enum cst_probe_kind {
    CST_PROBE_POSITION = 0, /* x, y, z, angle (in space: rotation vector), and velocity of a place */
    CST_PROBE_OBSTACLE_FORCE,
    CST_PROBE_CONSTRAINT_FORCE, /* force and moment */
    CST_PROBE_ENERGY,
    CST_PROBE_ROOT_FORCE /* force and moment of a clamped root */
} cst_probe_kind;

typedef struct cst_probe {
    const char *name;
    cst_probe_kind kind;
    cst_place place;
    cst_obstacle_id obstacle;
    cst_constraint_id constraint;
} cst_probe;

typedef struct cst_scene_run {
    double duration;       /* s */
    double frame_interval; /* s between saved frames, a multiple of dt */
    int64_t steps_per_frame;
    int64_t total_steps;      /* of dt */
    int64_t checkpoint_steps; /* of dt, between checkpoints; a multiple of steps_per_frame */
    int samples;              /* drawn vertices per rod element */
    bool save_contacts;
    bool equilibrium_first; /* statics before the first step */
    double until_rest;      /* m/s: stop when nothing moves faster than this (0: never) */
} cst_scene_run;

typedef struct cst_scene_camera {
    bool given;
    double center[3];
    double height;             /* m of the view */
    double azimuth, elevation; /* rad, in space: of the viewer, from x towards y and up from there; NAN: not given */
} cst_scene_camera;

typedef struct cst_scene cst_scene;

/* Overrides: "a.b=c" texts as of --set, applied in order. Never NULL unless memory ran out: see cst_scene_faults. */
cst_scene *cst_scene_read_file(const char *path, const char *const *override, int overrides, const cst_allocator *allocator);
/* text need not end in 0; name stands for the file in messages, and relative paths are taken from its folder. */
cst_scene *cst_scene_read_text(const char *text, size_t size, const char *name, const char *const *override, int overrides,
                               const cst_allocator *allocator);
void cst_scene_free(cst_scene *scene);

int cst_scene_faults(const cst_scene *scene, const cst_scene_fault **out); /* 0: the scene is good */

/* Of a good scene. */
const char *cst_scene_title(const cst_scene *scene);
const cst_scene_run *cst_scene_run_settings(const cst_scene *scene);
const cst_scene_camera *cst_scene_view(const cst_scene *scene);
int cst_scene_probes(const cst_scene *scene, const cst_probe **out);
/* The scene as it is run: text after overrides, canonical JSON without comments. Reading it gives the same world: this is what a
 * cache keeps. And what the file said. */
const char *cst_scene_text(const cst_scene *scene);
const char *cst_scene_source(const cst_scene *scene);

/* The files that the scene names besides those it extends (meshes and their shapes in time), each as a line "CHECKSUM BYTES NAME":
 * CRC-64 in hexadecimal, and the name from the folder of the scene. "" if it names none. The text belongs to the arena; NULL with a
 * message if a file cannot be read, or without memory. */
const char *cst_scene_files(const cst_scene *scene, cst_arena *arena, char *message, size_t message_size);

/* A fresh world each time; NULL with a message (memory, or a thing only the world can find wrong). threads > 0 overrides. */
cst_world *cst_scene_world(const cst_scene *scene, int threads, char *message, size_t message_size);

/* The published JSON Schema and the reference in Markdown, made from the same table. */
bool cst_scene_write_schema(FILE *to);
bool cst_scene_write_reference(FILE *to);

#endif
