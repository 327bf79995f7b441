/* A scene: the checked contents of a file, from which a world is built. The public interface of scenes is capstan/scene.h.
 *
 * One table of keys in scene/schema.c defines the language of scenes (docs/scene.md, scenes/scene.schema.json). Parsing,
 * `capstan check`, the JSON Schema and the reference all use the same table of keys. Parsing reports every error, not only the
 * first. */
#ifndef CST_SCENE_SCENE_H
#define CST_SCENE_SCENE_H

#include <stdio.h>

#include "base/arena.h"
#include "capstan/scene.h"

typedef enum cst_probe_kind {
    CST_PROBE_POSITION = 0, /* the probe records position, angle (in 3D: rotation vector) and velocity of a point */
    CST_PROBE_OBSTACLE_FORCE,
    CST_PROBE_CONSTRAINT_FORCE, /* force and moment */
    CST_PROBE_ENERGY,
    CST_PROBE_ROOT_FORCE,  /* the probe records the force and the moment of a clamp on the root of a rod or fiber */
    CST_PROBE_HANDLE_FORCE /* the probe records the force of a handle (a held or moved group of nodes) on its sheet */
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
    double height; /* height of the view (m) */
    /* Azimuth and elevation (rad) of the direction from the centre of the view to the viewer in 3D scenes. The azimuth of the
     * camera is measured from x towards y, and its elevation from the horizontal; the value NAN means that the scene does not
     * give the angle. */
    double azimuth, elevation;
} cst_scene_camera;

/* For valid scenes only. */
const cst_scene_camera *cst_scene_view(const cst_scene *scene);
int cst_scene_probes(const cst_scene *scene, const cst_probe **out);
/* Returns the text of the file. */
const char *cst_scene_source(const cst_scene *scene);

/* Lists the meshes and other data files that the scene names, each as a line "CHECKSUM BYTES NAME"; scene files that it extends
 * are not listed. In the line of a data file, CHECKSUM is the CRC-64 of the file in hexadecimal, and NAME is its path relative to
 * the folder of the scene. Returns "" if there are none. The text belongs to the arena. Returns NULL with a message if a data
 * file cannot be read or memory ran out. */
const char *cst_scene_files(const cst_scene *scene, cst_arena *arena, char *message, size_t message_size);

/* The functions cst_scene_write_schema and cst_scene_write_reference write the published JSON Schema and the Markdown reference
 * of the scene language, both from the table of keys. */
bool cst_scene_write_schema(FILE *to);
bool cst_scene_write_reference(FILE *to);

#endif
