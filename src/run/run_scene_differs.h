/* Makes the message that says why a run cannot be resumed with the given scene. */
#ifndef CST_RUN_RUN_SCENE_DIFFERS_H
#define CST_RUN_RUN_SCENE_DIFFERS_H

#include "run/run_directory.h"
#include "scene/scene.h"

/* Writes a message that quotes the first line in which the scene of the run differs from the given scene. If the two scenes have
 * the same text, the message names the first changed file among the files that the scene uses. If no file has changed either, the
 * message names other possible causes. `files`: of the given scene (cst_scene_files). */
void cst_run_scene_differs(const cst_run_directory *directory, const cst_scene *scene, const char *files, char *message,
                           size_t message_size);

#endif
