/* Checks whether a scene makes physical sense. `capstan check` prints the resulting warnings if the scene file has no errors, and
 * `capstan run` prints them before the first time step.
 *
 * A scene file without errors can still make no physical sense: a mesh may be 1000 times too large because its file is in
 * millimetres, a rod may begin inside the ground, or the run may have 5e10 steps. The examination builds the simulation from the
 * scene, unless its expected memory exceeds that of the machine, and checks sizes, materials, time step, overlaps, contacts that
 * can occur, memory and disk space. Nothing is simulated; only the initial equilibrium is computed if the scene sets
 * `equilibrium_first`. All findings are warnings; docs/check.md lists them. */
#ifndef CST_EXAMINE_EXAMINE_H
#define CST_EXAMINE_EXAMINE_H

#include "examine/finding.h"
#include "scene/scene.h"

struct cst_examination {
    cst_arena arena;
    cst_finding *finding; /* in the order of the scene */
    int findings;
    int bodies, obstacles, constraints;
    /* lines of text: bodies and their sizes, obstacles and their sizes, steps, memory and disk space; empty if the simulation was
     * not built */
    const char *summary;
};

#endif
