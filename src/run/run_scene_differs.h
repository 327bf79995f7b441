/* Why a run cannot be resumed with this scene. */
#ifndef CST_RUN_RUN_SCENE_DIFFERS_H
#define CST_RUN_RUN_SCENE_DIFFERS_H

#include "run/run_directory.h"
#include "scene/scene.h"

/* The first line in which the scene that the run was begun with differs from the one given, or the first file it names that does, as
 * a message. files: of the scene given (cst_scene_files). */
void cst_run_scene_differs(const cst_run_directory *directory, const cst_scene *scene, const char *files, char *message,
                           size_t message_size);

#endif
