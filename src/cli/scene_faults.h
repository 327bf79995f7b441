/* Prints the errors of a scene, one per line: FILE:LINE:COLUMN: KEY: what, the format of compilers that editors understand. */
#ifndef CST_CLI_SCENE_FAULTS_H
#define CST_CLI_SCENE_FAULTS_H

#include <stdio.h>

#include "scene/scene.h"

/* Also prints their number, after the name of the command ("capstan run"). */
void cst_print_faults(FILE *to, const char *command, const cst_scene *scene);

#endif
