/* Does a scene make physical sense? What `capstan check` says about a scene without mistakes, and `capstan run` before the first
 * step.
 *
 * The language lets a mesh in millimetres, a rod inside the ground and 5e10 steps pass: no single value is wrong. Here the world
 * is built and looked at: sizes, materials, time step, what overlaps, what will ever touch, how much memory and disk it takes.
 * Nothing is computed but, if the scene asks for it, the first equilibrium. All findings are warnings; docs/check.md lists them.
 * */
#ifndef CST_EXAMINE_EXAMINE_H
#define CST_EXAMINE_EXAMINE_H

#include "examine/finding.h"
#include "scene/scene.h"

struct cst_examination {
    cst_arena arena;
    cst_finding *finding; /* (findings) in the order of the text */
    int findings;
    int bodies, obstacles, constraints;
    const char *summary; /* a line each: bodies and their sizes, obstacles and theirs, steps, memory */
};

#endif
