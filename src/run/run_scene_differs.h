/* Why a run cannot be resumed with this scene. */
#ifndef CST_RUN_RUN_SCENE_DIFFERS_H
#define CST_RUN_RUN_SCENE_DIFFERS_H

#include "run/run_directory.h"
#include "scene/scene.h"

/* The first line in which the scene that the run was begun with differs from the one given, as a message. */
void cst_run_scene_differs(const cst_run_directory *directory, const cst_scene *scene, char *message, size_t message_size);

#endif
