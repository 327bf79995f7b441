/* A random world as a scene: the same seed gives the same file on every machine.
 *
 * Even seeds are in the plane, odd ones in space. Bodies begin in cells of a grid above the ground, so that none overlaps at first, and fly
 * towards its middle, turning. All models, soft (1e4 Pa) to stiff (1e10 Pa), thin and thick, rings, bent rods, disks and polygons, balls,
 * capsules, boxes and meshes; ground, walls, bowls, posts, thin sheets, some of them moving; roots that are clamped, pins, loads. mu from 0 to
 * 10, restitution from 0 to 1, 0.2 to 2 s. Nothing is said of time step, solver or contact: these are the defaults. */
#ifndef CST_VALIDATE_WORLDS_RANDOM_SCENE_H
#define CST_VALIDATE_WORLDS_RANDOM_SCENE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CST_RANDOM_BODIES = 12 };

/* Names of bodies that a pin joins: they may overlap. */
typedef struct cst_random_scene {
    char joined[CST_RANDOM_BODIES][2][16];
    int joineds;
} cst_random_scene;

/* Writes the scene. Meshes are files beside it, made by cst_random_meshes. */
void cst_random_scene_write(uint64_t seed, FILE *to, cst_random_scene *out);

/* The meshes that random scenes name, into a directory. False: one cannot be written. */
bool cst_random_meshes(const char *directory);

#endif
