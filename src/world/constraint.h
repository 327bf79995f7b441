/* Bilateral constraints. Each constraint holds a point a of a body to a point b. The point b is a point of the world (which may
 * move), a point of another body, or another point of the same body.
 *
 * When a constraint is added, it stores the position and rotation of point a relative to point b, in the frame of b. Let x_a and
 * x_b be the positions and R_a and R_b the rotations of the points a and b. Let o be the stored offset from point b to point a, d
 * the stored sliding direction, n a unit vector perpendicular to d, and Q the stored relative rotation.
 *
 *     A `pinned` constraint holds the position of point a relative to point b (2 rows in 2D, 3 in 3D): `x_a - x_b = R_b*o`.
 *     A `clamped` constraint holds the position and the rotation of point a relative to point b (3 rows in 2D, 6 in 3D):
 *     `log(R_a*(R_b*Q)^T) = 0`.
 *     A `sliding` constraint lets point a slide along the sliding direction, which turns with point b (1 row in 2D, 2 in 3D):
 *     `(R_b*n).(x_a-x_b) = n.o`.
 *     A `guided` constraint is a sliding constraint that also holds the rotation of point a relative to point b (2 rows in 2D,
 *     5 in 3D).
 *
 * The time derivative (`rate`) of a constraint row is linear in the velocities v and angular velocities omega of the points a and
 * b. The coefficients of the rate of a constraint row, c for the velocities and t_a and t_b for the angular velocities, are
 * stored in the struct `cst_constraint_row`:
 *
 *     `rate = c.(v_a-v_b)+t_a.omega_a-t_b.omega_b`.
 *
 * For the rotation rows of a constraint in 3D, the time derivative computed with the coefficients of the row is exact only where
 * the value of the row is zero. In 2D, only the first two components of the velocity coefficient c, and the third components of
 * the angular velocity coefficients t_a and t_b, are used. The header world/joined.h gives the equations by which a step
 * satisfies the constraint rows. */
#ifndef CST_WORLD_CONSTRAINT_H
#define CST_WORLD_CONSTRAINT_H

#include "base/arena.h"
#include "body/body.h"

enum { CST_CONSTRAINT_ROWS_MAX = 6 };

typedef struct cst_constraint {
    cst_constraint_kind kind;
    const char *name; /* or NULL */
    /* indices of the bodies on which the points a and b are, counted from 0; -1: a point of the world */
    int32_t body[2];
    cst_material_point at[2]; /* used for sides on a body */
    int dim;
    double point[3];     /* initial position of b (world point) */
    double offset[3];    /* offset of a, in b's frame */
    double across[2][3]; /* unit vectors perpendicular to the sliding direction; in 2D there is only one */
    double angle;        /* 2D: initial relative rotation */
    double relative[9];  /* 3D: Q */
    cst_motion motion;
    double release_time; /* negative: never */
    bool frames_held;    /* cst_constraint_hold_frame was called with true */

    /* Results of the constraint in the last step; they are zero if the constraint is inactive. */
    double impulse[CST_CONSTRAINT_ROWS_MAX]; /* impulse of each constraint row (N s, N m s) */
    /* force (N) and moment (N m) on the body of point a; the moment is about point a */
    double force[3], moment[3];
    double work; /* work done on the bodies (J) */
} cst_constraint;

/* One row of a constraint: its value (m or rad; 0 if the constraint is satisfied) and the coefficients of its time
 * derivative. */
typedef struct cst_constraint_row {
    double value;
    double c[3];
    double turn_a[3], turn_b[3];
    double target; /* prescribed rate at the step's end */
} cst_constraint_row;

int cst_constraint_rows(const cst_constraint *constraint);

/* Creates a constraint between two material points of the bodies at their present positions. The name and the motion of the
 * constraint are copied into the arena. Returns false with a message if memory ran out or if the definition is not valid. For
 * example, a definition is not valid if a body or point does not exist, if the points a and b of a pinned or clamped constraint
 * are not at the same position, or if a motion is given although b is on a body. The caller checks the cookie. */
bool cst_constraint_create(const cst_constraint_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size);

/* Returns true if the constraint is active in a step that begins at `time`. */
bool cst_constraint_active(const cst_constraint *constraint, double time, double dt);

/* Tells the bodies of a constraint that the constraint holds their rotation at the points a and b from now on, or no longer
 * holds it. Returns the change of the bodies' elastic energy that occurs when the constraint begins or ceases to hold a
 * rotation. When a constraint begins or ceases to hold the rotation of an edge, a nodal rod changes its bending stiffness at
 * both ends of this edge, and so its elastic energy (rod/nodal_hold_frame.c). The bodies must be placed. */
double cst_constraint_hold_frame(cst_constraint *constraint, const cst_body_model *body, bool held);

/* Calls cst_constraint_hold_frame for all constraints. A constraint that is active in a step from `time` to time + dt holds the
 * rotations of its bodies at the constrained points; an inactive constraint leaves these rotations free. Returns the sum of the
 * changes of elastic energy that cst_constraint_hold_frame returns. */
double cst_constraints_hold_frames(cst_constraint *constraint, int constraints, const cst_body_model *body, double time,
                                   double dt);

/* Computes the rows of a constraint (their values and derivatives) from the motions of its points a and b. If `b`, the motion
 * of point b, is NULL, point b is a point of the world, at its prescribed position at `time`. */
void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows);

/* Returns the position error (m) of a constraint at `time`, without its rotation error; the bodies must be placed at this time.
 * The position error of a constraint that was released before `time` is 0. The argument `room` contains buffers for the motions
 * of two points; each buffer is large enough for any of the bodies (cst_point_motion_take). */
double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room);

#endif
