/* Joined bodies: a group of bodies connected by constraints. The friction solver treats a group as one body, except a tied group
 * (world/tied.h), whose constraints are rows of the friction problem.
 *
 * The velocities v and the multipliers lambda of a group of joined bodies satisfy:
 *     `A*v = rhs+H^T*r+G^T*lambda`.
 *     `G*v = g`.
 *
 *     `v`: velocities of all bodies of the group.
 *     `A`, `rhs`: block-diagonal matrix and right-hand side of the linearised equations of motion of the bodies.
 *     `H`, `r`: contact Jacobian and contact impulses.
 *     `G`, `g`, `lambda`: Jacobian, right-hand side and multipliers of the constraints.
 *
 * The multipliers are eliminated before the friction solve by Schur complement reduction (Benzi, Golub and Liesen, Acta Numerica
 * 14, 2005, section 5), so that the velocities satisfy the constraints for any contact impulses:
 *     `Z = A^-1*G^T`.
 *     `S = G*Z`.
 *     `A_c^-1 = A^-1 - Z*S^-1*Z^T`.
 *     `shift = Z*S^-1*g`.
 *     `v = A_c^-1*(rhs+H^T*r) + shift`.
 *     `lambda = S^-1*(g-Z^T*(rhs+H^T*r))`.
 *
 * The compliance A_c^-1 of the group is symmetric and positive semi-definite. The Schur complement S is factorised within its
 * envelope (the entries from the first nonzero of each row to the diagonal). A constraint row that depends linearly on earlier
 * rows is left out, for example the second clamp of a rigid body.
 *
 * For a chain of bodies, the time to factorise the Schur complement S is linear in the number of bodies. If all bodies of a group
 * are joined to the same body, like hairs to a head, the Schur complement S is dense: its factorisation costs n^3 / 3 operations
 * per step for n constraint rows. In a group whose bodies are all joined to the same body, each contact also acts on all dofs of
 * the group. To avoid the dense Schur complement, the constraints of a large group whose bodies are all joined to the same body
 * are not eliminated, but become rows of the friction problem (tied group). Tied groups have the same velocities as groups with
 * eliminated constraints. A test checks that the states with tied and with eliminated constraints agree to 1e-8 of the largest
 * component (tests/test_world_tied.c).
 *
 * The right-hand side g of the constraints depends on the parameter theta of the time-stepping scheme.
 *     `phi`: position error of a constraint (the value of its row, world/constraint.h).
 *     `v_before`: velocities at the start of the step.
 *     `G_0`, `G_theta`, `G_1`: the Jacobian of the constraints at the start of the step, at the intermediate positions at which
 *         the theta scheme evaluates the forces, and at the end of the step.
 *
 * With theta = 1 (implicit Euler), the linearised position error of each constraint is zero at the end of a full step, as in the
 * SHAKE scheme:
 *     `G_0*v = -phi/dt`.
 * With theta = 1, a rigid body that rotates fast about a pin keeps its energy (tests/test_constraints_motion.c: to 0.2 % in eight
 * turns). In a repeated linearisation with theta = 1 (implicit Euler), the position error phi and the Jacobian G are computed at
 * the end positions that follow from the velocities v_guess of the previous linearisation. After the linearisations have
 * converged, the nonlinear constraint is satisfied exactly:
 *     `G*v = G*v_guess-phi/dt`.
 *
 * In the theta scheme with theta < 1, the time derivative `rate` of a constraint equation at the end of the step is prescribed.
 * Only the fraction 0.2 of the position error is corrected in a full step, because correcting the whole error would make an
 * undamped scheme oscillate:
 *     `G_1*v = rate-0.2*phi/dt`.
 *     `G_1*v = G_theta*v+(1-theta)/theta*(G_theta-G_0)*v_before`.
 * In a step that was shortened from dt_full to dt, a constraint corrects only dt / dt_full of the position error that a full step
 * corrects, because correcting a large error in a very short step would act like an impact.
 *
 * Constraint forces act at the intermediate positions of the theta scheme, so that a constraint whose points do not move does no
 * work, up to second order in dt. The intermediate positions follow from an estimate of the end velocities; the first estimate is
 * the velocities at the start of the step. If each step with theta = 1/2 were linearised only at the velocities at its start, a
 * shallow arch between two pins would gain energy until it diverges. A body whose model lacks the function `point_between` must
 * be assembled at the estimated end velocities before its constraint rows are computed.
 *
 * In each step, the main functions of joined.h are called in this order:
 *     `cst_joined_begin`: finds the groups; then the world places and assembles the bodies and adds loads.
 *     `cst_joined_assemble`: assembles a group; different threads can assemble different groups.
 *     `cst_joined_describe`: describes a group to the friction solver. In the contact rows, dof indices count from the
 *         first dof of the group or, for a tied group, of the single body (cst_layout_offset in world/layout.h). In the friction
 *         problem, the velocities `shift` of the group contribute to the constant part of the contact velocities.
 *     `cst_joined_finish`: computes velocities and multipliers of a group, before `finish` ends the step of each body. */
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
    int32_t *offset; /* array (members + 1): index of each member's first dof among the dofs of the group */
    int size;        /* dofs of all members */
    int constraints;
    int rows; /* rows of all constraints */
    /* true: tied group, whose constraints are rows of the friction problem; the struct fields rhs, shift and S are not used */
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
    /* CST_JOINED_ROWS_MAX: in a group with at most this number of constraint rows, the constraints are always eliminated, so that
     * they hold exactly. Processor times per step were measured on super-helices of five elements, clamped to a fixed ball, whose
     * tips touch a floor (tests/tied_fibers.h). For each number of constraint rows, the list gives the processor time per step
     * with eliminated constraints, and then as a tied group:
     *     `30 rows`: 0.29 and 0.29 ms.
     *     `42 rows`: 0.42 and 0.42 ms.
     *     `66 rows`: 0.72 and 0.68 ms.
     *     `96 rows`: 1.24 and 0.99 ms.
     *     `156 rows`: 2.7 and 1.6 ms.
     *     `306 rows`: 9.2 and 3.4 ms.
     *     `1356 rows`: 437 and 15 ms. */
    CST_JOINED_ROWS_MAX = 60
};

/* Finds the groups of joined bodies in the step that begins at frame->time, in the order of their first members, with memory of
 * the arena. A group of several bodies becomes a tied group (its constraints become rows of the friction problem) if it has more
 * than `rows_max` constraint rows, and if its hub bodies have at most CST_TIE_CORE_MAX dofs in total. A hub body is a body to
 * which other bodies are attached, like a head that carries hairs (friction/tie_plan.h). A chain of 1,000 links does not become a
 * tied group: other links are attached to at least every second link, so these links (hub bodies) together have too many dofs.
 * Sets the impulses, forces and works of inactive constraints to zero. Returns false if memory ran out. */
bool cst_joined_begin(cst_joined *joined, const cst_body_model *body, int bodies, cst_constraint *constraint, int constraints,
                      const cst_step_frame *frame, int rows_max, cst_arena *arena);

/* Assembles the constraints of a group, after its bodies are placed and assembled and the loads were added to their right-hand
 * sides. Returns false with a message if the equations of a body cannot be solved or a value is not finite. `guess`: array
 * (size): end velocities at which the bodies were linearised; NULL in the first assembly of a step, in which the bodies are
 * linearised at the start of the step. */
bool cst_joined_assemble(cst_joined_group *group, const cst_step_frame *frame, const double *guess, char *message,
                         size_t message_size);

/* Sets held[i] to true for each dof i of an assembled group on which a constraint row acts; does not change the other entries of
 * `held` (size). */
void cst_joined_mark(const cst_joined_group *group, bool *held);

/* Describes the group to the friction solver: its compliance with constraints (A_c^-1) and its right-hand side. */
void cst_joined_describe(cst_joined_group *group, cst_body *out);

/* Writes the impulses, forces and works of the constraints of a tied group, and tells the bodies the impulses (function `push` of
 * a body). Call cst_joined_tell after the friction solver has computed the velocities v (size) and the multipliers
 * group->lambda. */
void cst_joined_tell(cst_joined_group *group, const cst_step_frame *frame, const double *v);

/* Computes the velocities `v` (size) of the bodies of a group, and the impulses, forces and works of its constraints. Call
 * cst_joined_finish before the function `finish` of the bodies. The vector `f` (size) holds the right-hand sides of the bodies
 * plus the generalised contact impulses. Returns false if the equations of a body cannot be solved. */
bool cst_joined_finish(cst_joined_group *group, const cst_step_frame *frame, const double *f, double *v);

#endif
