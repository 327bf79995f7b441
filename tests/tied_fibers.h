/* Fibers on a ball, in three ways: clamped to it, with roots of their own that are held where they are, or free. */
#ifndef CST_TESTS_TIED_FIBERS_H
#define CST_TESTS_TIED_FIBERS_H

#include "capstan/capstan.h"

typedef enum tied_how { FIBERS_TIED, FIBERS_HELD, FIBERS_FREE } tied_how;

typedef struct tied_fibers {
    int fibers;
    tied_how how;
    bool ball_held;   /* the ball is clamped to the world; otherwise it may fall */
    bool floor;       /* there is one, 4 cm below the ball */
    double ball_mass; /* kg; the fibers together have fibers x 0.15 g */
    double theta, dt;
    int iterations, threads;
    double tolerance;
    cst_constraint_kind kind; /* of the ties */
    cst_allocator allocator;  /* zeros: malloc and free */
} tied_fibers;

tied_fibers tied_fibers_default(int fibers);

/* NULL with a message on failure. The ball is body 1, the fibers follow. */
cst_world *tied_fibers_build(const tied_fibers *of, char *message, size_t message_size);

#endif
