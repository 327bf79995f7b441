/* A body problem split into islands. Bodies that are connected by contacts, directly or through other bodies, form one island.
 *
 * The bodies, the contacts and the initial guess are copied once, sorted by island (connected group). Each island is a slice of
 * the sorted problem, with its bodies numbered from 0. Splitting a problem into islands (connected groups of bodies and
 * contacts) takes time and memory that are linear in bodies and contacts. Islands (connected groups of bodies and contacts) are
 * numbered by their first contacts; inside an island, bodies and contacts keep their order. A contact that acts on no body is
 * an island (separately solved problem) of its own. A nodal body (cloth) without contacts is a separate problem (island): the
 * solver must compute its motion, although no contact connects it with other bodies. A body without contacts belongs to no
 * island (connected group of bodies and contacts) and comes last in the sorted problem, unless it is cloth. */
#ifndef CST_FRICTION_BODY_ISLANDS_H
#define CST_FRICTION_BODY_ISLANDS_H

#include "friction/bodies.h"

typedef struct cst_body_islands {
    const cst_body_problem *whole; /* the given problem */
    /* the friction problem sorted by island (connected group of bodies); the body indices of a contact count from the first body
     * of its island */
    cst_body_problem sorted;
    int islands;  /* islands with contacts come first */
    int touching; /* number of islands with contacts */
    /* array (islands + 1): index of the first sorted contact of each island (connected group of bodies and contacts) */
    int32_t *contact_start;
    /* array (islands + 1): index of the first sorted body of each island (connected group of bodies and contacts); bodies after
     * the last island belong to none */
    int32_t *body_start;
    /* array (contacts): for each contact in the order sorted by island (connected group), its index in the whole problem */
    int32_t *contact;
    /* array (bodies): for each body in the order sorted by island (connected group), its index in the whole problem */
    int32_t *body;
    /* array (bodies + 1): position in the array `v` of the first velocity of each body; bodies are sorted by island (connected
     * group) */
    int64_t *offset;
    /* array (bodies + islands): position of the velocities of each sorted body, counted from the start of its island (connected
     * group of bodies); after the last body of an island follows the end position */
    int64_t *local_offset;
    /* array (contacts x dim): impulses, sorted by island (connected group); initial guess on input, answer on output */
    double *r;
    double *v;      /* array (dofs): sorted velocities */
    uint8_t *fresh; /* array (contacts): sorted, or NULL */
} cst_body_islands;

/* Splits a problem. `r` (contacts x dim): initial guess. `fresh`: as in the options. Returns false if memory ran out. */
bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena);

/* Returns the friction problem of one island (connected group of bodies and contacts); its arrays are parts of the sorted arrays
 * of the struct `islands`. */
cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island);

/* Sorts the prepared bodies of the whole problem by island (connected group of bodies); the sorted arrays are allocated in the
 * arena. Returns false if memory ran out. */
bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted);

/* Returns the bodies of one island, a group of bodies connected by contacts, whose friction problem is `problem`. */
cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem);

/* Copies impulses and velocities, which are sorted by island (connected group), to the order of the whole problem. `offset`
 * (bodies + 1): position of the first velocity of each body in the array `v`. */
void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v);

#endif
