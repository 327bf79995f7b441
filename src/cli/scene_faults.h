/* Prints the errors of a scene. */
#ifndef CST_CLI_SCENE_FAULTS_H
#define CST_CLI_SCENE_FAULTS_H

#include <stdio.h>

#include "scene/scene.h"

/* Prints the errors of a scene, one per line, in the format of compiler messages, which editors understand: file, line, column,
 * key and description. After the errors, prints one line with the name of the command ("capstan run") and the number of
 * errors, unless the scene file could not be read. */
void cst_print_faults(FILE *to, const char *command, const cst_scene *scene);

#endif
