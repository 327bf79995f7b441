/* The mistakes of a scene, one a line: FILE:LINE:COLUMN: KEY: what, as compilers do and editors understand. */
#ifndef CST_CLI_SCENE_FAULTS_H
#define CST_CLI_SCENE_FAULTS_H

#include <stdio.h>

#include "scene/scene.h"

/* And how many there are, after the name of the command ("capstan run"). */
void cst_print_faults(FILE *to, const char *command, const cst_scene *scene);

#endif
