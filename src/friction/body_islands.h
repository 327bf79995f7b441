/* A body problem split into islands: bodies that contacts connect, directly or through other bodies, make one island.
 *
 * The bodies, the contacts and the first guess are copied once, sorted by island, so that the problem of an island is a slice of
 * the sorted problem with its bodies numbered from 0. Time and memory are linear in bodies and contacts. Islands are numbered by
 * their first contacts; inside an island bodies and contacts keep their order. A contact without a body is an island of its own, and so
 * is a nodal body without a contact, whose motion has to be solved for. Other bodies without a contact belong to no island and
 * come last. */
#ifndef CST_FRICTION_BODY_ISLANDS_H
#define CST_FRICTION_BODY_ISLANDS_H

#include "friction/bodies.h"

typedef struct cst_body_islands {
    const cst_body_problem *whole; /* as given */
    cst_body_problem sorted;       /* its sides count bodies from the first body of their island */
    int islands;                   /* those with contacts come first */
    int touching;                  /* islands with contacts */
    int32_t *contact_start;        /* (islands + 1) in the sorted contacts */
    int32_t *body_start;           /* (islands + 1) in the sorted bodies; those after the last belong to no island */
    int32_t *contact;              /* (contacts) the contact of the whole problem at each place of the sorted one */
    int32_t *body;                 /* (bodies) the same for bodies */
    int64_t *offset;               /* (bodies + 1) where the velocities of a sorted body begin */
    int64_t *local_offset;         /* (bodies + islands) the same counted from the first body of the island, each with its end */
    double *r;                     /* (contacts x dim) sorted impulses: first guess in, answer out */
    double *v;                     /* (dofs) sorted velocities */
    uint8_t *fresh;                /* (contacts) sorted, or NULL */
} cst_body_islands;

/* r (contacts x dim) is the first guess, `fresh` as in the options. False: out of memory. */
bool cst_body_islands_begin(cst_body_islands *islands, const cst_body_problem *problem, const double *r, const uint8_t *fresh,
                            cst_arena *arena);

/* The problem of one island: arrays are those of `islands`. */
cst_body_problem cst_body_islands_problem(const cst_body_islands *islands, int island);

/* The bodies of the whole problem, made ready, in sorted order (its arrays from the arena). False: out of memory. */
bool cst_body_islands_sort(const cst_body_islands *islands, const cst_bodies *whole, cst_arena *arena, cst_bodies *sorted);

/* The bodies of one island, whose problem is `problem`, out of the sorted ones. */
cst_bodies cst_body_islands_bodies(const cst_body_islands *islands, const cst_bodies *sorted, int island,
                                   const cst_body_problem *problem);

/* Sorted impulses and velocities into the order of the whole problem; offset (bodies + 1): where its velocities begin. */
void cst_body_islands_unsort(const cst_body_islands *islands, const int64_t *offset, double *r, double *v);

#endif
