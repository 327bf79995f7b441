/* A scene: what a file says, checked, and the world it makes. capstan/scene.h is what others see of it.
 *
 * The language (docs/scene.md, scenes/scene.schema.json) is one table of keys in scene/schema.c, from which reading, `capstan
 * check`, the JSON Schema and the reference are all made. Reading finds every mistake, not the first. */
#ifndef CST_SCENE_SCENE_H
#define CST_SCENE_SCENE_H

#include <stdio.h>

#include "base/arena.h"
#include "capstan/scene.h"

typedef enum cst_probe_kind {
    CST_PROBE_POSITION = 0, /* x, y, z, angle (in space: rotation vector), and velocity of a place */
    CST_PROBE_OBSTACLE_FORCE,
    CST_PROBE_CONSTRAINT_FORCE, /* force and moment */
    CST_PROBE_ENERGY,
    CST_PROBE_ROOT_FORCE,  /* force and moment of a clamped root */
    CST_PROBE_HANDLE_FORCE /* of a handle on its sheet */
} cst_probe_kind;

typedef struct cst_probe {
    const char *name;
    cst_probe_kind kind;
    cst_place place;
    cst_obstacle_id obstacle;
    cst_constraint_id constraint;
    int handle;
} cst_probe;

typedef struct cst_scene_camera {
    bool given;
    double center[3];
    double height;             /* m of the view */
    double azimuth, elevation; /* rad, in space: of the viewer, from x towards y and up from there; NAN: not given */
} cst_scene_camera;

/* Of a good scene. */
const cst_scene_camera *cst_scene_view(const cst_scene *scene);
int cst_scene_probes(const cst_scene *scene, const cst_probe **out);
/* What the file said. */
const char *cst_scene_source(const cst_scene *scene);

/* The files that the scene names besides those it extends (meshes and their shapes in time), each as a line "CHECKSUM BYTES NAME":
 * CRC-64 in hexadecimal, and the name from the folder of the scene. "" if it names none. The text belongs to the arena; NULL with a
 * message if a file cannot be read, or without memory. */
const char *cst_scene_files(const cst_scene *scene, cst_arena *arena, char *message, size_t message_size);

/* The published JSON Schema and the reference in Markdown, made from the same table. */
bool cst_scene_write_schema(FILE *to);
bool cst_scene_write_reference(FILE *to);

#endif
