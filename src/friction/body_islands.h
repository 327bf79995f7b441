/* A body problem split into islands. Bodies that are connected by contacts, directly or through other bodies, form one island.
 *
 * The bodies, the contacts and the initial guess are copied once, sorted by island, so that the problem of an island is a slice
 * of the sorted problem with its bodies numbered from 0. Splitting a problem into islands takes time and memory that are linear
 * in bodies and contacts. Islands are numbered by their first contacts; inside an island, bodies and contacts keep their order.
 * A contact without a body is an island of its own. A nodal body without contacts is an island of its own, because its motion
 * must be solved for. A reduced (not nodal) body without contacts belongs to no island and comes last in the sorted problem. */
#ifndef CST_FRICTION_BODY_ISLANDS_H
#define CST_FRICTION_BODY_ISLANDS_H

#include "friction/bodies.h"

typedef struct cst_body_islands {
    const cst_body_problem *whole; /* the given problem */
    /* the problem sorted by island; a body index of a contact counts from the first body of the island */
    cst_body_problem sorted;
    int islands;            /* islands with contacts come first */
    int touching;           /* number of islands with contacts */
    int32_t *contact_start; /* array (islands + 1): index of the first sorted contact of each island */
    /* array (islands + 1): index of the first sorted body of each island; bodies after the last island belong to none */
    int32_t *body_start;
    int32_t *contact; /* array (contacts): index in the whole problem of each sorted contact */
    int32_t *body;    /* array (bodies): index in the whole problem of each sorted body */
    int64_t *offset;  /* array (bodies + 1): position of the velocities of each sorted body in `v` */
    /* array (bodies + islands): position of the velocities of each sorted body, counted from the start of its island, and the end
     * position of each island */
    int64_t *local_offset;
    double *r;      /* array (contacts x dim): sorted impulses: initial guess on input, answer on output */
    double *v;      /* array (dofs): sorted velocities */
    uint8_t *fresh; /* array (contacts): sorted, or NULL */
} cst_body_islands;

/* Splits a problem. `r` (contacts x dim): initial guess. `fresh`: as in the options. Returns false if memory ran out. */
bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena);

/* Returns the problem of one island; its arrays are parts of the sorted arrays of `islands`. */
cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island);

/* Sorts the prepared bodies of the whole problem by island (arrays from the arena). Returns false if memory ran out. */
bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted);

/* Returns the sorted bodies of one island, whose problem is `problem`. */
cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem);

/* Copies sorted impulses and velocities to the order of the whole problem. `offset` (bodies + 1): position of the velocities of
 * each body in `v`. */
void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v);

#endif
