/* Lists all names in a scene, and all bodies of the scene in the order of their ids, including generated bodies. */
#ifndef CST_SCENE_NAMES_H
#define CST_SCENE_NAMES_H

#include "scene/json.h"
#include "scene/schema.h"

/* A body that the scene lists or a generator creates: its JSON object in the scene, and the displacement and the rotation that
 * the generator gives to it. */
typedef struct cst_scene_body {
    const char *name;
    cst_json *node;
    bool rigid, sheet; /* neither: rod or fiber */
    double shift[3];
    double turn;     /* in 2D: angle (rad) by which a generator rotates the body */
    double frame[9]; /* in 3D: row-major matrix (3 x 3) of the rotation that a generator gives to the body */
    /* only for hair and strands: obstacle on which the hair grows or NULL, and generator that computes the shape or reads it from
     * a file */
    const cst_json *scalp, *generator;
    int number; /* only for hair and strands: index within the generator, from 0 */
} cst_scene_body;

static inline bool cst_is_slender(const cst_scene_body *body)
{
    return !body->rigid && !body->sheet;
}

typedef struct cst_name_entry {
    const char *name;
    unsigned kind; /* of cst_named */
    int number;    /* id of the item in the world, counted from 1 within its type (bodies, obstacles, ...) */
    cst_json *node;
} cst_name_entry;

typedef struct cst_names {
    const cst_section *root;
    cst_scene_body *body; /* bodies in this order: rods or fibers, rigid bodies, sheets, generated bodies */
    int bodies;
    cst_name_entry *entry; /* sorted by name space and name */
    int entries;
    /* Number of closed rods and closed super-helices. The world joins the ends of each closed rod or super-helix with an
     * additional constraint; the ids of these constraints come before the ids of the constraints that the scene lists. */
    int rings;
    bool incomplete; /* true if a generator is invalid, so that the names of its bodies may be missing in `entry` */
} cst_names;

/* Collects the names of a scene whose keys have been checked. Reports repeated names, generators that make too many bodies, and
 * generators whose region is too small for their bodies. Returns false if memory ran out. */
bool cst_names_gather(cst_json *root, cst_mistakes *mistakes, cst_names *out);

/* Returns the item with the given name and one of the given kinds, or NULL if there is none. */
const cst_name_entry *cst_names_find(const cst_names *names, unsigned kinds, const char *name);

/* Returns the item whose name is the JSON string `node`, or NULL. Reports an error if no item of the given kinds has the name in
 * `node`, unless an invalid generator may create a body of this name. */
const cst_name_entry *cst_names_refer(const cst_names *names, unsigned kinds, cst_json *node, cst_mistakes *mistakes);

/* Returns the number of bodies that a generator creates, or 0 if the generator is invalid (generate.c). */
int cst_generator_count(const cst_json *generator);
/* Fills the array `body` with the `count` bodies that a generator creates. Reports an error if the region of the generator is too
 * small for its bodies. Returns false if memory ran out. */
bool cst_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* For 3D scenes (generate_space.c). */
int cst_space_generator_count(const cst_json *generator);
bool cst_space_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* Reports an error if fewer bodies were placed than the scene requests. */
void cst_generator_filled(const cst_json *generator, int placed, int count, cst_mistakes *mistakes);

#endif
