/* Runs a scene and writes its results to disk; capstan/run.h is the public interface. */
#ifndef CST_RUN_RUN_H
#define CST_RUN_RUN_H

#include "capstan/run.h"
#include "run/checkpoint.h"
#include "scene/scene.h"

#define CST_RUN_COOKIE 0xCA957A18u

#endif
