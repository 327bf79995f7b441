/* What a scene holds once it has been read. */
#ifndef CST_SCENE_SCENE_DATA_H
#define CST_SCENE_SCENE_DATA_H

#include "base/arena.h"
#include "scene/json.h"
#include "scene/names.h"

struct cst_scene {
    cst_arena arena; /* all of it, the scene itself too */
    const cst_scene_fault *fault;
    int faults;
    cst_json *root; /* files and overrides merged; NULL if there was no JSON */
    cst_names names;
    const char *name; /* of the scene's file; relative paths in the scene start from its directory */
    const char *source, *text;
    cst_scene_run run;
    cst_scene_camera camera;
    const cst_probe *probe;
    int probes;
};

/* The place that "body" and "at" of an object name. Of a sound scene. */
cst_place cst_scene_place(const cst_scene *scene, const cst_json *object);

#endif
