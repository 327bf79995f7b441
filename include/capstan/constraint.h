/* Constraints between points of bodies, and loads on points of bodies. Part of capstan.h; SI units. */
#ifndef CAPSTAN_CONSTRAINT_H
#define CAPSTAN_CONSTRAINT_H

/* A point of a body or of the world. A point of a rod is given by its arc length s, a point of a rigid body by its position in
 * the frame of the body, and a point of a sheet by its node. */
typedef struct cst_place {
    cst_body_id body; /* 0: the world */
    double s;         /* arc length from the start of a rod or fiber (m), in [0, length] */
    bool at_end;      /* rods and fibers: true selects the end; the arc length s is then ignored */
    int32_t node;     /* sheets: from 0 */
    /* position of the point (m): on a rigid body, relative to its centre of mass, in the axes of the body; in the world, in world
     * axes */
    double point[3];
} cst_place;

typedef enum cst_constraint_kind {
    CST_CONSTRAINT_PINNED = 0, /* constraint that fixes the position of point `a`, but not the rotation: a pin, a hinge */
    CST_CONSTRAINT_CLAMPED,    /* constraint that fixes the position and the rotation of point `a`: a clamp, a weld */
    CST_CONSTRAINT_SLIDING,    /* constraint that lets point `a` rotate, and move along `direction` relative to point `b` */
    CST_CONSTRAINT_GUIDED      /* constraint that lets point `a` move along `direction` relative to point `b`, but not rotate */
} cst_constraint_kind;

/* Constrains the material point `a` of a body relative to the point `b` of the world, of another body, or of the same body. In
 * the directions that a constraint fixes, the points `a` and `b` keep the relative position that they have when the constraint is
 * added. The point `b` of a constraint can have a prescribed `motion` if it is a point of the world. For a pin or a clamp, the
 * points `a` and `b` must be at the same position (within 1e-6 m) unless b_follows_a is set. */
typedef struct cst_constraint_def {
    uint32_t cookie;
    const char *name;
    cst_constraint_kind kind;
    cst_place a, b;
    bool b_follows_a;    /* true: adding the constraint moves the point `b` (of the world or a rigid body) to the point `a` */
    double direction[3]; /* sliding, guided */
    cst_motion motion;
    double release_time; /* time at which the constraint is removed (s); negative: never */
} cst_constraint_def;

cst_constraint_def cst_constraint_def_default(void);
cst_constraint_id cst_world_add_constraint(cst_world *world, const cst_constraint_def *def, char *message, size_t message_size);

/* A force and a moment on a material point of a body, multiplied by a factor that depends on time. If `follower` is true, the
 * load turns with the body. */
typedef struct cst_load_def {
    uint32_t cookie;
    const char *name;
    cst_place at;
    double force[3];  /* N */
    double moment[3]; /* moment of the load (N m), without effect on a sheet; in 2D only the third component is used */
    bool follower;
    const double *time;   /* array (times): increasing times (s) of the factors of the load; NULL: the load is constant */
    const double *factor; /* array (times): factor of the load at each time; linear between the times, constant outside */
    int times;
} cst_load_def;

cst_load_def cst_load_def_default(void);
cst_load_id cst_world_add_load(cst_world *world, const cst_load_def *def, char *message, size_t message_size);

#endif
