/* Tied groups: groups of joined bodies whose constraints are bilateral rows of the friction problem, instead of being eliminated
 * before the friction solve.
 *
 * The constraint equations of a tied group are G v = g, with the velocities v of its bodies, the Jacobian G and the right-hand
 * side g (world/joined.h). In the friction problem, a constraint row (a row of the equations G v = g) has the velocity u = G v -
 * g, which must be zero. Like the rows of contacts, constraint rows are grouped in blocks of two rows in 2D and three rows in 3D.
 * The rows of a constraint that hold the position form one block, and the rows that hold the rotation form a second block. A
 * block with too few constraint rows is filled up with zero rows, which have no impulse.
 *
 * Rotation rows are multiplied by the length of the joined curve (rod or fiber), or by the longer length if two curves are
 * joined. After the multiplication by the length of a curve, the velocity u of a rotation row is the velocity error (m/s) at the
 * far end of the curve. If the constraint joins no rod or fiber, rotation rows are multiplied by 1 m. With the factor 1 m, a
 * joint between bodies smaller than 1 m holds the rotation more accurately than necessary.
 *
 * The friction solver eliminates the constraint rows (friction/ties.h), so their impulses need no first guess. The motion without
 * contacts, which contact detection uses, satisfies the constraints of tied groups. If the motion without contacts ignored the
 * constraints, a hair would fall off the head, and contact detection would make contacts with all objects on the path of the
 * hair. */
#ifndef CST_WORLD_TIED_H
#define CST_WORLD_TIED_H

#include "friction/solve_tied.h"
#include "world/layout.h"
#include "world/objects.h"

typedef struct cst_tied_block {
    int32_t group, row; /* index of the tied group, and index of the block's first row in this group */
    int32_t rows;
    double length; /* factor on the rows */
} cst_tied_block;

typedef struct cst_tied {
    int blocks;
    cst_tied_block *block;
    /* array (blocks): Jacobian of each block of constraint rows, for the first and the second joined body; the member `body` is
     * the index of a unit (world/layout.h) */
    cst_contact_side *side_a, *side_b;
    double *offset; /* array (blocks x dim): minus the right-hand sides g of the constraint rows, times `length` of the block */
    /* largest velocity (m/s) at which joined bodies would separate if the constraints of tied groups did not act */
    double held_back;
    cst_body_problem problem; /* friction problem with the constraint rows of the tied groups, but without contacts */
    /* array (units): index of the unit in `problem`, or -1 if no constraint row acts on it */
    int32_t *number;
    cst_tied_motion motion; /* motion with constraints, without contacts */
} cst_tied;

/* Computes the blocks of constraint rows of all tied groups, in the order of the groups. The groups must be assembled. Returns
 * false if memory ran out. */
bool cst_tied_make(const cst_joined *joined, const cst_objects *objects, const cst_layout *layout, int dim, cst_arena *arena,
                   cst_tied *out);

/* Corrects the motion without contacts so that it satisfies the constraints of tied groups. `v`: array (dofs of all bodies): on
 * input, the motion without contacts and without the constraints of tied groups; on return, the corrected motion. If there are
 * constraint rows, cst_tied_free_motion begins by emptying the arena. The members held_back, problem, number and motion of *tied,
 * which cst_tied_free_motion sets, stay valid until the arena is emptied again. The structure *tied must stay at its address,
 * because tied->motion points to tied->problem. */
cst_status cst_tied_free_motion(cst_tied *tied, const cst_objects *objects, const cst_layout *layout, int threads, int dim,
                                cst_arena *arena, double *v);

/* Sets the multipliers `lambda` of the tied groups: the impulses r (blocks x dim) of the constraint rows in the friction
 * solution, times `length` of the block. */
void cst_tied_take_impulses(const cst_tied *tied, const cst_joined *joined, int dim, const double *r);

#endif
