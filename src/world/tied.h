/* Constraints of tied groups as bilateral rows of the friction problem.
 *
 * A row of world/joined.h, G v = g, is given to friction as u = G v - g = 0. Friction knows rows by blocks of as many as the world has
 * dimensions: the rows of a constraint that hold the place make one block, those that hold the rotation a second one, and what
 * is missing in a block is a row of zeros, which is met whatever happens and has no impulse.
 *
 *                plane                            space
 *     pinned     x y                              x y z
 *     clamped    x y | turn 0                     x y z | turn turn turn
 *     sliding    across 0                         across across 0
 *     guided     across 0 | turn 0                across across 0 | turn turn turn
 *
 * Rows of rotations are multiplied by a length, so that u is in m/s: the length of the longer body that is a curve. Then u is the velocity
 * that the error gives the far end of that body, and the judge's |u| / V means the same for both blocks. Where neither is a curve
 * it is 1 m, which is strict for anything smaller.
 *
 * Friction eliminates these rows (friction/ties.h), so they need no guess. The free motion that detection asks for meets them, too: they
 * are solved alone. Without its ties a fiber would fall out of its head, and what it passes on the way would become contacts. */
#ifndef CST_WORLD_TIED_H
#define CST_WORLD_TIED_H

#include "friction/solve_tied.h"
#include "world/layout.h"
#include "world/objects.h"

/* One block. */
typedef struct cst_tied_block {
    int32_t group, row; /* its first row in the group; `rows` of them count, the others are zero */
    int32_t rows;
    double length; /* that the rows were multiplied with */
} cst_tied_block;

typedef struct cst_tied {
    int blocks;
    cst_tied_block *block;
    cst_contact_side *side_a, *side_b; /* (blocks) as for friction, but `body` counts units */
    double *offset;                    /* (blocks x dim) -g */
    double held_back;                  /* m/s: largest |G v - g| of the motion without ties and contacts */
    cst_body_problem problem;          /* of the tied units and the blocks alone */
    int32_t *number;                   /* (units) among the bodies of that problem, or -1 */
    cst_tied_motion motion;            /* with ties and without contacts; lent to the solve with contacts */
} cst_tied;

/* Blocks of all tied groups, in their order, after the groups were assembled. False: out of memory. */
bool cst_tied_make(const cst_joined *joined, const cst_objects *objects, const cst_layout *layout, int dim, cst_arena *arena,
                   cst_tied *out);

/* v (dofs of all) of the bodies of tied groups: in, their motion without ties and contacts; out, with ties. held_back, problem, number and
 * motion are set; they last as long as the arena, which is emptied first. tied must not move: the motion points to its problem. */
cst_status cst_tied_free_motion(cst_tied *tied, const cst_objects *objects, const cst_layout *layout, int threads, int dim,
                                cst_arena *arena, double *v);

/* The impulses r (blocks x dim) that friction found, into the groups' lambda. */
void cst_tied_take_impulses(const cst_tied *tied, const cst_joined *joined, int dim, const double *r);

#endif
