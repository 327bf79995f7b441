/* Splits a friction problem into islands that are solved separately. Bodies that are connected by contacts, directly or
 * through other bodies, form one island.
 *
 * The bodies, the contacts and the initial guess are copied once, sorted by island; each island is a slice of the sorted
 * arrays. Inside an island, bodies and contacts keep their order, and bodies are numbered from 0.
 *
 * A contact that acts on no body is an island of its own. Cloth without contacts is an island of its own, because its motion
 * must be computed. A body that has no contacts and is not cloth is in no island; in the sorted arrays, such bodies come last. */
#ifndef CST_FRICTION_BODY_ISLANDS_H
#define CST_FRICTION_BODY_ISLANDS_H

#include "friction/bodies.h"

typedef struct cst_body_islands {
    const cst_body_problem *whole; /* the given problem */
    /* the friction problem sorted by island; the contacts of an island use body indices that count from the first body of the
     * island */
    cst_body_problem sorted;
    int islands;  /* islands with contacts come first, in the order of their first contacts */
    int touching; /* number of islands with contacts */
    /* array (islands + 1): position of the first contact of each island in the sorted arrays */
    int32_t *contact_start;
    /* array (islands + 1): position of the first body of each island in the sorted arrays, then the position of the first body
     * without an island */
    int32_t *body_start;
    /* array (contacts): index of each sorted contact in the given problem */
    int32_t *contact;
    /* array (bodies): index of each sorted body in the given problem */
    int32_t *body;
    /* array (bodies + 1): position of each sorted body's first velocity in `v` */
    int64_t *offset;
    /* array (bodies + islands): for each island, the position of the first velocity of each of its bodies, counted from the first
     * velocity of the island; then the number of dofs of the island */
    int64_t *local_offset;
    /* array (contacts x dim): sorted impulses; initial guess on input, answer on output */
    double *r;
    double *v;      /* array (dofs): sorted velocities */
    uint8_t *fresh; /* array (contacts): sorted flags, or NULL */
} cst_body_islands;

/* `r` (contacts x dim): initial guess of the impulses. `fresh`: as in cst_friction_options. Returns false if memory ran out. */
bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena);

/* The friction problem of one island; its arrays are slices of the sorted arrays. */
cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island);

/* Copies the factors and free velocities of all bodies to arrays sorted by island. Returns false if memory ran out. */
bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted);

/* The factors and free velocities of the bodies of one island. */
cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem);

/* Copies the sorted impulses and velocities to `r` and `v`, in the order of the given problem. offset[b]: the position in `v`
 * of the first velocity of body b. */
void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v);

#endif
