/* The names of a scene: a list of all names, and a list of all bodies (also the generated ones) in the order of their ids. */
#ifndef CST_SCENE_NAMES_H
#define CST_SCENE_NAMES_H

#include "scene/json.h"
#include "scene/schema.h"

/* A body to be built: the object of the scene that describes the body, and the displacement and rotation that a generator gives
 * to it. */
typedef struct cst_scene_body {
    const char *name;
    cst_json *node;
    bool rigid, sheet; /* neither: a rod or a fiber */
    double shift[3];
    double turn;     /* in the plane */
    double frame[9]; /* in 3D: (3 x 3) row-major rotation */
    /* Only for a hair: the obstacle on which the hair grows, and the generator that computes the shape of the hair when a world
     * is built. */
    const cst_json *scalp, *generator;
    int number; /* index of the body among the bodies of its generator, counted from 0 */
} cst_scene_body;

static inline bool cst_is_slender(const cst_scene_body *body)
{
    return !body->rigid && !body->sheet;
}

typedef struct cst_name_entry {
    const char *name;
    unsigned kind; /* of cst_named */
    int number;    /* id of the item in the world, counted from 1 among the items of its type (bodies, obstacles, ...) */
    cst_json *node;
} cst_name_entry;

typedef struct cst_names {
    const cst_section *root;
    cst_scene_body *body; /* all bodies of the scene in this order: rods or fibers, rigid bodies, sheets, generated bodies */
    int bodies;
    cst_name_entry *entry; /* sorted */
    int entries;
    /* Number of closed rods and super-helices. The world closes each closed rod or super-helix by an additional constraint;
     * these constraints have lower ids than the constraints of the scene. */
    int rings;
    bool incomplete; /* true if a generator is invalid, so that the names of its bodies (such as x_1) may be missing */
} cst_names;

/* Collects all names in a scene whose keys have been checked. Reports an error for each name that is used twice and for each
 * invalid generator. Returns false if memory ran out. */
bool cst_names_gather(cst_json *root, cst_mistakes *mistakes, cst_names *out);

/* Finds the item with the given name among the items of the given kinds; returns NULL if there is none. */
const cst_name_entry *cst_names_find(const cst_names *names, unsigned kinds, const char *name);

/* Finds the item whose name is the text of the JSON node `node`, with the same search as cst_names_find. Reports an error if no
 * item of the given kinds has the name in `node`. */
const cst_name_entry *cst_names_refer(const cst_names *names, unsigned kinds, cst_json *node, cst_mistakes *mistakes);

/* Returns the number of bodies that one generator of the scene creates (generate.c), or 0 if the generator is invalid. */
int cst_generator_count(const cst_json *generator);
/* Fills `count` bodies. Reports an error if the region in which the generator places its bodies is too small for `count` bodies.
 * Returns false if memory ran out. */
bool cst_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* The functions cst_space_generator_count and cst_space_generator_run do for 3D scenes what cst_generator_count and
 * cst_generator_run do for 2D scenes. */
int cst_space_generator_count(const cst_json *generator);
bool cst_space_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* Reports an error if a generator placed fewer bodies than the scene requests (generate.c). */
void cst_generator_filled(const cst_json *generator, int placed, int count, cst_mistakes *mistakes);

#endif
