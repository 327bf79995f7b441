/* Who is called what: the bodies of a scene in the order of their ids, generated ones included, and all names. */
#ifndef CST_SCENE_NAMES_H
#define CST_SCENE_NAMES_H

#include "scene/json.h"
#include "scene/schema.h"

/* A body to be: the object that describes it, moved and turned by a generator. */
typedef struct cst_scene_body {
    const char *name;
    cst_json *node;
    bool rigid, sheet; /* neither: a rod or a fiber */
    double shift[3];
    double turn;     /* in the plane */
    double frame[9]; /* in space: (3 x 3) row-major rotation */
    /* Of a hair: the obstacle that it grows on, whose motion is its own, and its generator, which lays it when a world is made. */
    const cst_json *scalp, *generator;
    int number; /* of the generator's, from 0 */
} cst_scene_body;

static inline bool cst_is_slender(const cst_scene_body *body)
{
    return !body->rigid && !body->sheet;
}

typedef struct cst_name_entry {
    const char *name;
    unsigned kind; /* of cst_named */
    int number;    /* id of the world, from 1: position among the bodies, obstacles, ... */
    cst_json *node;
} cst_name_entry;

typedef struct cst_names {
    const cst_section *root;
    cst_scene_body *body; /* rods or fibers, rigid bodies, sheets, then generated ones */
    int bodies;
    cst_name_entry *entry; /* sorted */
    int entries;
    /* Closed rods and super helices: the world closes them by constraints of its own, which come before those of the scene. */
    int rings;
    bool incomplete; /* a generator is not sound: names like x_1 may be missing */
} cst_names;

/* Of a scene whose keys have been checked. Mistakes: names used twice, generators that cannot be. False: no memory. */
bool cst_names_gather(cst_json *root, cst_mistakes *mistakes, cst_names *out);

/* NULL if nothing of these kinds has the name. */
const cst_name_entry *cst_names_find(const cst_names *names, unsigned kinds, const char *name);

/* The same for a node with a name in it; a mistake if there is none, or it names something else. */
const cst_name_entry *cst_names_refer(const cst_names *names, unsigned kinds, cst_json *node, cst_mistakes *mistakes);

/* Bodies of one generator (generate.c): how many; 0 if it is not sound. */
int cst_generator_count(const cst_json *generator);
/* Fills `count` bodies; a mistake if they do not fit. False: no memory. */
bool cst_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* The same in space (generate_space.c). */
int cst_space_generator_count(const cst_json *generator);
bool cst_space_generator_run(cst_json *generator, int count, cst_scene_body *body, cst_mistakes *mistakes);

/* Says so if fewer bodies found a place than were asked for (generate.c). */
void cst_generator_filled(const cst_json *generator, int placed, int count, cst_mistakes *mistakes);

#endif
