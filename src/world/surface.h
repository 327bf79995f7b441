/* Friction and restitution of a contact: one rule of precedence (capstan.h), for both.
 *
 *   1. a pair: two owners before two materials, the last call counts; 2. segment; 3. body or obstacle; 4. material; 5. the world.
 * At 2 to 4 the finest level at which anybody speaks; if both sides speak there, the geometric mean. */
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

/* What one side of a contact says. */
typedef struct cst_surface_side {
    cst_party owner;         /* a body or an obstacle */
    double segment_friction; /* or CST_UNSET */
    cst_surface surface;
} cst_surface_side;

typedef struct cst_surface_rules {
    const cst_surface_pair *pair;
    int pairs;
    const cst_material *material; /* of id 1 on */
    double friction, restitution; /* the world's */
} cst_surface_rules;

typedef struct cst_surface_values {
    double friction, restitution;
} cst_surface_values;

cst_surface_values cst_surface_of_contact(const cst_surface_rules *rules, const cst_surface_side *a, const cst_surface_side *b);

/* A coefficient that may be given or left out: finite and not negative, or CST_UNSET. Restitution is at most 1. */
bool cst_friction_is_valid(double friction);
bool cst_restitution_is_valid(double restitution);

/* Is it a pair of these two, in either order? */
bool cst_surface_pair_is(const cst_surface_pair *pair, cst_party a, cst_party b);

#endif
