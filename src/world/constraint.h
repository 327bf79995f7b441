/* Bilateral constraints. A constraint holds a point a of a body to a point b, which lies on a body or in the world. The position
 * and the rotation of point a relative to point b are stored when the constraint is added.
 *
 *     `x_a`, `x_b`: positions of the points a and b.
 *     `R_a`, `R_b`: rotation matrices of the bodies at the points a and b.
 *     `o`: stored offset from point b to point a, in the frame of point b.
 *     `Q`: stored rotation of point a relative to point b.
 *     `n`: stored unit vector perpendicular to the sliding direction, in the frame of point b.
 *
 * There are four kinds of constraint:
 *
 *     `pinned`: holds the offset from point b to point a (2 rows in 2D, 3 in 3D):
 *     `x_a - x_b = R_b*o`.
 *     `clamped`: pinned, and holds the rotation of point a relative to point b (3 rows in 2D, 6 in 3D):
 *     `log(R_a*(R_b*Q)^T) = 0`.
 *     `sliding`: point a slides along a direction that turns with point b (1 row in 2D, 2 in 3D):
 *     `(R_b*n).(x_a-x_b) = n.o`.
 *     `guided`: sliding, and holds the rotation of point a relative to point b (2 rows in 2D, 5 in 3D).
 *
 * The time derivative of a constraint row is linear in the velocities v and the angular velocities omega of the points a and b:
 *
 *     `rate = c.(v_a-v_b)+t_a.omega_a-t_b.omega_b`.
 *
 * In 3D, the formula for the time derivative of a row that holds a rotation is exact only if the constraint is satisfied. In 2D,
 * only the x and y components of c (coefficients of the velocities) and the z components of t_a and t_b (coefficients of the
 * angular velocities) are used. The equations that a step solves for the constraints are given in world/joined.h. */
#ifndef CST_WORLD_CONSTRAINT_H
#define CST_WORLD_CONSTRAINT_H

#include "base/arena.h"
#include "body/body.h"

enum { CST_CONSTRAINT_ROWS_MAX = 6 };

typedef struct cst_constraint {
    cst_constraint_kind kind;
    const char *name; /* name of the constraint, or NULL */
    /* indices of the bodies of the points a and b, counted from 0; -1: point b is a point of the world */
    int32_t body[2];
    cst_material_point at[2]; /* material points, if on a body */
    int dim;
    double point[3];  /* initial position (m) of the constraint's point b, if it is a point of the world */
    double offset[3]; /* stored offset (m) from point b to point a, in the frame of point b */
    /* unit vectors perpendicular to the sliding direction, in the frame of point b; in 2D only the first is used */
    double across[2][3];
    double angle;       /* 2D: initial relative rotation (rad) */
    double relative[9]; /* 3D: initial relative rotation Q */
    cst_motion motion;
    double release_time; /* time (s) at which the constraint is released; negative: never */
    /* true: the bodies have been told that the constraint holds their rotations (cst_constraint_hold_frame) */
    bool frames_held;

    /* Results of the constraint in the last step; zero if the constraint did not act in that step. */
    double impulse[CST_CONSTRAINT_ROWS_MAX]; /* impulse of each constraint row (N s or N m s) */
    /* force (N) of the constraint on the body of point a, and moment (N m) about point a */
    double force[3], moment[3];
    double work; /* work done on the bodies (J) */
} cst_constraint;

/* One row of a constraint: its value (m or rad; 0 if satisfied), and the coefficients of the time derivative of the value. */
typedef struct cst_constraint_row {
    double value;
    double c[3];
    double turn_a[3], turn_b[3];
    /* The time derivative of the row's value has a part (m/s or rad/s) that is due to a prescribed motion of point b; `target` is
     * this part with the opposite sign. */
    double target;
} cst_constraint_row;

int cst_constraint_rows(const cst_constraint *constraint);

/* Creates a constraint between two points at their present positions, and copies its name and motion into the arena. The caller
 * checks the cookie. Returns false and writes a message if memory ran out or the definition is not valid. */
bool cst_constraint_create(const cst_constraint_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size);

/* Returns true if the constraint acts in a step of length dt that begins at `time`. */
bool cst_constraint_active(const cst_constraint *constraint, double time, double dt);

/* Tells the bodies of a constraint whether it holds their rotations at the points a and b, and returns the change (J) of their
 * elastic energy. A nodal rod changes the bending stiffness at the ends of an edge whose rotation is held
 * (rod/nodal_hold_frame.c). The positions of the bodies must be up to date. */
double cst_constraint_hold_frame(cst_constraint *constraint, const cst_body_model *body, bool held);

/* Calls cst_constraint_hold_frame for all constraints, with `held` = true for each clamped or guided constraint that acts in the
 * step. Returns the total change (J) of the elastic energy of the bodies. */
double cst_constraints_hold_frames(cst_constraint *constraint, int constraints, const cst_body_model *body, double time,
                                   double dt);

/* Computes the rows of a constraint from the motions of the points a and b. If `b` is NULL, point b is a world point at its
 * prescribed position at `time`. */
void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows);

/* Returns the position error (m) of a constraint at `time`, without its rotation error; 0 if the constraint has been released.
 * The bodies must be at their positions at `time`. The argument `room` contains buffers for the motions of the two points
 * (cst_point_motion_take). */
double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room);

#endif
