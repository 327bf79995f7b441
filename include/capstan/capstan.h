/* Capstan: slender elastic bodies in contact, with the exact Coulomb law at every contact.
 *
 *     cst_world_def def = cst_world_def_default(2);
 *     cst_world *world = cst_world_new(&def, message, sizeof message);
 *     cst_rod_def rod = cst_rod_def_default();
 *     rod.length = 1.0; ...
 *     cst_body_id id = cst_world_add_rod(world, &rod, message, sizeof message);
 *     cst_step_report report;
 *     while (cst_world_time(world) < 2.0)
 *         if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED) ...
 *     cst_world_free(world);
 *
 * In space: cst_world_def_default(3), cst_fiber_def, the shapes of obstacles and rigid bodies that say so.
 *
 * A step solves, for all bodies together,
 *
 *     A v = rhs + H^T r,    u = H v + u_f,    (u_i, r_i) in the Coulomb law of mu_i
 *
 * (docs/notation.md), A and rhs from implicit, linearised elasticity at the start of the step (Moreau-Jean theta scheme,
 * docs/world.md), and says in its report how exactly the law was met. A step that fails leaves the world as it was.
 *
 * SI units. A world has 2 or 3 dimensions; positions, velocities and forces always have 3 components here (z = 0 in the plane),
 * and an angle or a rotation about z is the third component of its vector. Handles are small integers whose zero is null; they
 * belong to one world. Arrays and strings given in definitions are copied. No global state: worlds can live in different
 * threads. The library never prints and never exits. */
#ifndef CAPSTAN_CAPSTAN_H
#define CAPSTAN_CAPSTAN_H

#include "capstan/friction.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cst_world cst_world;

typedef uint32_t cst_body_id;
typedef uint32_t cst_obstacle_id;
typedef uint32_t cst_constraint_id;
typedef uint32_t cst_load_id;
typedef uint32_t cst_material_id;

/* A real that was not given: the next coarser level speaks (see friction below). */
#define CST_UNSET (-1.0)

/* ----------------------------------------------------------------------------------------------------------------- world */

/* Iterations of a quasi-static step that was not told how many. */
#define CST_QUASI_STATIC_ITERATIONS 100

/* Time stepping. docs/world.md has the formulas. */
typedef struct cst_time_step {
    double dt;    /* s: the largest step; frames fall on its multiples */
    double theta; /* 1: implicit Euler, robust; 0.5: no numerical damping, second order. In [0.5, 1] */
    /* 1: linearised step (with theta < 1 linearised twice: at the start, then where that leads). More: full Newton, at most so
     * many, until `iteration_tolerance`. */
    int iterations;
    double iteration_tolerance; /* 1e-10: largest change of a velocity between iterations, relative to the largest */
    /* Every step ends in equilibrium, whatever its dt: bodies follow their loads through equilibria. iterations = 1: at most
     * CST_QUASI_STATIC_ITERATIONS. */
    bool quasi_static;
    /* quasi_static: one step of dt each towards the equilibrium, held back by mass and viscosity, not all the way */
    bool relaxation;
    bool adaptive; /* false here, true in scenes: halve dt on fast motion, penetration, or a missed tolerance; recover in calm */
    int halvings;  /* 10: at most so many */
    double motion_limit;      /* 0.5: of the smallest contact radius, motion in a step relative to what it may touch */
    double penetration_limit; /* 0.01: of the contact radius */
    int calm_steps;           /* 10: good steps before dt doubles */
} cst_time_step;

typedef struct cst_contact_rules {
    double margin;         /* m: gaps below it become contacts. 0: chosen from radii and speeds */
    double stabilisation;  /* 0.2: share of a penetration that is undone in one step of dt */
    double recovery_speed; /* m/s: penetration is never undone faster. 0: 0.05 of a contact radius per dt */
    bool self_contact;     /* true: of a rod with itself */
    /* false: contact forces act at the surface of a rod, which is physical. true: on its centreline, without the couple of
     * friction about it, as theories of rods without thickness have it. */
    bool at_centreline;
} cst_contact_rules;

typedef struct cst_world_def {
    uint32_t cookie;   /* set by the default function; catches a struct nobody initialised */
    int dim;           /* 2 or 3 */
    double gravity[3]; /* m/s2: (0, -9.81, 0) in the plane, (0, 0, -9.81) in space */
    cst_time_step time_step;
    cst_contact_rules contact;
    cst_friction_options friction; /* solver, tolerance (1e-8 here), threads; its allocator serves the whole world */
    double friction_coefficient;   /* 0.3: where neither side says anything */
    double restitution;            /* 0: likewise */
} cst_world_def;

cst_world_def cst_world_def_default(int dim);

/* NULL with a message if the definition makes no sense or memory ran out. */
cst_world *cst_world_new(const cst_world_def *def, char *message, size_t message_size);
void cst_world_free(cst_world *world);                             /* NULL is fine */
const cst_world_def *cst_world_definition(const cst_world *world); /* what it was made from */

/* From now on `watch` is told each friction problem before it is solved (cst_friction_options.watch), those of attempts at a step that
 * are given up too. NULL: no longer. The results are the same bits. */
void cst_world_watch_friction(cst_world *world, void (*watch)(void *user, const cst_body_problem *problem, const double *r),
                              void *user);

/* -------------------------------------------------------------------------------------------------- friction between whom
 *
 * The most specific setting wins, for the friction coefficient and for the restitution of a contact:
 *   1. a pair named by cst_world_set_pair (two owners before two materials; the last call for the same pair counts),
 *   2. segment (an element's own value), 3. body or obstacle, 4. material, 5. the world's default.
 * If both sides have a setting at the same level of 2 to 4, their geometric mean is taken; otherwise the more specific side alone counts. */

typedef struct cst_material_def {
    uint32_t cookie;
    const char *name;
    double friction;    /* or CST_UNSET */
    double restitution; /* or CST_UNSET */
} cst_material_def;

cst_material_def cst_material_def_default(void);
cst_material_id cst_world_add_material(cst_world *world, const cst_material_def *def, char *message, size_t message_size);

/* What a contact is with: a body, an obstacle or everything made of a material. Exactly one field is not zero. */
typedef struct cst_party {
    cst_body_id body;
    cst_obstacle_id obstacle;
    cst_material_id material;
} cst_party;

/* friction or restitution CST_UNSET: that one is left to the other levels. */
bool cst_world_set_pair(cst_world *world, cst_party a, cst_party b, double friction, double restitution, char *message,
                        size_t message_size);

/* Two bodies, or a body and an obstacle, that never touch: in the plane, what passes beside the other. */
bool cst_world_set_apart(cst_world *world, cst_party a, cst_party b, char *message, size_t message_size);

/* Own surface: body or obstacle level. */
typedef struct cst_surface {
    cst_material_id material; /* 0: none */
    double friction;          /* or CST_UNSET */
    double restitution;       /* or CST_UNSET */
} cst_surface;

/* ---------------------------------------------------------------------------------------------------------------- motion */

/* A prescribed rigid motion, relative to the place given elsewhere: translation and rotation about the reference point of the
 * thing that is moved. Constant before the first and after the last key. */
typedef struct cst_key {
    double time;           /* s, increasing */
    double translation[3]; /* m */
    double rotation[3];    /* rad; (0, 0, angle) in the plane. In space a rotation vector */
} cst_key;

typedef struct cst_motion {
    const cst_key *key; /* (keys) */
    int keys;           /* 0: at rest */
    bool smooth;        /* zero velocity at every key, cubic between (3 s^2 - 2 s^3); otherwise linear */
    double period;      /* > 0: repeats, first key at 0 and last at the period; goes on from where the last period ended */
    double about[3];    /* m: the rotation is about the reference point + about (a hair's root on a head that turns) */
} cst_motion;

/* ---------------------------------------------------------------------------------------------------------- planar rods */

typedef enum cst_rod_formulation {
    CST_ROD_AUTO = 0, /* chained below 24 elements, mixed from there on */
    CST_ROD_CHAINED,  /* root and curvatures; dense */
    CST_ROD_MIXED     /* place and curvature of each element; a step costs O(n) */
} cst_rod_formulation;

/* What others touch of a rod. */
typedef enum cst_rod_contour {
    CST_ROD_ARCS = 0, /* its curved elements, exactly */
    CST_ROD_CHORDS    /* their chords, as codes with straight segments have it; to compare with */
} cst_rod_contour;

/* Super-circle: an inextensible, unshearable planar rod of n elements with constant curvature each. */
typedef struct cst_rod_def {
    uint32_t cookie;
    const char *name; /* or NULL */
    cst_rod_formulation formulation;
    cst_rod_contour contour;
    int elements;                            /* n >= 1 */
    double length;                           /* m, of the whole rod: equal elements unless element_length */
    double radius;                           /* m, of contact */
    double mass_per_length;                  /* kg/m */
    double bending_stiffness;                /* N m2: EI */
    double natural_curvature;                /* 1/m */
    double viscosity;                        /* N m2 s: moment per rate of curvature */
    double drag;                             /* kg/(m s): force per length and velocity */
    double load[3];                          /* N/m: distributed, fixed in space, besides gravity */
    const double *element_length;            /* (elements) each or NULL */
    const double *element_radius;            /* (elements) or NULL */
    const double *element_bending_stiffness; /* (elements) or NULL */
    const double *element_natural_curvature; /* (elements) or NULL */
    const double *element_friction;          /* (elements) or NULL; CST_UNSET entries: the body's */
    double position[3];                      /* m: start of the first element */
    double angle;                            /* rad: direction there */
    const double *curvature;                 /* (elements) at first, or NULL: the natural ones */
    double velocity[3];                      /* m/s: of the start */
    double angular_velocity;                 /* rad/s */
    const double *curvature_rate;            /* (elements) 1/(m s) or NULL: zero */
    bool clamped;                            /* the start is held in place and direction, or moved by root_motion */
    cst_motion root_motion;
    bool closed; /* a ring: the first shape must close to 1e-6 of the length; adds a constraint, end welded to start */
    cst_surface surface;
} cst_rod_def;

cst_rod_def cst_rod_def_default(void);
cst_body_id cst_world_add_rod(cst_world *world, const cst_rod_def *def, char *message, size_t message_size); /* 0: message */

#include "capstan/fiber.h"

/* --------------------------------------------------------------------------------------------------------------- meshes */

/* Triangles in space, of an obstacle or a rigid body. */
typedef struct cst_mesh {
    const double *vertex;    /* (vertices x 3) m */
    const int32_t *triangle; /* (triangles x 3) from 0 */
    int vertices, triangles;
    bool closed; /* surface of a solid, counter-clockwise seen from outside; otherwise a sheet with two sides */
} cst_mesh;

#include "capstan/sheet.h"

/* --------------------------------------------------------------------------------------------------------- rigid bodies */

typedef enum cst_rigid_shape {
    CST_RIGID_DISK = 0, /* in the plane */
    CST_RIGID_POLYGON,
    CST_RIGID_SPHERE,  /* in space */
    CST_RIGID_CAPSULE, /* along its z: `radius` around an axis of length 2 size[0] */
    CST_RIGID_BOX,     /* half edges size[0 .. 2], rounded off by `radius` beyond them */
    CST_RIGID_MESH     /* closed, triangles counter-clockwise seen from outside; thick by `radius` */
} cst_rigid_shape;

typedef struct cst_rigid_def {
    uint32_t cookie;
    const char *name;
    cst_rigid_shape shape;
    double radius;        /* m: of disk, sphere, capsule; of the rounding of a polygon, box or mesh (0 allowed) */
    double size[3];       /* m: space, as said above */
    const double *corner; /* (corners x 2) m, counter-clockwise, simple, in the body's frame */
    int corners;
    double mass;              /* kg */
    double inertia;           /* kg m2 about the centre of mass, or CST_UNSET: homogeneous */
    double position[3];       /* m: of the centre of mass; corners are given relative to it after their centroid is moved there */
    double angle;             /* rad */
    double velocity[3];       /* m/s */
    double angular_velocity;  /* rad/s */
    cst_mesh mesh;            /* space: its vertices are moved so that the centre of mass is at `position` */
    double frame[9];          /* space: (3 x 3) row-major rotation, columns are the axes of the body. The identity */
    double inertia_matrix[9]; /* kg m2, space: about the centre of mass, in the body's axes, or [0] = CST_UNSET: homogeneous */
    double spin[3];           /* rad/s, space: angular velocity, in the axes of the world */
    double drag, angular_drag; /* kg/s, N m s */
    bool collides;             /* true; false: a ghost that only carries constraints and mass */
    cst_surface surface;
} cst_rigid_def;

cst_rigid_def cst_rigid_def_default(void);
cst_body_id cst_world_add_rigid(cst_world *world, const cst_rigid_def *def, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------------------------- obstacles */

typedef enum cst_obstacle_shape {
    CST_OBSTACLE_HALF_PLANE = 0, /* matter on the side opposite to `normal` */
    CST_OBSTACLE_DISK,           /* solid; `hollow`: matter outside the circle */
    CST_OBSTACLE_CHAIN,          /* segments between points; thickness = radius on both sides, or solid on the right */
    CST_OBSTACLE_ARC,            /* a circular arc with thickness radius */
    CST_OBSTACLE_PLANE,          /* space: matter on the side opposite to `normal` */
    CST_OBSTACLE_SPHERE,
    CST_OBSTACLE_CAPSULE,  /* along its z: `radius` around an axis of length 2 size[0] */
    CST_OBSTACLE_BOX,      /* half edges size[0 .. 2], rounded off by `rounding` beyond them */
    CST_OBSTACLE_CYLINDER, /* along its z: radius, height 2 size[0], rounded off by `rounding` beyond them */
    CST_OBSTACLE_MESH      /* thick by `rounding` */
} cst_obstacle_shape;

typedef struct cst_obstacle_def {
    uint32_t cookie;
    const char *name;
    cst_obstacle_shape shape;
    double position[3]; /* m: a point of the half-plane, centre of the disk, origin of the points, start of the arc */
    double normal[3];   /* half-plane, plane: outward */
    double radius;      /* m: disk, sphere, capsule, cylinder; thickness of chain and arc */
    double size[3];     /* m: space, as said above */
    double rounding;    /* m: box, cylinder, mesh */
    double frame[9];    /* space: (3 x 3) row-major rotation, columns are the axes of the obstacle. The identity */
    cst_mesh mesh;      /* relative to `position`, in its frame */
    /* A mesh that deforms: shapes at times, linear between, the first before and the last after them. `mesh.vertex` may be NULL
     * then. Moved by `motion` besides. */
    const double *mesh_vertex; /* (mesh_times x vertices x 3) m or NULL */
    const double *mesh_time;   /* (mesh_times) s, increasing */
    int mesh_times;
    bool hollow;         /* disk */
    const double *point; /* (points x 2) chain */
    int points;
    bool closed; /* chain: the last point is joined to the first */
    bool solid;  /* chain, arc: matter on the right of the direction of travel (inside, if clockwise and closed) */
    double angle, curvature, length; /* arc: direction at the start, 1/m, m */
    cst_motion motion;               /* about `position` */
    cst_surface surface;
} cst_obstacle_def;

cst_obstacle_def cst_obstacle_def_default(void);
cst_obstacle_id cst_world_add_obstacle(cst_world *world, const cst_obstacle_def *def, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------- constraints and loads */

/* A material point: of a rod by arc length s from its start, of a rigid body by a point in its frame, of a sheet by a node, of the world by a
 * point. */
typedef struct cst_place {
    cst_body_id body; /* 0: the world */
    double s;         /* m: rods, from the start, in [0, length] */
    bool at_end;      /* rods: the end, s is ignored */
    int32_t node;     /* sheets: from 0 */
    double point[3];  /* rigid body: in its frame, from its centre of mass; world: where */
} cst_place;

typedef enum cst_constraint_kind {
    CST_CONSTRAINT_PINNED = 0, /* place held, rotation free: a pin, a hinge */
    CST_CONSTRAINT_CLAMPED,    /* place and direction held: a clamp, a weld */
    CST_CONSTRAINT_SLIDING,    /* free along `direction` (fixed in the frame of b), rotation free */
    CST_CONSTRAINT_GUIDED      /* free along `direction`, direction of the body held */
} cst_constraint_kind;

/* Holds the place a of a body to b: the world, or another body, or another place of the same one. The relation at the moment of
 * adding is the one that is held (with `motion`: moved from there, b must be the world); a and b of a pin or a clamp that are
 * more than 1e-6 m apart are an error unless b_follows_a. */
typedef struct cst_constraint_def {
    uint32_t cookie;
    const char *name;
    cst_constraint_kind kind;
    cst_place a, b;
    bool b_follows_a;    /* true: b.point is taken from where a is now (world, rigid body) */
    double direction[3]; /* sliding, guided */
    cst_motion motion;
    double release_time; /* s: let go at this time; negative: never */
} cst_constraint_def;

cst_constraint_def cst_constraint_def_default(void);
cst_constraint_id cst_world_add_constraint(cst_world *world, const cst_constraint_def *def, char *message, size_t message_size);

/* A force and a moment on a place of a body, times a factor of time. follower: turns with the body. */
typedef struct cst_load_def {
    uint32_t cookie;
    const char *name;
    cst_place at;
    double force[3];  /* N */
    double moment[3]; /* N m; third component in the plane */
    bool follower;
    const double *time;   /* (times) s, increasing, or NULL: constant */
    const double *factor; /* (times) linear between, constant outside */
    int times;
} cst_load_def;

cst_load_def cst_load_def_default(void);
cst_load_id cst_world_add_load(cst_world *world, const cst_load_def *def, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------------------------------ step */

typedef struct cst_energies {
    double kinetic, elastic, gravity; /* J, now; gravity relative to the origin */
    /* J, works since the start of the world (of the last load of a checkpoint: carried on). Positive: given to the bodies. */
    double loads;       /* point and distributed loads */
    double constraints; /* prescribed motions */
    double normal;      /* normal impulses: impacts, moving obstacles, recovery from penetration */
    double friction;    /* tangential impulses */
    double viscosity, drag;
    double scheme;    /* numerical damping of the theta scheme: -(theta - 1/2)(|dv|_M^2 + |dq|_K^2) */
    double forgotten; /* kinetic energy dropped by quasi-static steps */
    /* (kinetic + elastic + gravity) - (its value at the start) - (all works): what the linearisation of the geometry leaves. */
    double unexplained;
    /* Energy that has moved so far: kinetic at the start, the largest release of elastic energy and weight, positive work of loads, prescribed
     * motions and moving obstacles. What `unexplained` is measured against. */
    double moved;
} cst_energies;

/* Wall clock of a step by phase (s), over all its attempts and linearisations: not part of what is reproducible. The phases do not
 * overlap; with `other` they sum up to seconds_total. */
typedef struct cst_step_seconds {
    double begin;          /* memory of the step, groups of joined bodies, layout of the velocities, list of shapes */
    double place;          /* bodies where they are, and where the velocities found take them */
    double assemble;       /* A and rhs of all bodies, loads, constraints */
    double free_motion;    /* the motion without contacts */
    double detect;         /* broad and narrow phase, for the contacts of the step */
    double track;          /* which contact is which of before, surfaces, contacts that are held */
    double rows;           /* rows of contacts */
    double friction_setup; /* packing, colouring, factoring, A^-1 H^T, velocities of the bodies from the impulses */
    double friction_solve; /* sweeps and Newton steps */
    double friction_judge; /* the residual */
    double apply;          /* the friction problem made, its answer given to contacts, bodies and groups; works of contacts */
    double detect_end;     /* broad and narrow phase, for the penetration at the end of the step */
    double end;            /* motions and errors at the end of the step */
    double finish;         /* the state moves on */
    double energy;         /* bodies placed where they are now; energies */
    double other;          /* what is left of seconds_total */
} cst_step_seconds;

typedef struct cst_step_report {
    cst_status status;
    double time;  /* s, at the end of the step */
    double dt;    /* s */
    int64_t step; /* steps done since the start */
    int retries;  /* times this step was begun again with half the step */
    int contacts;
    int new_contacts; /* of these: not there in the step before */
    /* contact unknowns (dim x contacts) over velocities of all bodies: above 1 the compliance W of the contacts is singular */
    double nu;
    int sticking, sliding;
    int islands;
    int iterations;        /* of the friction solver in the island that needed most, summed over all Newton iterations */
    int iterations_total;  /* the same, summed over all islands as well */
    int newton_iterations; /* of the step: 1 if linearised, 2 with theta < 1 */
    cst_solver solver;
    cst_form form;
    cst_residual residual;   /* of the whole step's friction problem; error 0 without contacts */
    double penetration;      /* m: deepest now */
    double constraint_error; /* m: largest now */
    double motion;           /* m: largest in the step */
    double imbalance; /* N: of a quasi-static step, largest force that was still out of balance before the last iteration */
    cst_energies energy;
    cst_step_seconds seconds; /* wall clock, as seconds_total: not part of what is reproducible */
    double seconds_total;
    char message[256];
} cst_step_report;

/* One accepted step of dt or a power of two smaller. CST_SOLVED or CST_TOLERANCE_MISSED: the world has moved on (missed: as
 * well as the solver could, after all permitted halvings). Anything else: it has not. */
cst_status cst_world_step(cst_world *world, cst_step_report *report);

double cst_world_time(const cst_world *world); /* s */
int64_t cst_world_steps(const cst_world *world);
/* Largest steps (of dt) completed, if the time is a whole number of them; -1 in between. */
int64_t cst_world_whole_steps(const cst_world *world);
void cst_world_energies(const cst_world *world, cst_energies *out);

/* --------------------------------------------------------------------------------------------------------------- looking */

typedef struct cst_contact_view {
    uint64_t id;        /* the same for as long as the contact lasts */
    cst_party a, b;     /* a: a body */
    double s_a, s_b;    /* m: arc length on rods (perimeter on polygons), else 0 */
    double position[3]; /* m */
    double normal[3];   /* from b to a */
    double force[3];    /* N: of b on a, impulse / dt */
    double velocity[3]; /* m/s: of a relative to b, at the surface */
    double r[3], u[3];  /* impulse and velocity in the contact's frame, normal first */
    double gap;         /* m, at the start of the step that made it */
    double mu;
    double error; /* share of this contact in the residual */
    cst_local_case contact_case;
} cst_contact_view;

/* Contacts of the last step, as one array. The next step writes them anew; what was given stays readable as long as the world. */
int cst_world_contacts(const cst_world *world, const cst_contact_view **out);

int cst_world_bodies(const cst_world *world); /* ids 1 to this */
int cst_world_obstacles(const cst_world *world);
int cst_world_constraints(const cst_world *world);
const char *cst_world_body_name(const cst_world *world, cst_body_id body); /* "" if none */
const char *cst_world_obstacle_name(const cst_world *world, cst_obstacle_id obstacle);
const char *cst_world_constraint_name(const cst_world *world, cst_constraint_id constraint);

typedef enum cst_drawn_as {
    CST_DRAWN_CURVE = 0,  /* vertices in order along a centreline, with radius */
    CST_DRAWN_DISK,       /* one vertex and a radius; the second vertex shows the turning. In space a ball, the third likewise */
    CST_DRAWN_OUTLINE,    /* closed polygon */
    CST_DRAWN_HALF_PLANE, /* two vertices: a point and point + normal. In space a plane */
    CST_DRAWN_HOLLOW_DISK,
    CST_DRAWN_MESH /* space: corners of triangles; cst_world_body_triangles, cst_world_obstacle_triangles */
} cst_drawn_as;

/* How a body or obstacle is drawn now. Arrays belong to the caller: vertices x 3, and per vertex a value each; NULL to skip. */
typedef struct cst_drawing {
    cst_drawn_as as;
    int vertices;
    bool closed;
} cst_drawing;

/* samples: vertices per rod element. */
cst_drawing cst_world_draw_body(const cst_world *world, cst_body_id body, int samples, double *position, double *radius,
                                double *curvature);
cst_drawing cst_world_draw_obstacle(const cst_world *world, cst_obstacle_id obstacle, double *position, double *radius);

/* Triangles of what is drawn as a mesh, always the same: (returned x 3) vertex numbers into out unless it is NULL. 0: no mesh. */
int cst_world_body_triangles(const cst_world *world, cst_body_id body, int32_t *out);
int cst_world_obstacle_triangles(const cst_world *world, cst_obstacle_id obstacle, int32_t *out);

/* The generalised state of a body, as its model keeps it (docs/cache.md): count, and values if out is not NULL. */
int cst_world_body_state(const cst_world *world, cst_body_id body, double *out);

/* Where a place is now and how it moves. False if there is no such body. */
bool cst_world_place(const cst_world *world, const cst_place *place, double *position, double *angle, double *velocity);
/* The same in space: frame (3 x 3) row-major, of a fiber its columns t, d1, d2; turning rate (3). NULL to skip any. */
bool cst_world_place_space(const cst_world *world, const cst_place *place, double *position, double *frame, double *velocity,
                           double *turn);

/* Force and moment (about the place) of a constraint on its body a, in the last step; force on an obstacle by all contacts. */
void cst_world_constraint_force(const cst_world *world, cst_constraint_id constraint, double *force, double *moment);
void cst_world_obstacle_force(const cst_world *world, cst_obstacle_id obstacle, double *force);
/* The same of the clamp on the root of a rod or fiber that is `clamped`, about the root; false: it has none, and both are zero. */
bool cst_world_root_force(const cst_world *world, cst_body_id body, double *force, double *moment);

/* How far its prescribed motion has taken an obstacle, or the place that a constraint holds to, by now: what the forces above are
 * plotted against. Zero without a motion. Both have 3 components; NULL to skip. */
void cst_world_constraint_displacement(const cst_world *world, cst_constraint_id constraint, double *translation,
                                       double *rotation);
void cst_world_obstacle_displacement(const cst_world *world, cst_obstacle_id obstacle, double *translation, double *rotation);

#include "capstan/state.h"

/* ---------------------------------------------------------------------------------------------------------- checkpoints */

/* All that the future depends on: states, tracked impulses, controller of dt, energies. A world built by the same calls and
 * loaded with it continues with the same bits. Size; written if out is large enough. */
size_t cst_world_save(const cst_world *world, void *out, size_t capacity);
bool cst_world_load(cst_world *world, const void *from, size_t size, char *message, size_t message_size);

/* ---------------------------------------------------------------------------------------------------------------- statics */

/* Moves the bodies to an equilibrium under gravity and loads. Rods and fibers that are all clamped by themselves: each to a stable one of its
 * own, without contacts, Newton with load stepping from the present shape, along the branch that gravity raised from zero follows. If
 * one is free or held by a constraint: the world as a whole, as a quasi-static step in which no time passes, with contacts and with friction
 * along the way. What nothing holds is an error. */
bool cst_world_find_equilibrium(cst_world *world, double tolerance, int *iterations, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
