/* Bilateral constraints: the place a of a body held to b, which is the world (perhaps moved), another body, or another place of the
 * same one.
 *
 * With R the rotation of b, and the relation (offset o, direction d, rotation Q) at the moment of adding kept in the frame of b:
 *
 *                                                                         rows in the plane, in space
 *     pinned    x_a - x_b - R o = 0                                       2   3
 *     clamped   the same, and log(R_a (R Q)^T) = 0                        3   6
 *     sliding   R n . (x_a - x_b) - n . o = 0 for the n across d          1   2
 *     guided    the same, and the rotation                                2   5
 *
 * Differentiated, every row is c . (velocity of a - velocity of b) + t_a . omega_a - t_b . omega_b: `cst_constraint_row` (of the
 * rotation in space: where it is met). In the plane c and the t have one component each that counts for it, the third for the
 * latter. What the rows are asked to do in a step is said in world/joined.h. */
#ifndef CST_WORLD_CONSTRAINT_H
#define CST_WORLD_CONSTRAINT_H

#include "base/arena.h"
#include "body/body.h"

enum { CST_CONSTRAINT_ROWS_MAX = 6 };

typedef struct cst_constraint {
    cst_constraint_kind kind;
    const char *name;         /* or NULL */
    int32_t body[2];          /* of a and b, from 0; -1: the world */
    cst_material_point at[2]; /* where there is a body */
    int dim;
    double point[3];     /* b the world: its point, before its motion */
    double offset[3];    /* the relation held, in the frame of b */
    double across[2][3]; /* sliding, guided: unit vectors, the first alone in the plane */
    double angle;        /* plane: of a against b */
    double relative[9];  /* space: Q */
    cst_motion motion;
    double release_time; /* negative: never */
    bool frames_held;    /* bodies know that their frames are held */

    /* Of the last step, in which it was active or not (then all zero). */
    double impulse[CST_CONSTRAINT_ROWS_MAX]; /* N s or N m s, per row */
    double force[3], moment[3];              /* N, N m: on a, about its place */
    double work;                             /* J: given to the bodies */
} cst_constraint;

/* One row: its value (m or rad; 0 if met) and its derivative, as said above. */
typedef struct cst_constraint_row {
    double value;
    double c[3];
    double turn_a[3], turn_b[3];
    double target; /* end-of-step rate of the moved world, that a has to follow */
} cst_constraint_row;

int cst_constraint_rows(const cst_constraint *constraint);

/* The bodies are placed where they are at the moment of adding. name and motion are copied into the arena. False with a message
 * if the definition makes no sense (a body or place that is not there, a and b apart, a motion of something else than the
 * world) or memory ran out. The cookie is the world's business. */
bool cst_constraint_create(const cst_constraint_def *def, int dim, const cst_body_model *body, int bodies, cst_arena *arena,
                           cst_constraint *out, char *message, size_t message_size);

/* Active in a step that begins at `time`. */
bool cst_constraint_active(const cst_constraint *constraint, double time, double dt);

/* Bodies are told that their frames are held, or no longer are. Returns by how much their elastic energy changes: a held frame makes the joint
 * beside it longer (rod/nodal_hold_frame.c). Bodies are placed. */
double cst_constraint_hold_frame(cst_constraint *constraint, const cst_body_model *body, bool held);

/* The same of all constraints, as they are from `time` on. */
double cst_constraints_hold_frames(cst_constraint *constraint, int constraints, const cst_body_model *body, double time,
                                   double dt);

/* The rows for the motions of a and of b (NULL: the world, moved to `time`). */
void cst_constraint_linearise(const cst_constraint *constraint, const cst_point_motion *a, const cst_point_motion *b, double time,
                              cst_constraint_row *rows);

/* Distance by which it is missed (m, rotations left aside), with the bodies placed where they are at `time`. 0 once released.
 * room: of two points of any of the bodies (cst_point_motion_take of the largest). */
double cst_constraint_error(const cst_constraint *constraint, const cst_body_model *body, double time, cst_point_motion *room);

#endif
