/* Joined bodies: bodies held together by constraints, which friction sees as one body.
 *
 * A group of bodies with velocities v (those of its members, one after the other), dynamics A (block diagonal) and the rows G of
 * its constraints moves by
 *
 *     A v = rhs + H^T r + G^T lambda,     G v = g.
 *
 * lambda is eliminated before friction, so that constraints hold exactly whatever the contacts do. With Z = A^-1 G^T, S = G Z:
 *
 *     v = A_c^-1 (rhs + H^T r) + shift,   A_c^-1 x = y - Z S^-1 G y with y = A^-1 x,     shift = Z S^-1 g
 *     lambda = S^-1 (g - G A^-1 (rhs + H^T r))
 *
 * (the null-space form of a saddle point: Benzi, Golub and Liesen, Acta Numerica 14 (2005), section 5). A_c^-1 is symmetric
 * and positive semi-definite. S is factored within its envelope, rows in the order of the constraints; a row that depends on
 * those before it (two clamps of one rigid body; the pull of a straight inextensible rod between two pins) is left out, its
 * multiplier is zero. The cost of a chain of bodies is linear; a group in which everything hangs on one body costs rows^3 / 3
 * per step, and every contact carries all dofs of the group. Such a group, if it is large, is not eliminated here but tied: its rows
 * G v = g are bilateral rows of the friction problem (world/tied.h), which friction eliminates member by member (friction/ties.h).
 * Both forms ask for the same g and give the same velocities (tests/test_world_tied.c: to 1e-8).
 *
 * What the rows ask for, phi the value of a row (world/constraint.h), G_0 and G_theta the rows at the start of the step and where
 * the forces of the scheme act:
 *     theta = 1    phi = 0 at the end of the step, linearised at its start:  G_0 v = -phi / dt. Prescribed motions are followed
 *                  exactly, and a fast turn about a pin neither gains nor loses (it is the SHAKE scheme).
 *     theta < 1    the rate of the target at the end, and a fifth of the error undone:  G_1 v = rate - 0.2 phi / dt, with
 *                  G_1 v = G_theta v + (1 - theta) / theta (G_theta - G_0) v_before. Forces act along G_theta: then a constraint
 *                  at rest works nothing at second order. (A full correction would ring with a scheme that does not damp.)
 *                  Bodies without point_between have G_theta only where they are assembled at a guess: the velocities at the
 *                  start are a good one, and without it a shallow arch between pins gains energy until it bursts.
 * In an iterated step with theta = 1, phi and G are those of the guess, G v = G v_guess - phi / dt: the converged step meets the
 * constraint itself, not its linearisation.
 *
 * Course of a step (the world's part in brackets):
 *     cst_joined_begin                          who is joined to whom; all memory of the step
 *     [ bodies: place, assemble; loads ]
 *     cst_joined_assemble(group)                groups may be done in different threads
 *     cst_joined_describe                       [ friction: H of a member shifted by cst_joined.offset_of; H shift added to u_f ]
 *     cst_joined_finish(group)                  velocities and multipliers; [ then the bodies' finish ] */
#ifndef CST_WORLD_JOINED_H
#define CST_WORLD_JOINED_H

#include "base/arena.h"
#include "sparse/envelope_cholesky.h"
#include "world/constraint.h"

typedef struct cst_joined_part cst_joined_part; /* rows of one constraint on one member (joined_parts.h) */
typedef struct cst_joined_rows cst_joined_rows; /* one constraint of a group */

typedef struct cst_joined_group {
    int members;
    int32_t *member; /* (members) bodies, increasing */
    int32_t *offset; /* (members + 1) where the dofs of each begin */
    int size;        /* dofs of all */
    int constraints;
    int rows;      /* of all constraints */
    bool tied;     /* its rows are given to friction (world/tied.h): no Z, no S, no shift, and no body of its own */
    int redundant; /* rows left out in the last assembly */
    double *rhs;   /* (size) gathered from the members */
    double *shift; /* (size) */

    cst_joined_rows *held;      /* (constraints) in the order of the world */
    cst_joined_part *part;      /* of all constraints, by member */
    int32_t *part_start;        /* (members + 1) */
    cst_envelope S;             /* factored */
    double *g, *lambda, *again; /* (rows) */
    double *scratch;            /* (size) */
    const cst_body_model *body;
} cst_joined_group;

typedef struct cst_joined {
    int groups;
    cst_joined_group *group;
    int32_t *group_of;  /* (bodies) or -1: not joined to anything */
    int32_t *offset_of; /* (bodies) where its dofs begin in the group's; 0 for those of no group */
} cst_joined;

enum {
    /* Rows of a group that is eliminated whatever it is like. Measured with super helices of five elements clamped to a held ball, their
     * tips on a floor (tests/tied_fibers.h), processor time of a step: eliminated against tied 0.29 and 0.29 ms at 30 rows, 0.42 and 0.42
     * at 42, 0.72 and 0.68 at 66, 1.24 and 0.99 at 96, 2.7 and 1.6 at 156, 9.2 and 3.4 at 306; at 1,356 rows 437 and 15 ms. Up to
     * about 60 rows it makes little difference, and chains, arches and frames stay one body with its constraints met exactly. */
    CST_JOINED_ROWS_MAX = 60
};

/* Groups of the step that begins at frame->time, in the order of their first members. rows_max: groups of more rows and more than
 * one member are tied, if what their members hang on is small (CST_TIE_CORE_MAX of friction/tie_plan.h: a chain of 1,000 links
 * has many rows and is eliminated in linear time, as S is narrow). The arena gives all that is needed until
 * the step is over; models and constraints are kept as pointers. Impulses, forces and works of constraints that are not active
 * become zero. False: out of memory. */
bool cst_joined_begin(cst_joined *joined, const cst_body_model *body, int bodies, cst_constraint *constraint, int constraints,
                      const cst_step_frame *frame, int rows_max, cst_arena *arena);

/* After the members' place and assemble, and after loads were added to their rhs. guess (size): the velocities of the group at
 * which the members were assembled, or NULL: the start of the step (always first). False with a message: a member cannot be
 * solved, or something is not finite. */
bool cst_joined_assemble(cst_joined_group *group, const cst_step_frame *frame, const double *guess, char *message,
                         size_t message_size);

/* held (size): true where a row of a constraint acts on the dof; others are left as they are. After the assembly. */
void cst_joined_mark(const cst_joined_group *group, bool *held);

/* For the friction solver: kind CST_BODY_SOLVE, A_c^-1, rhs. */
void cst_joined_describe(cst_joined_group *group, cst_body *out);

/* Of a tied group, once friction has found v (size) and group->lambda: impulses, forces and works are left in the constraints. */
void cst_joined_tell(cst_joined_group *group, const cst_step_frame *frame, const double *v);

/* f (size) = rhs + H^T r in, v (size) out: the velocities, shift included, that meet the constraints. Impulses, forces and works
 * are left in the constraints. Before the members' finish. False: a member cannot be solved. */
bool cst_joined_finish(cst_joined_group *group, const cst_step_frame *frame, const double *f, double *v);

#endif
