/* Joined bodies: a group of bodies connected by constraints, which the friction solver treats as one body unless the
 * constraints are rows of the friction problem (tied group, world/tied.h).
 *
 * Let v be the velocities of all bodies of a group, A their block-diagonal matrix and rhs their right-hand side. Let G be the
 * Jacobian of the constraints of the group, g their right-hand side and lambda their multipliers. With the contact Jacobian H and
 * the contact impulses r, the velocities and multipliers of a group satisfy:
 *
 *     `A*v = rhs+H^T*r+G^T*lambda`.
 *     `G*v = g`.
 *
 * The multipliers of the constraints are eliminated before the friction solve, so that the velocities satisfy the constraints for
 * any contact impulses. The multipliers are eliminated by the null-space form of a saddle point problem (Benzi, Golub and Liesen,
 * Acta Numerica 14, 2005, section 5). With Z = A^-1 G^T and the Schur complement S = G A^-1 G^T, the compliance A_c^-1 of a group
 * under its constraints, its velocities v and its multipliers lambda are:
 *
 *     `A_c^-1 = A^-1 - Z*S^-1*Z^T`.
 *     `shift = Z*S^-1*g`.
 *     `v = A_c^-1*(rhs+H^T*r) + shift`.
 *     `lambda = S^-1*(g-Z^T*(rhs+H^T*r))`.
 *
 * A_c^-1 is symmetric and positive semi-definite. The Schur complement of the constraints is stored and factorised within its
 * envelope (the entries from the first nonzero of each row to the diagonal), with the rows in the order of the constraints. A
 * constraint row that depends linearly on earlier rows is left out; its multiplier is zero. Constraint rows are linearly
 * dependent, for example, if one rigid body has two clamps, or if two pins hold a straight inextensible rod along its axis.
 *
 * For a chain of bodies, the cost of factorising the Schur complement of the constraints is linear in the number of bodies. If
 * all bodies of a group are attached to one of them, factorising the Schur complement costs n^3 / 3 operations per step for n
 * constraint rows, and the rows of every contact extend over all dofs of the group. In a large group in which all bodies are
 * attached to one body, eliminating the constraints would be too expensive: they become bilateral rows of the friction problem,
 * and the group is called tied (world/tied.h). The friction solver eliminates the bilateral constraint rows of a tied group
 * body by body (friction/ties.h). A group has the same velocities whether its constraints are rows of the friction problem or
 * are eliminated before the friction solve (tests/test_world_tied.c: to 1e-8).
 *
 * The right-hand side of the constraints depends on the parameter theta of the time-stepping scheme. Let phi be the position
 * error of a constraint (the value of its row, world/constraint.h), and v_before the velocities at the start of the step. Let
 * G_0, G_theta and G_1 be the Jacobian of the constraints at the start of the step, at the intermediate shape where the forces
 * act, and at the end:
 *     * With theta = 1, the position error of a constraint, linearised at the start of the step, is zero at the end of the
 *       step: `G_0*v = -phi/dt`. With theta = 1, prescribed motions are followed exactly, and a fast rotation about a pin
 *       neither gains nor loses energy (SHAKE scheme).
 *     * With theta < 1, the time derivative of a constraint row at the end of the step equals that of the prescribed motion
 *       minus a fifth of the position error divided by dt: `G_1*v = rate-0.2*phi/dt`. The time derivative of a constraint row
 *       at the end of the step follows from the constraint Jacobians at the start of the step and at an intermediate shape,
 *       where the forces act: `G_1*v = G_theta*v+(1-theta)/theta*(G_theta-G_0)*v_before`. If the whole position error of a
 *       constraint were corrected in each step, an undamped scheme would oscillate. With theta < 1, constraint forces act along
 *       the constraint rows at an intermediate shape of the step, so a constraint whose points do not move does no work, up to
 *       second order in dt. The constraint rows at the intermediate shape, between the start and the end of the step, depend on
 *       an estimate of the end velocities. If the model of a body lacks the function `point_between`, which computes points of
 *       the intermediate shape, the constraint rows can be computed only after the body is assembled at an estimate of the end
 *       velocities. The velocities at the start of the step are a good estimate of the end velocities; without an estimate, a
 *       shallow arch between pins gains energy until it diverges.
 * If a step with theta = 1 is linearised repeatedly until it converges, the position errors phi and the Jacobian G are those at
 * the end positions that follow from the velocities v_guess of the previous linearisation: `G*v = G*v_guess-phi/dt`. When the
 * linearisations have converged, v equals v_guess, and the equation G*v = G*v_guess - phi/dt gives phi = 0: the nonlinear
 * constraint is satisfied exactly.
 *
 * The functions of joined.h are called in each step in the following order.
 *     The function `cst_joined_begin` finds the groups and allocates the memory of the step. After cst_joined_begin, the world
 *     places and assembles the bodies, and adds loads. The function `cst_joined_assemble` assembles a group; different threads
 *     can assemble different groups. The function `cst_joined_describe` describes a group to the friction solver. After
 *     cst_joined_describe, the world converts the contact rows of each body to rows of its group, by adding cst_joined.offset_of
 *     to their dof indices. The world also adds the velocity that constraints impose at a contact to the constant part of the
 *     contact velocity, which does not depend on the unknowns. The function `cst_joined_finish` computes the velocities and
 *     multipliers of a group, before the world calls the function `finish` of the bodies. */
#ifndef CST_WORLD_JOINED_H
#define CST_WORLD_JOINED_H

#include "base/arena.h"
#include "sparse/envelope_cholesky.h"
#include "world/constraint.h"

typedef struct cst_joined_part cst_joined_part; /* one constraint's rows on one member */
typedef struct cst_joined_rows cst_joined_rows; /* one constraint of a group */

typedef struct cst_joined_group {
    int members;
    int32_t *member; /* array (members): indices of the bodies of the group, in increasing order */
    int32_t *offset; /* first dof of a member */
    int size;        /* dofs of all members */
    int constraints;
    int rows; /* rows of all constraints */
    /* true: the constraints of the group are rows of the friction problem (tied group, world/tied.h), and the matrices of this
     * struct are not used */
    bool tied;
    int redundant; /* linearly dependent rows left out */
    double *rhs;   /* array (size): gathered from the members */
    double *shift; /* (size) */

    cst_joined_rows *held;      /* in the order of the world */
    cst_joined_part *part;      /* all parts, sorted by member */
    int32_t *part_start;        /* (members + 1) */
    cst_envelope S;             /* factored */
    double *g, *lambda, *again; /* (rows) */
    double *scratch;            /* (size) */
    const cst_body_model *body;
} cst_joined_group;

typedef struct cst_joined {
    int groups;
    cst_joined_group *group;
    int32_t *group_of;  /* group of each body, or -1 */
    int32_t *offset_of; /* first dof in the group */
} cst_joined;

enum {
    /* If a group has at most CST_JOINED_ROWS_MAX constraint rows, the rows are always eliminated before the friction solve. Up to
     * about 60 constraint rows, it costs nearly the same to eliminate them or to make them rows of the friction problem (tied
     * group). If the constraints are eliminated before the friction solve, a chain, arch or frame satisfies its constraints
     * exactly. The list below gives two processor times per step: first with constraints eliminated before the friction solve,
     * then with constraints as rows of the friction problem (tied). The processor time was measured on super-helices of five
     * elements that are clamped to a fixed ball and touch a floor with their tips (tests/tied_fibers.h):
     *     `30 rows`: 0.29 and 0.29 ms.
     *     `42 rows`: 0.42 and 0.42 ms.
     *     `66 rows`: 0.72 and 0.68 ms.
     *     `96 rows`: 1.24 and 0.99 ms.
     *     `156 rows`: 2.7 and 1.6 ms.
     *     `306 rows`: 9.2 and 3.4 ms.
     *     `1356 rows`: 437 and 15 ms. */
    CST_JOINED_ROWS_MAX = 60
};

/* Finds the groups of joined bodies in the step that begins at frame->time; the groups are in the order of their first members.
 * A group of several bodies with more than `rows_max` constraint rows becomes a tied group (its constraints become rows of the
 * friction problem), provided that the bodies that the friction solver eliminates last have few dofs in all (limit
 * CST_TIE_CORE_MAX of friction/tie_plan.h). For example, the constraints of a chain of 1,000 links are eliminated before the
 * friction solve, because no link has many others attached to it. Eliminating the constraints of a chain takes linear time,
 * because their Schur complement is banded. All memory comes from the arena and lasts until the end of the step; body models
 * and constraints are not copied. The impulses, forces and works of inactive constraints are set to zero. Returns false if
 * memory ran out. */
bool cst_joined_begin(cst_joined *joined, const cst_body_model *body, int bodies, cst_constraint *constraint, int constraints,
                      const cst_step_frame *frame, int rows_max, cst_arena *arena);

/* Assembles the constraints of a group. Call cst_joined_assemble after the functions `place` and `assemble` of all bodies of
 * the group, and after the loads were added to their right-hand sides. The vector `guess` (size) contains the velocities at
 * which the bodies of the group were assembled; NULL means that they were assembled at the start of the step. In the first
 * assembly of a group in a step, the argument `guess` must be NULL. Returns false with a message if the equations of a body
 * cannot be solved or a value is not finite. */
bool cst_joined_assemble(cst_joined_group *group, const cst_step_frame *frame, const double *guess, char *message,
                         size_t message_size);

/* Sets held[i] to true for each dof i of the group on which a constraint row acts, and does not change the other entries of
 * `held` (size). Call this function after the assembly. */
void cst_joined_mark(const cst_joined_group *group, bool *held);

/* Describes the group to the friction solver: its compliance under the constraints, and its right-hand side. */
void cst_joined_describe(cst_joined_group *group, cst_body *out);

/* A tied group is a group of joined bodies whose constraints are rows of the friction problem. After the friction solver has
 * computed the velocities v (size) and the multipliers group->lambda of a tied group, writes the impulses, forces and works of
 * its constraints. */
void cst_joined_tell(cst_joined_group *group, const cst_step_frame *frame, const double *v);

/* Computes the velocities `v` (size) of the bodies of a group; these velocities satisfy the constraints. The vector `f` (size)
 * is the sum of the right-hand sides of the bodies and the generalised contact impulses. Writes the impulses, forces and works
 * of the constraints. Call cst_joined_finish before the function `finish` of the bodies in the group. Returns false if the
 * equations of a body cannot be solved. */
bool cst_joined_finish(cst_joined_group *group, const cst_step_frame *frame, const double *f, double *v);

#endif
