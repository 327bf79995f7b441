/* Bilateral constraints. Each constraint holds a place a of a body to a place b. The place b is a point of the world (which may
 * move), a place of another body, or another place of the same body.
 *
 * R is the rotation of b. The relation between a and b when the constraint is added (offset o, direction d, rotation Q) is
 * stored in the frame of b. The equations of a constraint with apart = x_a - x_b are (rows in 2D, in 3D):
 *
 *     pinned    apart - R o = 0                             2   3
 *     clamped   as pinned, and log(R_a (R Q)^T) = 0         3   6
 *     sliding   R n . apart - n . o = 0 for the n across d  1   2
 *     guided    as sliding, and the rotation                2   5.
 *
 * The derivative of every row is c . v_a - c . v_b + t_a . omega_a - t_b . omega_b, with the velocities v and omega of a and b
 * (`cst_constraint_row`). For rotation rows in 3D this derivative is exact only where the value of the row is zero. In 2D only
 * the first two components of c and the third components of t_a and t_b are used. The header world/joined.h gives the equation
 * that a step solves for the rows. */
#ifndef CST_WORLD_CONSTRAINT_H
#define CST_WORLD_CONSTRAINT_H

#include "base/arena.h"
#include "body/body.h"

enum { CST_CONSTRAINT_ROWS_MAX = 6 };

typedef struct cst_constraint {
    cst_constraint_kind kind;
    const char *name;         /* or NULL */
    int32_t body[2];          /* bodies of a and b, counted from 0; -1: the place is on the world, not on a body */
    cst_material_point at[2]; /* used for sides on a body */
    int dim;
    double point[3];     /* point b if on the world, before its prescribed motion */
    double offset[3];    /* offset of a, in b's frame */
    double across[2][3]; /* unit vectors across the sliding direction; 2D: only one */
    double angle;        /* 2D: angle of a relative to b */
    double relative[9];  /* 3D: Q */
    cst_motion motion;
    double release_time; /* negative: never */
    bool frames_held;    /* the bodies know that their frames are held */

    /* Results of the last step; all zero if the constraint was not active. */
    double impulse[CST_CONSTRAINT_ROWS_MAX]; /* impulse of each row, in N s or N m s */
    double force[3], moment[3];              /* N, N m: force and moment on the body of a; the moment is about the place a */
    double work;                             /* J: work done on the bodies */
} cst_constraint;

/* One row of a constraint: its value (m or rad, 0 if the constraint is met) and its derivative (see the top of this file). */
typedef struct cst_constraint_row {
    double value;
    double c[3];
    double turn_a[3], turn_b[3];
    double target; /* rate of the row due to the prescribed motion of b, at the end of the step */
} cst_constraint_row;

int cst_constraint_rows(const cst_constraint *constraint);

/* Creates a constraint between bodies as they are placed now. The name and the motion are copied into the arena. Returns false
 * with a message if the definition is not valid (a body or place that does not exist, a and b apart, a motion although b is not
 * the world) or memory ran out. The caller checks the cookie. */
bool cst_constraint_create(const cst_constraint_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size);

/* Returns true if the constraint is active in a step that begins at `time`. */
bool cst_constraint_active(const cst_constraint *constraint, double time, double dt);

/* Tells the bodies of a constraint that it holds their frames at its places from now on, or no longer does. Returns the
 * resulting change of the bodies' elastic energy, because a held frame changes the lengths of the joints beside it
 * (rod/nodal_hold_frame.c). The bodies must be placed. */
double cst_constraint_hold_frame(cst_constraint *constraint, const cst_body_model *body, bool held);

/* Calls cst_constraint_hold_frame for all constraints: a constraint holds frames if it is active in a step that begins at
 * `time`. Returns the sum of the changes of the bodies' elastic energy. */
double cst_constraints_hold_frames(cst_constraint *constraint, int constraints, const cst_body_model *body, double time,
                                   double dt);

/* Computes the rows of a constraint (values and derivatives) from the motions of its points a and b. `b` = NULL: place b is a
 * point of the world, at its prescribed position at `time`. */
void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows);

/* Returns the position error (m) of a constraint, without its rotation error; the bodies must be placed at their positions at
 * `time`. Returns 0 if the constraint is already released at `time`. `room`: buffers for the motion of two points, large enough
 * for each of the bodies (cst_point_motion_take). */
double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room);

#endif
