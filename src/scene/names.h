/* The names of a scene, and its bodies, including the generated bodies, in the order of their ids. */
#ifndef CST_SCENE_NAMES_H
#define CST_SCENE_NAMES_H

#include "scene/json.h"
#include "scene/schema.h"

/* A body to be built: its object in the scene, and the displacement and rotation that a generator gives to it. */
typedef struct cst_scene_body {
    const char *name;
    cst_json *node;
    bool rigid, sheet; /* both false: a rod or a fiber */
    double shift[3];
    double turn;     /* in 2D: rotation angle (rad) */
    double frame[9]; /* in 3D: row-major rotation matrix (3 x 3) */
    /* only for a hair: the obstacle on which it grows, and its generator, which computes the shape when a world is built */
    const cst_json *scalp, *generator;
    int number; /* index among the bodies of the same generator, from 0 */
} cst_scene_body;

static inline bool cst_is_slender(const cst_scene_body *body)
{
    return !body->rigid && !body->sheet;
}

typedef struct cst_name_entry {
    const char *name;
    unsigned kind; /* of cst_named */
    int number;    /* id in the world, counted from 1 among the items of the same type (bodies, obstacles, ...) */
    cst_json *node;
} cst_name_entry;

typedef struct cst_names {
    const cst_section *root;
    cst_scene_body *body; /* bodies in this order: rods or fibers, rigid bodies, sheets, generated bodies */
    int bodies;
    cst_name_entry *entry; /* sorted by name space and name */
    int entries;
    /* Number of closed rods and closed super-helices. The world closes each of them with one additional constraint; the ids of
     * these constraints come before the ids of the constraints of the scene. */
    int rings;
    bool incomplete; /* true if a generator is invalid, so that names of generated bodies may be missing */
} cst_names;

/* Collects all names of a scene whose keys have been checked. Reports an error for each repeated name and each invalid
 * generator. Returns false if memory ran out. */
bool cst_names_gather(cst_json *root, cst_mistakes *mistakes, cst_names *out);

/* Returns the item of one of the given kinds with the given name, or NULL. */
const cst_name_entry *cst_names_find(const cst_names *names, unsigned kinds, const char *name);

/* Returns the item of one of the given kinds whose name is the text of `node`. Reports an error if there is none. */
const cst_name_entry *cst_names_refer(const cst_names *names, unsigned kinds, cst_json *node, cst_mistakes *mistakes);

/* Returns the number of bodies that a generator creates, or 0 if the generator is invalid (generate.c). */
int cst_generator_count(const cst_json *generator);
/* Fills in the `count` bodies of a generator. Reports an error if its region is too small. Returns false if memory ran out. */
bool cst_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* Counterparts of cst_generator_count and cst_generator_run for 3D scenes (generate_space.c). */
int cst_space_generator_count(const cst_json *generator);
bool cst_space_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* Reports an error if a generator has placed fewer bodies than the scene requests. */
void cst_generator_filled(const cst_json *generator, int placed, int count, cst_mistakes *mistakes);

#endif
