/* A scene: the checked contents of a scene file, from which a world is built. The public interface of scenes is
 * capstan/scene.h.
 *
 * One table of keys (scene/schema.c, scene/schema_space.c, scene/schema_sheet.c) defines the scene language for the parser,
 * `capstan check`, the JSON Schema (scenes/scene.schema.json) and the reference (docs/scene.md). */
#ifndef CST_SCENE_SCENE_H
#define CST_SCENE_SCENE_H

#include <stdio.h>

#include "base/arena.h"
#include "capstan/scene.h"

typedef enum cst_probe_kind {
    CST_PROBE_POSITION = 0, /* probe of a point: its position, angle (in 3D: rotation vector) and velocity */
    CST_PROBE_OBSTACLE_FORCE,
    CST_PROBE_CONSTRAINT_FORCE, /* force and moment */
    CST_PROBE_ENERGY,
    CST_PROBE_ROOT_FORCE,  /* probe of a clamped root: force and moment of the clamp on the rod or fiber */
    CST_PROBE_HANDLE_FORCE /* probe of a handle (a held or moved group of nodes): its force on the sheet */
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
    /* In 3D: azimuth (from x towards y) and elevation (from the horizontal) of the direction from the centre of the view to
     * the viewer, rad. NAN: not given. */
    double azimuth, elevation;
} cst_scene_camera;

/* For scenes without errors. */
const cst_scene_camera *cst_scene_view(const cst_scene *scene);
int cst_scene_probes(const cst_scene *scene, const cst_probe **out);
/* Returns the text of the file. */
const char *cst_scene_source(const cst_scene *scene);

/* Lists the meshes and strand files that a scene names; "" if there are none. Scene files and CSV files of motions are not
 * listed, because their contents are part of the text of the scene (cst_scene_text). The line of each listed file is "CHECKSUM
 * BYTES NAME": CRC-64 in hexadecimal, size, and path relative to the folder of the scene. The list belongs to the arena. Returns
 * NULL with a message if a data file cannot be read or memory ran out. */
const char *cst_scene_files(const cst_scene *scene, cst_arena *arena, char *message, size_t message_size);

bool cst_scene_write_schema(FILE *to);
bool cst_scene_write_reference(FILE *to);

#endif
