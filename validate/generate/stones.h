/* Assemblies of rigid blocks in unbonded contact, stepped in time: sequences of nearly equal friction problems.
 *
 * A contact is a corner of block a over a face of block b (b = -1: the ground), both fixed in the frames of their blocks, so who may
 * touch whom never changes; gaps, normals and arms follow the motion. Implicit Euler, gravity only:
 *
 *     A v = A v_0 + dt m g + H^T r,    u = H v + u_f,    u_f,N = gap / dt if gap > 0, else stabilisation * gap / dt
 *
 * (the rule of src/world/contact_rows.c). Impulses of the last step are the first guess of the next. */
#ifndef CST_GENERATE_STONES_H
#define CST_GENERATE_STONES_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_stone {
    double mass, moment[3]; /* principal moments, about the axes of the block's frame */
    double x[3], q[4];      /* centre of mass and attitude (unit quaternion) */
    double v[6];            /* velocity and spin, in world axes */
} cst_stone;

typedef struct cst_stone_contact {
    int32_t a, b;
    double corner[3];          /* in the frame of a */
    double point[3], frame[9]; /* in the frame of b: a point of the face, and rows normal (to a), tangents */
    double mu;
    double r[3]; /* impulse of the last step */
} cst_stone_contact;

typedef struct cst_stones {
    char name[64];
    int stones, contacts;
    cst_stone *stone;
    cst_stone_contact *contact;
    double dt, gravity[3], stabilisation;
    double margin; /* contacts with a larger gap are left out of the step's problem */
    cst_arena arena;
    cst_arena step; /* what the last problem points to */
    cst_arena_mark empty;
    int32_t *row; /* (contacts of the last problem) which contact each row is */
} cst_stones;

/* Card house: storeys of A-frames, cards across their tops between storeys: 3/2 storeys^2 + storeys/2 cards.
 * Arch: `count` voussoirs between two fixed ones, half a circle, 4 contacts per joint.
 * Wall: `rows` courses of bricks in running bond, `columns` bricks long.
 * Stack: boxes on each other, each a little off the last.
 * They begin `drop` above where they rest (every gap opened by it). NULL without memory. Free with cst_stones_free. */
cst_stones *cst_card_house(int storeys, double mu, double drop);
cst_stones *cst_stone_arch(int count, double mu, double drop);
cst_stones *cst_brick_wall(int columns, int rows, double mu, double drop);
cst_stones *cst_box_stack(int count, double mu, double mass_ratio, double drop);
void cst_stones_free(cst_stones *stones);

/* The problem of the next step; valid until the next call. r (contacts x 3): first guess. False: out of memory. */
bool cst_stones_problem(cst_stones *stones, cst_body_problem *out, double **r);

/* The step's answer: velocities, positions, impulses. */
void cst_stones_advance(cst_stones *stones, const cst_body_problem *problem, const double *v, const double *r);

/* Largest speed of a centre of mass or spin times `length`, largest fall of a centre of mass below where it was at first is the caller's to
 * keep. */
double cst_stones_speed(const cst_stones *stones, double length);
double cst_stones_deepest(const cst_stones *stones); /* largest overlap, m */

#endif
