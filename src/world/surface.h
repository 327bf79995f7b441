/* Friction and restitution of a contact, by the rule of precedence in capstan.h. Each coefficient is taken from the first level
 * that has a value:
 *
 *     Level 1: the value that the user has set for a pair of two bodies, obstacles or materials.
 *     Level 2: the value of the touching element of a rod or fiber (only friction, no restitution).
 *     Level 3: the value of the touching body or obstacle.
 *     Level 4: the value of the material of the touching body or obstacle.
 *     Level 5: the value of the whole world.
 *
 * A pair is looked up first for the two touching objects (bodies or obstacles), then for one object and the material of the
 * second object, then for the two materials. If the user has set a coefficient of a pair twice, the last value counts. If the
 * coefficient comes from one of the levels 2 to 4 (elements, objects or materials), and both touching objects have a value there,
 * the geometric mean of the two values is used. */
#ifndef CST_WORLD_SURFACE_H
#define CST_WORLD_SURFACE_H

#include "capstan/capstan.h"

typedef struct cst_surface_pair {
    cst_party a, b;
    double friction, restitution; /* or CST_UNSET */
} cst_surface_pair;

typedef struct cst_material {
    const char *name;
    double friction, restitution; /* or CST_UNSET */
} cst_material;

/* Surface properties (friction, restitution, material) of one touching object, a body or an obstacle. */
typedef struct cst_surface_side {
    cst_party owner;         /* a body or an obstacle */
    double segment_friction; /* or CST_UNSET */
    cst_surface surface;
} cst_surface_side;

typedef struct cst_surface_rules {
    const cst_surface_pair *pair;
    int pairs;
    const cst_material *material; /* first entry has id 1 */
    double friction, restitution; /* the world's */
} cst_surface_rules;

typedef struct cst_surface_values {
    double friction, restitution;
} cst_surface_values;

cst_surface_values cst_surface_of_contact(const cst_surface_rules *rules, const cst_surface_side *a, const cst_surface_side *b);

/* Returns true if a coefficient is valid: finite and not negative (restitution also at most 1), or CST_UNSET. */
bool cst_friction_is_valid(double friction);
bool cst_restitution_is_valid(double restitution);

/* Returns true if the pair consists of the items a and b (bodies, obstacles or materials), in any order. */
bool cst_surface_pair_is(const cst_surface_pair *pair, cst_party a, cst_party b);

#endif
