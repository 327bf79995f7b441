/* Tied groups: groups of joined bodies whose constraints are bilateral rows of the friction problem.
 *
 * In a tied group, the constraint equations G v = g (world/joined.h) become rows of the friction problem with the velocity u = G
 * v - g, which must be zero. All rows of the friction problem are grouped in blocks of two rows in 2D and three rows in 3D. The
 * rows of a constraint that hold the position form one block, and the rows that hold the rotation form a second block. A block of
 * a constraint with fewer rows than the dimension (2 or 3) is filled up with zero rows, which are always satisfied and have no
 * impulse. For example, a sliding constraint in 2D has one block, with one row across the sliding direction and one zero row. A
 * clamp in 2D has two blocks, and the second block has one rotation row and one zero row.
 *
 * Rows that hold a rotation are multiplied by the length of the joined curve (rod or fiber). The rate u of a rotation row is
 * then the velocity error (m/s) at the far end of the curve. The rates of position rows are velocities too, so the relative
 * residual of the friction solver has the same meaning for rotation and position rows. If a constraint joins two curves, its
 * rotation rows are multiplied by the length of the longer curve. If a constraint joins no curves, its rotation rows are
 * multiplied by 1 m, which demands more accuracy than needed if the bodies are smaller than 1 m.
 *
 * The friction solver eliminates the constraint rows (friction/ties.h), so their impulses need no first guess. The motion
 * without contacts, from which contacts are detected, also satisfies the constraints that are rows of the friction problem
 * (tied groups). Without its constraints, a hair would fall off the head to which it is tied, and contacts with all objects on
 * its path would be detected. */
#ifndef CST_WORLD_TIED_H
#define CST_WORLD_TIED_H

#include "friction/solve_tied.h"
#include "world/layout.h"
#include "world/objects.h"

/* One block of rows. */
typedef struct cst_tied_block {
    int32_t group, row; /* group, and first row in it */
    int32_t rows;
    double length; /* factor on the rows */
} cst_tied_block;

typedef struct cst_tied {
    int blocks;
    cst_tied_block *block;
    cst_contact_side *side_a, *side_b; /* sides of each block; `body`: unit */
    double *offset;                    /* (blocks x dim) -g */
    double held_back;                  /* largest separation without ties (m/s) */
    cst_body_problem problem;          /* friction problem with only ties */
    /* index of each unit (a body, or a group of joined bodies that is treated as one body; world/layout.h) among the bodies of
     * `problem`; -1: not a body of `problem` */
    int32_t *number;
    cst_tied_motion motion; /* motion with ties, without contacts */
} cst_tied;

/* Computes the Jacobian blocks of those constraints that are rows of the friction problem (constraints of tied groups), in the
 * order of the groups. Call cst_tied_make after the groups are assembled. Returns false if memory ran out. */
bool cst_tied_make(const cst_joined *joined, const cst_objects *objects, const cst_layout *layout, int dim, cst_arena *arena,
                   cst_tied *out);

/* Corrects the motion without contacts so that it satisfies the constraints that are rows of the friction problem (constraints of
 * tied groups). On input, the vector `v` (dofs of all bodies) is the motion of the bodies without contacts and without the
 * constraints of tied groups. On return, the motion `v` satisfies the constraints of tied groups, which are rows of the friction
 * problem. Also sets the members held_back, problem, number and motion of the structure *tied; these members stay valid until the
 * arena is emptied. The function cst_tied_free_motion empties the arena before it takes memory. The structure *tied must not be
 * moved in memory, because tied->motion contains a pointer to tied->problem. */
cst_status cst_tied_free_motion(cst_tied *tied, const cst_objects *objects, const cst_layout *layout, int threads, int dim,
                                cst_arena *arena, double *v);

/* Copies the impulses r (blocks x dim) of the constraint rows from the friction solution to the multipliers `lambda` of the
 * groups of joined bodies (tied groups) to which the rows belong. */
void cst_tied_take_impulses(const cst_tied *tied, const cst_joined *joined, int dim, const double *r);

#endif
