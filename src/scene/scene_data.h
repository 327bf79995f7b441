/* A scene after parsing. */
#ifndef CST_SCENE_SCENE_DATA_H
#define CST_SCENE_SCENE_DATA_H

#include "base/arena.h"
#include "scene/json.h"
#include "scene/names.h"

struct cst_scene {
    cst_arena arena; /* memory arena that holds all data of the scene, including this struct */
    const cst_scene_fault *fault;
    int faults;
    /* JSON tree of the scene, merged from its files and the overrides (--set); NULL if a file is not JSON or cannot be read */
    cst_json *root;
    cst_names names;
    const char *name; /* name of the scene file; relative paths in the scene start from its folder */
    const char *source, *text;
    cst_scene_run run;
    cst_scene_camera camera;
    const cst_probe *probe;
    int probes;
};

/* Returns the point of a body that an object of the scene (for example a probe) gives with its keys "body" and "at". The scene
 * must be valid. */
cst_place cst_scene_place(const cst_scene *scene, const cst_json *object);

#endif
