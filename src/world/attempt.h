/* One attempt at a step: everything up to, but not including, the change of the world's state. Giving it up is not committing it.
 *
 *     begin       bodies placed where they are, velocities before the step, who is joined to whom
 *     linearise   A and rhs of all bodies, at the start of the step or at a guess of its end; the motion without contacts
 *     detect      contacts (world/detection.h) and their rows (world/contact_rows.c)
 *     solve       friction of all bodies that touch anything; the others move freely
 *     ... again from linearise, at the velocities found, if the step is iterated
 *     look ahead  penetration, errors and motions of where this leads
 *     commit      the state moves on (world/step.c)
 *
 * Velocities of all bodies are one vector, unit by unit: a unit is a body on its own or a group of joined bodies, which friction
 * sees as one body (world/joined.h). Its members stand together. */
#ifndef CST_WORLD_ATTEMPT_H
#define CST_WORLD_ATTEMPT_H

#include "collide/detect_plane.h"
#include "collide/detect_space.h"
#include "world/joined.h"
#include "world/world_state.h"

typedef struct cst_owner_box cst_owner_box; /* world/shapes.c */

typedef struct cst_unit {
    int32_t group; /* or -1: a single body */
    int32_t body;  /* that body, or the first of the group */
    int32_t start; /* of its velocities */
    int32_t size;
    int32_t number; /* among the bodies of the friction problem, or -1: touches nothing */
} cst_unit;

/* A contact's rows and offsets, in its frame D; three components, the third 0 in the plane. */
typedef struct cst_contact_row {
    cst_contact_side a, b; /* as for friction, but `body` counts units here */
    cst_material_point at[2];
    double arm[2][3];       /* from the material point to the surface */
    double drift[3];        /* D (drift_a - drift_b): motions imposed on the bodies, at the end of the step */
    double drift_before[3]; /* the same at its start */
    double bent_way
        [3]; /* at a guess: what the way of the points is longer than J v; the law has it, impulses do not work along it */
    double moved[3]; /* D v_obstacle */
    double floor;    /* the law's u_N is the relative velocity minus this */
} cst_contact_row;

/* Works of the step by its contacts. */
typedef struct cst_contact_work {
    double normal, friction;
} cst_contact_work;

/* Shapes in space (world/shapes_space.h). Owner numbers as in contacts. */
typedef struct cst_space_shapes {
    cst_space_scene scene;
    cst_piece *piece;
    int edges; /* the last of them, of obstacles */
    double *margin;
    cst_solid *solid;
    double *solid_margin;
    int32_t *first_piece;         /* (owners) of bodies */
    int32_t *solid_of;            /* (owners) or -1 */
    const cst_touch_space *touch; /* found last */
} cst_space_shapes;

typedef struct cst_attempt {
    cst_world *world;
    cst_step_frame frame;

    int dofs;
    int units;
    cst_unit *unit;    /* (units) */
    int32_t *unit_of;  /* (bodies) */
    int32_t *start_of; /* (bodies) where a body's velocities begin */
    double *v;         /* (dofs) at the end of the step, as known so far */
    double *v_before;  /* (dofs) at its start */
    double *v_last;    /* (dofs) of the iteration before */
    double *force;     /* (dofs) scratch: rhs + H^T r */
    double free_speed; /* largest velocity that there would be without contacts */
    cst_joined joined;

    cst_space_shapes space;

    /* shapes of the plane (world/shapes.h) */
    cst_plane_scene scene;
    cst_arc *arc;
    double *margin;
    cst_half_plane *half_plane;
    double *half_plane_margin;
    int32_t *first_arc_of_body;       /* (bodies) or -1: left out, it is far from everything */
    int32_t *first_shape_of_obstacle; /* (obstacles) as numbered in touches */
    cst_owner_box *box;               /* (owners) */
    int all_arcs;                     /* with those left out */
    const cst_touch *touch;           /* found last */
    double smallest_radius;           /* of anything; 0: all is sharp */

    int contacts;
    int new_contacts;
    cst_contact *contact; /* (contacts) sorted, tracked; in the memory of the step */
    cst_contact_row *row; /* (contacts) */
    uint64_t next_contact_id;

    cst_contact_work work;
    cst_friction_report friction; /* of the last solve */
    int friction_iterations;      /* of all */
    int newton_iterations;
    bool converged; /* of the iterated step */

    double penetration;    /* deepest at the end */
    double relative_depth; /* the same in contact radii, and what it was at the start */
    double relative_depth_before;
    double found_depth;     /* of what detection found last, whether or not contacts are held beside it */
    double relative_motion; /* largest at a contact, in contact radii */
    double motion, constraint_error;
    double seconds_assemble, seconds_detect, seconds_contact;
    cst_status status;
    char message[256];
} cst_attempt;

/* False: attempt->status and message say why (memory, something not finite). */
bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt);
bool cst_attempt_run(cst_attempt *attempt);

/* theta v + (1 - theta) v_before of one body into out (its dofs). */
void cst_attempt_theta_velocity(const cst_attempt *attempt, int body, double *out);

/* Secant velocity over the step of the point of an obstacle that is at x at the time `when`; part: its triangle, of a mesh. */
void cst_attempt_obstacle_velocity(const cst_attempt *attempt, int obstacle, double when, int32_t part, const double *x,
                                   double *velocity);

/* The attempt failed because of a body. Always false. */
bool cst_attempt_fail(cst_attempt *attempt, cst_status status, int body, const char *what);

#endif
