/* Joined bodies: a group of bodies held together by constraints, which the friction solver sees as one body.
 *
 * The vector v holds the velocities of the members of a group, one after the other. With the dynamics A (block diagonal) and the
 * rows G of its constraints, the group moves by
 *
 *     A v = rhs + H^T r + G^T lambda,     G v = g.
 *
 * The multiplier lambda is eliminated before friction, so that constraints are met exactly for any contact impulses. With Z =
 * A^-1 G^T and S = G Z (the null-space form of a saddle point, see Benzi, Golub and Liesen, Acta Numerica 14, 2005, section 5):
 *
 *     v = A_c^-1 (rhs + H^T r) + shift,   A_c^-1 x = y - Z S^-1 G y with y = A^-1 x,     shift = Z S^-1 g
 *     lambda = S^-1 (g - G A^-1 (rhs + H^T r)).
 *
 * A_c^-1 is symmetric and positive semi-definite. The matrix S is stored and factored within its envelope (the entries from the
 * first nonzero of each row to the diagonal), with the rows in the order of the constraints. A constraint row that depends
 * linearly on earlier rows is left out, and its multiplier is zero; examples are two clamps of one rigid body, and the axial
 * force of a straight inextensible rod between two pins. For a chain of bodies the cost of the factorisation is linear in the
 * number of bodies. For a group in which all members are attached to one body, the cost of the factorisation is rows^3 / 3 per
 * step, and the rows of every contact extend over all dofs of the group. A large group of this kind is not eliminated here but
 * tied: its rows G v = g become bilateral rows of the friction problem (world/tied.h), and the friction solver eliminates them
 * member by member (friction/ties.h). Elimination and ties use the same g and give the same velocities
 * (tests/test_world_tied.c: to 1e-8).
 *
 * The right-hand side g of the constraints depends on theta. Let phi be the value of a row (world/constraint.h), G_0 the rows
 * at the start of the step, and G_theta the rows at the shape where the forces of the theta scheme act.
 *     * With theta = 1, phi, linearised at the start of the step, is zero at the end of the step: G_0 v = -phi / dt. Prescribed
 *       motions are followed exactly, and a fast rotation about a pin neither gains nor loses energy (SHAKE scheme).
 *     * With theta < 1, the rates of the rows at the end of the step equal those of the prescribed motion, and a fifth of the
 *       error phi is corrected in each step, by G_1 v = rate - 0.2 phi / dt, with G_1 v = G_theta v + (1 - theta) / theta
 *       (G_theta - G_0) v_before. Constraint forces act along G_theta, so a constraint whose places do not move does no work,
 *       up to second order in dt. If the whole error phi were corrected in each step, an undamped scheme would oscillate.
 *       If a body has no function point_between, its rows G_theta are known only when it is assembled at a guess. The
 *       velocities at the start of the step are a good guess of v for G_theta; without a guess, a shallow arch between pins
 *       gains energy until it diverges.
 * In an iterated step with theta = 1, phi and G are taken at the guess, G v = G v_guess - phi / dt, so the converged step meets
 * the nonlinear constraint exactly.
 *
 * Order of calls in a step:
 *     `cst_joined_begin` finds the groups and allocates the memory of the step.
 *     After cst_joined_begin, the world places and assembles the bodies, and adds loads.
 *     `cst_joined_assemble` assembles a group; different threads may assemble different groups.
 *     `cst_joined_describe` describes a group to the friction solver.
 *     After cst_joined_describe, the world adds cst_joined.offset_of to the dof indices of the contact rows H of a member, and
 *     adds H shift to u_f.
 *     `cst_joined_finish` computes the velocities and multipliers of a group, before the world calls `finish` of the bodies. */
#ifndef CST_WORLD_JOINED_H
#define CST_WORLD_JOINED_H

#include "base/arena.h"
#include "sparse/envelope_cholesky.h"
#include "world/constraint.h"

typedef struct cst_joined_part cst_joined_part; /* rows of one constraint on one member (joined_parts.h) */
typedef struct cst_joined_rows cst_joined_rows; /* one constraint of a group */

typedef struct cst_joined_group {
    int members;
    int32_t *member; /* (members) indices of the bodies, increasing */
    int32_t *offset; /* (members + 1) first dof of each member */
    int size;        /* dofs of all members */
    int constraints;
    int rows; /* rows of all constraints */
    /* true: the friction solver eliminates the constraint rows of the group (world/tied.h), and Z, S, shift and a combined body
     * are not computed */
    bool tied;
    int redundant; /* number of linearly dependent rows that the last assembly left out */
    double *rhs;   /* (size) gathered from the members */
    double *shift; /* (size) */

    cst_joined_rows *held;      /* (constraints) the constraints of the group, in the order of the world */
    cst_joined_part *part;      /* parts of all constraints, sorted by member */
    int32_t *part_start;        /* (members + 1) */
    cst_envelope S;             /* factored */
    double *g, *lambda, *again; /* (rows) */
    double *scratch;            /* (size) */
    const cst_body_model *body;
} cst_joined_group;

typedef struct cst_joined {
    int groups;
    cst_joined_group *group;
    int32_t *group_of;  /* (bodies) index of the group that contains the body, or -1 */
    int32_t *offset_of; /* (bodies) first dof of the body in its group; 0 if the body is in no group */
} cst_joined;

enum {
    /* Groups with at most this number of rows are always eliminated. Up to about 60 rows, elimination and ties cost nearly the
     * same, and an eliminated chain, arch or frame is one body that meets its constraints exactly. Measured with super helices of
     * five elements clamped to a fixed ball, tips on a floor (tests/tied_fibers.h), processor time per step:
     *
     *       rows          30     42     66     96    156    306   1356
     *       eliminated  0.29   0.42   0.72   1.24    2.7    9.2    437 ms
     *       tied        0.29   0.42   0.68   0.99    1.6    3.4     15 ms. */
    CST_JOINED_ROWS_MAX = 60
};

/* Finds the groups of the step that begins at frame->time, in the order of their first members. `rows_max`: a group with more
 * rows and more than one member is tied if its hub bodies have few dofs (CST_TIE_CORE_MAX of friction/tie_plan.h). A chain of
 * 1,000 links has many rows but no such hub body: its matrix S is banded, and the chain is eliminated in linear time. All
 * memory comes from the arena and lasts until the end of the step; models and constraints are kept as pointers. Impulses,
 * forces and works of inactive constraints are set to zero. Returns false if memory ran out. */
bool cst_joined_begin(cst_joined *joined, const cst_body_model *body, int bodies, cst_constraint *constraint, int constraints,
                      const cst_step_frame *frame, int rows_max, cst_arena *arena);

/* Assembles the constraints of a group. Call this function after `place` and `assemble` of the members, and after loads were
 * added to their rhs. `guess` (size): velocities at which the members were assembled; NULL: the members were assembled at the
 * start of the step (the first assembly of a step must be of this kind). Returns false with a message if a member cannot be
 * solved or a value is not finite. */
bool cst_joined_assemble(cst_joined_group *group, const cst_step_frame *frame, const double *guess, char *message,
                         size_t message_size);

/* Sets held[i] (size) to true for each dof i on which a row of a constraint acts; the other entries are not changed. Call this
 * function after the assembly. */
void cst_joined_mark(const cst_joined_group *group, bool *held);

/* Describes the group to the friction solver: kind CST_BODY_SOLVE, A_c^-1, rhs. */
void cst_joined_describe(cst_joined_group *group, cst_body *out);

/* For a tied group, after friction has computed v (size) and group->lambda: writes impulses, forces and works to the constraints. */
void cst_joined_tell(cst_joined_group *group, const cst_step_frame *frame, const double *v);

/* Input `f` (size): the impulses rhs + H^T r on the members. Output `v` (size): the velocities of the members that satisfy the
 * constraints. Writes impulses, forces and works to the constraints. Call this function before `finish` of the members. Returns
 * false if a member cannot be solved. */
bool cst_joined_finish(cst_joined_group *group, const cst_step_frame *frame, const double *f, double *v);

#endif
