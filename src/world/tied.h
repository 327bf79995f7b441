/* Constraints of tied groups as bilateral rows of the friction problem.
 *
 * A constraint row G v = g of world/joined.h enters the friction problem as a row u = G v - g with the condition u = 0. The
 * friction problem consists of blocks with dim rows each. The rows of a constraint that hold the position form one block, the
 * rows that hold the rotation form a second block. A block with fewer than dim rows is filled up with zero rows, which are
 * always satisfied and have no impulse:
 *
 *                2D                               3D
 *     pinned     x y                              x y z
 *     clamped    x y | turn 0                     x y z | turn turn turn
 *     sliding    across 0                         across across 0
 *     guided     across 0 | turn 0                across across 0 | turn turn turn.
 *
 * Rows that hold a rotation are multiplied by the length of the body, so that their u is in m/s like that of position rows. If
 * a tie joins two curves, the length of the longer curve is used. With this factor, u of a rotation row is the velocity error
 * at the far end of the body, and the residual |u| / V has the same meaning for position and rotation rows. If neither body is
 * a curve, the factor is 1 m, which demands more accuracy than needed for smaller bodies.
 *
 * The friction solver eliminates the rows of ties (friction/ties.h), so their impulses need no first guess. The motion without
 * contacts, which detection uses, is solved with the rows of ties too. In a motion without ties, a hair would fall off the head
 * to which it is tied, and everything on its path would become a contact. */
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
    cst_contact_side *side_a, *side_b; /* (blocks) sides as in the friction problem, but `body` is the index of a unit */
    double *offset;                    /* (blocks x dim) -g */
    double held_back;                  /* m/s: largest |G v - g| without ties and contacts */
    cst_body_problem problem;          /* friction problem with only ties */
    int32_t *number;                   /* (units) number in `problem`, or -1 */
    cst_tied_motion motion;            /* motion with ties, without contacts */
} cst_tied;

/* Makes the blocks of the constraints of all tied groups, in the order of the groups. Call this function after the groups are
 * assembled. Returns false if memory ran out. */
bool cst_tied_make(const cst_joined *joined, const cst_objects *objects, const cst_layout *layout, int dim, cst_arena *arena,
                   cst_tied *out);

/* Input `v` (dofs of all): motion of the tied bodies without ties and contacts; output: with ties. Also sets the members
 * held_back, problem, number and motion of *tied, which are valid as long as the arena; the function empties the arena first.
 * *tied must not be moved in memory, because tied->motion points to tied->problem. */
cst_status cst_tied_free_motion(cst_tied *tied, const cst_objects *objects, const cst_layout *layout, int threads, int dim,
                                cst_arena *arena, double *v);

/* Copies the impulses r (blocks x dim) of the friction solution to the groups' lambda. */
void cst_tied_take_impulses(const cst_tied *tied, const cst_joined *joined, int dim, const double *r);

#endif
