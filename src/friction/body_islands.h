/* Splits a body problem into islands that are solved separately. Bodies that are connected by contacts, directly or through
 * other bodies, form one island.
 *
 * The bodies, the contacts and the initial guess are copied once, sorted by island; each island is a slice of the sorted
 * arrays. Inside an island, bodies and contacts keep their order, and bodies are numbered from 0. The time and the memory are
 * linear in the numbers of bodies and contacts. Special cases:
 *     Contact that acts on no body: an island of its own.
 *     Cloth without contacts: an island of its own, because the solver must compute the motion of the cloth.
 *     Other bodies without contacts: in no island; they come last in the sorted arrays. */
#ifndef CST_FRICTION_BODY_ISLANDS_H
#define CST_FRICTION_BODY_ISLANDS_H

#include "friction/bodies.h"

typedef struct cst_body_islands {
    const cst_body_problem *whole; /* the given problem */
    /* the friction problem sorted by island; each contact numbers its bodies from the first body of the island */
    cst_body_problem sorted;
    int islands;  /* number of islands; islands with contacts come first, in the order of their first contacts */
    int touching; /* number of islands with contacts */
    /* array (islands + 1): index of the first sorted contact of each island */
    int32_t *contact_start;
    /* array (islands + 1): index of the first sorted body of each island; the last entry is the first body without an island */
    int32_t *body_start;
    /* array (contacts): for each sorted contact, its index in the given problem */
    int32_t *contact;
    /* array (bodies): for each sorted body, its index in the given problem */
    int32_t *body;
    /* array (bodies + 1): for each sorted body, the position of its first velocity in the array `v` */
    int64_t *offset;
    /* array (bodies + islands): for each sorted body, the position of its first velocity, counted from the first velocity of
     * the island. Each island has one entry more than bodies: the number of dofs of the island. */
    int64_t *local_offset;
    /* array (contacts x dim): impulses of the sorted contacts; initial guess on input, answer on output */
    double *r;
    double *v;      /* array (dofs): velocities of the sorted bodies */
    uint8_t *fresh; /* array (contacts): the flags `fresh` of the sorted contacts, or NULL */
} cst_body_islands;

/* Splits a friction problem into islands of coupled bodies. `r` (contacts x dim): initial guess of the impulses. `fresh`: as
 * in cst_friction_options. Returns false if memory ran out. */
bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena);

/* Returns the friction problem of one island; its arrays are slices of the sorted arrays in `islands`. */
cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island);

/* Copies the factors and free velocities of all bodies, sorted by island, to arrays in the arena. Returns false if memory ran
 * out. */
bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted);

/* Returns the factors and free velocities of the bodies of one island, whose friction problem is `problem`. */
cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem);

/* Copies the impulses and velocities of the sorted problem to `r` and `v`, in the order of the given problem. `offset` (bodies
 * + 1): position of the first velocity of each body in `v`. */
void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v);

#endif
