/* Capstan simulates slender elastic bodies in contact, with the exact Coulomb law at every contact.
 *
 * For a world in 3D, start from cst_world_def_default(3), define rods by cst_fiber_def, and use the shapes of obstacles and rigid
 * bodies that have "3D" in their comments below.
 *
 * Each step solves for the velocities v of all bodies, and for the impulses r and the relative velocities u of all contacts. The
 * impulse and the relative velocity of every contact satisfy the Coulomb law. The velocities v of the bodies, the impulses r and
 * the relative velocities u of the contacts also satisfy two linear equations, with the system matrix A, the right-hand side rhs,
 * the contact Jacobian H and a velocity offset u_f (docs/notation.md):
 *     `A v = rhs+H^T r`.
 *     `u = H v + u_f`.
 *
 * The system matrix and the right-hand side contain the masses and the elastic forces of an implicit time step, linearised at the
 * start of the step (Moreau-Jean theta scheme, docs/world.md). The field `residual` of cst_step_report measures how exactly the
 * Coulomb law is satisfied. A step that fails leaves the world unchanged.
 *
 * All quantities are in SI units. A world has 2 or 3 dimensions. Positions, velocities and forces always have 3 components in
 * this header (z = 0 in 2D). In 2D an angle, a rotation or a moment about z is the third component of its vector. The ids of
 * objects are small positive integers, valid in one world only; the id 0 means no object. The library copies arrays and strings
 * given in definitions. The library has no global state: different worlds can run in different threads. The library never prints
 * and never exits.
 *
 * This example simulates a rod of length 1 m for 2 s:
 *
 *     cst_world_def def = cst_world_def_default(2);
 *     cst_world *world = cst_world_new(&def, message, sizeof message);
 *     cst_rod_def rod = cst_rod_def_default();
 *     rod.length = 1.0; ...
 *     cst_body_id id = cst_world_add_rod(world, &rod, message, sizeof message);
 *     cst_step_report report;
 *     while (cst_world_time(world) < 2.0)
 *         if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED) ...
 *     cst_world_free(world); */
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

/* A field with the value CST_UNSET counts as not given. If the friction or restitution of an object is CST_UNSET, the value of
 * its material or of the world is used instead. */
#define CST_UNSET (-1.0)

/* ----------------------------------------------------------------------------------------------------------------- world */

/* Largest number of Newton iterations of a quasi-static step, if cst_time_step.iterations has its default value 1. */
#define CST_QUASI_STATIC_ITERATIONS 100

/* Time stepping; docs/world.md has the formulas. */
typedef struct cst_time_step {
    double dt; /* largest length of a time step (s); frames are saved at multiples of dt */
    /* parameter of the theta scheme in [0.5, 1]; 1: implicit Euler, robust; 0.5: second order, no numerical damping */
    double theta;
    /* Largest number of Newton iterations of a step. With the default `iterations` = 1, the equations of a step are linearised
     * once, at the start of the step; if theta < 1, they are linearised a second time, with the predicted motion. If `iterations`
     * is 1 and the step would end with a deep penetration, the step is linearised again at its predicted end. An adaptive step in
     * 2D with a deep penetration is not linearised again, but repeated with half its length. A step after a step that needed
     * several linearisations makes as many from the start, but at most three (not in a world with sheets). In an adaptive step, a
     * penetration counts as deep if it grows in the step and ends above `penetration_limit` times the smaller contact radius of
     * the two bodies. In a fixed step, and in any step between a sheet and a surface (another sheet, a rigid body or an
     * obstacle), a penetration counts as deep if it ends above 0.25 times the smaller contact radius of the two bodies and grows
     * in the step by more than 0.05 times this radius. If `iterations` is larger than 1, a step uses the full Newton method until
     * `iteration_tolerance` is met. */
    int iterations;
    /* default 1e-10: the Newton iterations of a step end when the largest velocity change from one iteration to the next, divided
     * by the largest velocity, is at most this tolerance */
    double iteration_tolerance;
    /* A quasi-static step ends in a static equilibrium, however long the step is. With quasi-static steps, bodies follow slowly
     * changing loads through a sequence of equilibria. If `iterations` is 1, a quasi-static step takes up to
     * CST_QUASI_STATIC_ITERATIONS Newton iterations. */
    bool quasi_static;
    /* If `relaxation` and quasi_static are both true, a step moves the bodies towards the equilibrium but need not reach it,
     * because inertia and viscosity limit the motion in the step. */
    bool relaxation;
    /* If `adaptive` is true, a step is repeated with half its length if touching surfaces move too far relative to each other
     * (`motion_limit`), if bodies penetrate too deeply (`penetration_limit`), if the friction solver misses its tolerance, or if
     * the Newton iteration of the step does not converge. After `calm_steps` steps without halving, the step length is doubled,
     * up to dt. The default of `adaptive` is false in this interface and true in scene files. */
    bool adaptive;
    /* Default 10: the shortest adaptive step has the length dt / 2^halvings. Even with fixed steps or a smaller value of
     * `halvings`, dt may be halved 10 times if bodies would otherwise pass through each other, penetrate deeply or gain energy
     * without work, or if the step fails. */
    int halvings;
    /* An adaptive step is halved if two touching surfaces move relative to each other in this step by more than `motion_limit`
     * times the smaller contact radius of the two bodies. The parameter `motion_limit` does not apply between a sheet and a
     * surface (another sheet, a rigid body or an obstacle), but it applies between a fiber and a sheet. Default 0.5. */
    double motion_limit;
    /* An adaptive step is halved if two bodies end it with a penetration larger than L = `penetration_limit` times their smaller
     * contact radius, and the penetration has grown by more than L / 10 in the step. The parameter `penetration_limit` does not
     * apply to penetrations of sheets into each other, into rigid bodies or into obstacles. Default 0.01. */
    double penetration_limit;
    int calm_steps; /* default 10: a reduced step length is doubled after this number of successive steps without halving */
} cst_time_step;

typedef struct cst_contact_rules {
    /* contact margin (m): two surfaces with a gap below this margin form a contact; 0: the library chooses the margin */
    double margin;
    double stabilisation; /* default 0.2: fraction of a penetration that one step of length dt removes */
    /* Largest speed (m/s) at which two penetrating bodies are pushed apart. If recovery_speed is 0, a step of length dt reduces a
     * penetration by at most 0.05 times the smaller contact radius of the two bodies. If recovery_speed is 0 and both bodies have
     * sharp edges (contact radius 0), a step of length dt reduces the penetration by at most a quarter of the thickness of the
     * thinner body. */
    double recovery_speed;
    bool self_contact; /* true: a rod, fiber or sheet can touch itself */
    /* false: contact forces act at the surface of a rod, as in reality; true: contact forces act on the centreline, so that
     * friction exerts no moment about it, as in theories of rods without thickness */
    bool at_centreline;
} cst_contact_rules;

typedef struct cst_world_def {
    uint32_t cookie;   /* check value that cst_world_def_default() sets, to show that the struct was initialised */
    int dim;           /* 2 or 3 */
    double gravity[3]; /* gravitational acceleration (m/s2); default (0, -9.81, 0) in 2D, (0, 0, -9.81) in 3D */
    cst_time_step time_step;
    cst_contact_rules contact;
    /* Friction solver, its tolerance (default 1e-8 for worlds) and number of threads. All memory of the world comes from the
     * allocator in the friction options. */
    cst_friction_options friction;
    double friction_coefficient; /* default 0.3: friction coefficient of contacts for which no other value is set */
    double restitution;          /* default 0: coefficient of restitution of contacts for which no other value is set */
} cst_world_def;

cst_world_def cst_world_def_default(int dim);

/* Creates a world, or returns NULL and writes a message if the definition is invalid or memory ran out. */
cst_world *cst_world_new(const cst_world_def *def, char *message, size_t message_size);
void cst_world_free(cst_world *world);                             /* NULL is fine */
const cst_world_def *cst_world_definition(const cst_world *world); /* the definition of the world */

/* Sets the callback `watch`, which is called with each friction problem before the solver starts, including the problems of
 * step attempts that are later rejected (cst_friction_options.watch). `watch` = NULL ends the calls. The simulation results are
 * bitwise the same with and without the callback `watch`. */
void cst_world_watch_friction(cst_world *world, void (*watch)(void *user, const cst_body_problem *problem, const double *r),
                              void *user);

/* -------------------------------------------------------------------------------------------------- friction between whom */

/* Friction and restitution can be set at five levels, listed from the highest to the lowest priority: a pair of objects
 * (cst_world_set_pair), an element of a rod or fiber (friction only), a body or obstacle, a material, the world. Friction and
 * restitution of a pair of bodies or obstacles have priority over those of a pair of materials. A second call of
 * cst_world_set_pair for the same pair replaces the values of the first call; the argument CST_UNSET leaves the old value
 * unchanged. If the friction coefficients of two touching objects are set at the same level (for example, both come from
 * materials), the contact has the geometric mean of the two; otherwise the value of the level with higher priority is used. The
 * same holds for restitution. */

typedef struct cst_material_def {
    uint32_t cookie;
    const char *name;
    double friction;    /* or CST_UNSET */
    double restitution; /* or CST_UNSET */
} cst_material_def;

cst_material_def cst_material_def_default(void);
cst_material_id cst_world_add_material(cst_world *world, const cst_material_def *def, char *message, size_t message_size);

/* One partner of a contact: a body, an obstacle, or everything made of a material. Exactly one field is not zero. */
typedef struct cst_party {
    cst_body_id body;
    cst_obstacle_id obstacle;
    cst_material_id material;
} cst_party;

/* Sets friction and restitution of the contacts between two bodies, obstacles or materials. With CST_UNSET as friction or
 * restitution, cst_world_set_pair sets no value for the pair, and the value of the elements, bodies, materials or the world is
 * used. */
bool cst_world_set_pair(cst_world *world, cst_party a, cst_party b, double friction, double restitution, char *message,
                        size_t message_size);

/* Excludes contact between two bodies, or between a body and an obstacle, for example if they pass in front of each other in
 * 2D. */
bool cst_world_set_apart(cst_world *world, cst_party a, cst_party b, char *message, size_t message_size);

/* Surface of one body or obstacle. */
typedef struct cst_surface {
    cst_material_id material; /* 0: none */
    double friction;          /* or CST_UNSET */
    double restitution;       /* or CST_UNSET */
} cst_surface;

/* ---------------------------------------------------------------------------------------------------------------- motion */

/* A keyframe of a prescribed rigid motion: the displacement of the moved object at a given time. A displacement consists of a
 * translation, and of a rotation about the reference point of the object; both are relative to the position and the orientation
 * in the definition of the object. An object whose motion has no period rests before its first keyframe and after its last
 * keyframe. */
typedef struct cst_key {
    double time;           /* s, increasing */
    double translation[3]; /* m */
    double rotation[3];    /* rotation vector (rad); (0, 0, angle) in 2D */
} cst_key;

typedef struct cst_motion {
    const cst_key *key; /* (keys) */
    int keys;           /* 0: at rest */
    bool smooth;        /* true: cubic interpolation between keyframes, with zero velocity at each; false: linear interpolation */
    /* period of the motion (s); if the period is positive, the motion repeats. The first keyframe of a periodic motion is at time
     * 0, and the last keyframe at the period. Each period of a periodic motion starts at the displacement where the previous
     * period ended. */
    double period;
    /* vector from the reference point of the moved object to the centre of its rotation (m): for example, the root of a hair
     * turns about the centre of the head */
    double about[3];
} cst_motion;

/* ---------------------------------------------------------------------------------------------------------- planar rods */

typedef enum cst_rod_formulation {
    CST_ROD_AUTO = 0, /* chained below 24 elements, otherwise mixed */
    /* unknowns of the rod: position and direction of its start, curvature of each element; the system matrix is dense */
    CST_ROD_CHAINED,
    /* unknowns of the rod: position, direction and curvature of each element; the computing time of a step is O(elements) */
    CST_ROD_MIXED
} cst_rod_formulation;

/* Contact geometry of a rod. */
typedef enum cst_rod_contour {
    CST_ROD_ARCS = 0, /* contacts of the rod are computed on its exact curved elements */
    CST_ROD_CHORDS    /* contacts of the rod are computed on the chords of its elements, as in codes with straight elements */
} cst_rod_contour;

/* Super-circle: an inextensible, unshearable planar rod whose curvature is constant in each element. */
typedef struct cst_rod_def {
    uint32_t cookie;
    const char *name; /* or NULL */
    cst_rod_formulation formulation;
    cst_rod_contour contour;
    int elements; /* n >= 1 */
    /* length of the whole rod (m); all elements have the same length unless element_length is given */
    double length;
    double radius;                           /* contact radius (m) */
    double mass_per_length;                  /* kg/m */
    double bending_stiffness;                /* N m2: EI */
    double natural_curvature;                /* 1/m */
    double viscosity;                        /* bending viscosity (N m2 s): bending moment per rate of curvature */
    double drag;                             /* drag coefficient (kg/(m s)): drag force per length and velocity */
    double load[3];                          /* distributed load in world axes (N/m), added to gravity */
    const double *element_length;            /* array (elements): m, or NULL */
    const double *element_radius;            /* (elements) or NULL */
    const double *element_bending_stiffness; /* (elements) or NULL */
    const double *element_natural_curvature; /* (elements) or NULL */
    /* array (elements): friction coefficient of each element (CST_UNSET: that of the body), or NULL */
    const double *element_friction;
    double position[3];           /* start of the first element (m) */
    double angle;                 /* direction of the first element at its start (rad) */
    const double *curvature;      /* array (elements): initial curvatures; NULL: the rod starts with the natural curvatures */
    double velocity[3];           /* of the start (m/s) */
    double angular_velocity;      /* rad/s */
    const double *curvature_rate; /* (elements) 1/(m s) or NULL: zero */
    bool clamped;                 /* true: position and direction of the rod's start are fixed, or prescribed by root_motion */
    cst_motion root_motion;
    /* true: a constraint welds the end of the rod to its start, which makes a ring; the initial shape of a ring must close to
     * within 1e-6 of its length */
    bool closed;
    cst_surface surface;
} cst_rod_def;

cst_rod_def cst_rod_def_default(void);
cst_body_id cst_world_add_rod(cst_world *world, const cst_rod_def *def, char *message, size_t message_size); /* 0: message */

#include "capstan/fiber.h"

/* --------------------------------------------------------------------------------------------------------------- meshes */

/* Triangle mesh of an obstacle or a rigid body in 3D. */
typedef struct cst_mesh {
    const double *vertex;    /* array (vertices x 3): m */
    const int32_t *triangle; /* array (triangles x 3): from 0 */
    int vertices, triangles;
    /* true: surface of a solid, with triangles counter-clockwise from outside; false: an open surface with two sides */
    bool closed;
} cst_mesh;

#include "capstan/sheet.h"

/* --------------------------------------------------------------------------------------------------------- rigid bodies */

typedef enum cst_rigid_shape {
    CST_RIGID_DISK = 0, /* 2D */
    CST_RIGID_POLYGON,
    CST_RIGID_SPHERE,  /* 3D */
    CST_RIGID_CAPSULE, /* 3D capsule: all points within `radius` of a line segment that lies along z and is 2 size[0] long */
    CST_RIGID_BOX,     /* 3D box with half edge lengths size[0 .. 2], enlarged and rounded by `radius` */
    CST_RIGID_MESH     /* 3D body inside a closed mesh (triangles counter-clockwise seen from outside), enlarged by `radius` */
} cst_rigid_shape;

typedef struct cst_rigid_def {
    uint32_t cookie;
    const char *name;
    cst_rigid_shape shape;
    double radius;        /* radius (m) of a disk, sphere or capsule; rounding radius of a polygon, box or mesh (0 allowed) */
    double size[3];       /* 3D (m), see cst_rigid_shape */
    const double *corner; /* array (corners x 2): corners of a polygon (m), counter-clockwise, in the body frame */
    int corners;
    double mass;    /* kg */
    double inertia; /* moment of inertia about the centre of mass (kg m2), or CST_UNSET for a homogeneous body */
    /* centre of mass of the body (m); the corners of a polygon are shifted so that the centroid of its area is at this
     * position */
    double position[3];
    double angle;            /* rad */
    double velocity[3];      /* m/s */
    double angular_velocity; /* rad/s */
    cst_mesh mesh;           /* 3D: the vertices of the mesh are shifted so that the centre of mass is at `position` */
    double frame[9];         /* 3D: rotation matrix (row-major) whose columns are the axes of the body. Default: the identity */
    /* 3D: inertia matrix (kg m2) about the centre of mass, in the axes of the body; if its first entry is CST_UNSET, the library
     * computes the matrix of a homogeneous body */
    double inertia_matrix[9];
    double spin[3];            /* 3D: initial angular velocity of the body in world axes (rad/s) */
    double drag, angular_drag; /* kg/s, N m s */
    bool collides;             /* false: the body never touches anything and only has mass and constraints (default true) */
    cst_surface surface;
} cst_rigid_def;

cst_rigid_def cst_rigid_def_default(void);
cst_body_id cst_world_add_rigid(cst_world *world, const cst_rigid_def *def, char *message, size_t message_size);

/* ------------------------------------------------------------------------------------------------------------- obstacles */

typedef enum cst_obstacle_shape {
    CST_OBSTACLE_HALF_PLANE = 0, /* 2D half-plane: the side of a straight line opposite to `normal` is solid */
    CST_OBSTACLE_DISK,           /* a solid disk; with `hollow` the outside of the circle is solid */
    /* 2D polyline, thickened by `radius` to both sides; with `solid`, the region to the right of the polyline (seen from its
     * first to its last point) is solid */
    CST_OBSTACLE_CHAIN,
    CST_OBSTACLE_ARC,   /* a circular arc, thickened by `radius` to both sides */
    CST_OBSTACLE_PLANE, /* 3D half-space: the side of a plane opposite to `normal` is solid */
    CST_OBSTACLE_SPHERE,
    CST_OBSTACLE_CAPSULE,  /* 3D capsule: all points within `radius` of a line segment that lies along z and is 2 size[0] long */
    CST_OBSTACLE_BOX,      /* 3D box with half edge lengths size[0 .. 2], enlarged and rounded by `rounding` */
    CST_OBSTACLE_CYLINDER, /* 3D cylinder with axis along z, `radius`, height 2 size[0], enlarged and rounded by `rounding` */
    CST_OBSTACLE_MESH      /* 3D: thickened by `rounding` */
} cst_obstacle_shape;

typedef struct cst_obstacle_def {
    uint32_t cookie;
    const char *name;
    cst_obstacle_shape shape;
    /* position of the obstacle (m): for a half-plane, a point of its border; for a disk, its centre; for a chain, the origin of
     * the coordinates in `point`; for an arc, its start */
    double position[3];
    double normal[3]; /* half-plane, plane: outward normal */
    double radius;    /* radius (m) of a disk, sphere, capsule or cylinder; half the thickness of a chain or arc */
    double size[3];   /* 3D (m), see cst_obstacle_shape */
    double rounding;  /* box (m), cylinder, mesh */
    double frame[9];  /* 3D: rotation matrix (row-major) whose columns are the axes of the obstacle. Default: the identity */
    cst_mesh mesh;    /* mesh of the obstacle; its vertices are relative to `position`, in the axes `frame` */
    /* A mesh that deforms is given by its vertex positions at several times; between two times, the vertex positions are
     * interpolated linearly. Before the first and after the last given time, the shape of a deforming mesh is constant.
     * `mesh.vertex` may then be NULL. In addition to its deformation, a mesh obstacle moves rigidly with `motion`. */
    const double *mesh_vertex; /* array (mesh_times x vertices x 3): vertex positions at each time (m), or NULL */
    const double *mesh_time;   /* array (mesh_times): s, increasing */
    int mesh_times;
    bool hollow;         /* disk */
    const double *point; /* array (points x 2): chain */
    int points;
    bool closed;                     /* true: the last point of a chain is joined to its first point */
    bool solid;                      /* true: a chain or arc is solid on its right side, seen from its start to its end */
    double angle, curvature, length; /* arc: direction at the start (rad), curvature (1/m), length (m) */
    cst_motion motion;               /* rotation about `position` */
    cst_surface surface;
} cst_obstacle_def;

cst_obstacle_def cst_obstacle_def_default(void);
cst_obstacle_id cst_world_add_obstacle(cst_world *world, const cst_obstacle_def *def, char *message, size_t message_size);

#include "capstan/constraint.h"

/* ------------------------------------------------------------------------------------------------------------------ step */

typedef struct cst_energies {
    double kinetic, elastic, gravity; /* present energies (J); the gravity potential is zero at the origin */
    /* works of forces (J), summed since the world was created; loading a checkpoint restores the sums of the saved world.
     * Positive work adds energy to the bodies. */
    double loads;       /* work of point loads and distributed loads */
    double constraints; /* work of prescribed motions */
    double normal;      /* work of normal impulses: impacts, moving obstacles, removal of penetration */
    double friction;    /* work of tangential impulses */
    double viscosity, drag;
    double scheme;    /* energy change by the numerical damping of the theta scheme (docs/world.md) */
    double forgotten; /* kinetic energy that quasi-static steps discard */
    /* unexplained energy (J): the change of kinetic + elastic + gravity energy since the start, minus all works; an error
     * caused by the linearisation of the geometry */
    double unexplained;
    /* Energy moved (J), a reference for the error `unexplained`: the energy that was put into the bodies, or released by them,
     * since the start. The results of a run are doubtful if the energy error `unexplained` exceeds 1 % of the energy moved
     * (docs/world.md). The energy moved is the sum of four terms: the initial kinetic energy; the largest decrease of elastic +
     * gravity energy since the start; the positive works of loads, prescribed motions and moving obstacles; the energy that the
     * bodies gained without work. */
    double moved;
} cst_energies;

/* Wall clock time (s) of a step by phase, summed over all attempts and linearisations of the step. Times are not reproducible.
 * The phases of a step do not overlap; the sum of all phases, including `other`, is seconds_total. */
typedef struct cst_step_seconds {
    /* time to set up the step: memory, groups of bodies joined by constraints, order of the unknowns, list of contact shapes */
    double begin;
    double place; /* time to compute the positions of the bodies at the start and at the predicted end of the step */
    /* time to assemble the equations of motion of all bodies and, for bodies without loads and constraints, to compute the
     * velocities that the bodies would have without contacts */
    double assemble;
    double free_motion; /* for bodies with loads or constraints: time to compute their velocities without contacts */
    double detect;      /* time to find the contacts of the step (broad and narrow phase) */
    /* time to match the contacts with those of the previous step and to find their friction coefficients; in a repeated
     * linearisation that keeps the detected contacts, time to move these contacts with the bodies */
    double track;
    double rows; /* time to compute the contact Jacobian */
    /* time to set up the friction solver (colouring of contacts, factorisation) and to compute body velocities from impulses */
    double friction_setup;
    double friction_solve; /* time for sweeps and Newton steps */
    double friction_judge; /* time to evaluate the residual */
    /* time to build the friction problem, to pass its solution to contacts and bodies, and to compute the work of the contact
     * forces */
    double apply;
    /* time to find the penetration at the end of the step (broad and narrow phase), and the centrelines and triangles that
     * cross */
    double detect_end;
    /* time to compute the position errors of the constraints and the largest displacement of the bodies in the step */
    double end;
    double finish; /* time to update the state */
    double energy; /* time to compute the contact shapes and the energies of the bodies after the step */
    double other;  /* the remaining time of seconds_total */
} cst_step_seconds;

typedef struct cst_step_report {
    cst_status status;
    double time;  /* time at the end of the step (s) */
    double dt;    /* s */
    int64_t step; /* steps done since the start */
    /* number of times that the step was repeated, with half its length or with smaller coefficients of restitution */
    int retries;
    int contacts;
    int new_contacts; /* number of contacts that did not exist in the previous step */
    /* Number of contact unknowns (dim x contacts) divided by the number of velocity unknowns of all bodies; if this ratio is
     * above 1, the Delassus matrix W is singular. */
    double nu;
    int sticking, sliding;
    int islands;
    /* Largest number of friction solver iterations of any island (connected group of bodies) in a Newton iteration, summed over
     * all Newton iterations of the step. */
    int iterations;
    int iterations_total;  /* friction solver iterations, summed over all islands and all Newton iterations */
    int newton_iterations; /* number of Newton iterations (linearisations) of the step */
    cst_solver solver;
    cst_form form;
    /* residual of the step's friction problem; residual.error is 0 in a step without contacts and constraints */
    cst_residual residual;
    double penetration;      /* deepest penetration at the end of the step (m) */
    int crossings;           /* number of pairs of triangles of sheets that cross at the end of the step; `message` says where */
    double constraint_error; /* largest position error of a constraint at the end of the step (m) */
    double motion;           /* largest displacement of any point of a body in the step (m) */
    double imbalance;        /* largest unbalanced force (N) on a body before the last Newton iteration of a quasi-static step */
    cst_energies energy;
    cst_step_seconds seconds; /* wall clock, not reproducible, as seconds_total */
    double seconds_total;
    char message[256];
} cst_step_report;

/* Advances the world by one accepted step, of length dt or of dt divided by a power of two. CST_TOLERANCE_MISSED means that the
 * friction solver did not reach its tolerance, or that the Newton iteration of the step did not converge, even after all
 * permitted halvings of dt; the step is then done with the best solution found. Any status other than CST_SOLVED and
 * CST_TOLERANCE_MISSED leaves the world unchanged. */
cst_status cst_world_step(cst_world *world, cst_step_report *report);

double cst_world_time(const cst_world *world); /* s */
int64_t cst_world_steps(const cst_world *world);
/* Returns the number of full steps of length dt done so far, or -1 if the time is not a multiple of dt. */
int64_t cst_world_whole_steps(const cst_world *world);
void cst_world_energies(const cst_world *world, cst_energies *out);

/* --------------------------------------------------------------------------------------------------------------- looking */

typedef struct cst_contact_view {
    uint64_t id;    /* identifier that does not change while the contact lasts */
    cst_party a, b; /* `a` is always a body */
    /* arc length (m) of the contact point along a rod, a fiber, a chain or an arc, or along the perimeter of a polygon; on a 2D
     * half-plane, the coordinate (m) along its border; otherwise 0 */
    double s_a, s_b;
    double position[3]; /* m */
    double normal[3];   /* from b to a */
    double force[3];    /* force of object `b` on body `a` (N): impulse / dt */
    double velocity[3]; /* velocity of body `a` relative to object `b` at the contact (m/s) */
    double r[3], u[3];  /* impulse and relative velocity of the contact in the contact frame, normal component first */
    double gap;         /* gap of the contact at the start of the step (m) */
    double mu;
    double error; /* residual error of this contact alone */
    cst_local_case contact_case;
} cst_contact_view;

/* Sets *out to the array of the contacts of the last step, and returns their number. The next step overwrites the array of
 * contacts, or replaces it by a larger one. An array of contacts that was returned earlier stays readable as long as the world
 * exists. */
int cst_world_contacts(const cst_world *world, const cst_contact_view **out);

int cst_world_bodies(const cst_world *world); /* ids are 1 to this number */
int cst_world_obstacles(const cst_world *world);
int cst_world_constraints(const cst_world *world);
const char *cst_world_body_name(const cst_world *world, cst_body_id body); /* "" if none */
const char *cst_world_obstacle_name(const cst_world *world, cst_obstacle_id obstacle);
const char *cst_world_constraint_name(const cst_world *world, cst_constraint_id constraint);

typedef enum cst_drawn_as {
    CST_DRAWN_CURVE = 0, /* a curve is drawn by the vertices of its centreline, in order, each with a radius */
    /* A disk (a ball in 3D) has a centre vertex and a radius. A second vertex (in 3D also a third vertex) moves with the disk or
     * ball, so that its rotation can be drawn. */
    CST_DRAWN_DISK,
    CST_DRAWN_OUTLINE,    /* a closed polygon */
    CST_DRAWN_HALF_PLANE, /* 2 vertices: a point p of the straight line (3D: plane) that bounds the solid, and p + unit normal */
    CST_DRAWN_HOLLOW_DISK,
    CST_DRAWN_MESH /* 3D: triangles between the vertices (cst_world_body_triangles, cst_world_obstacle_triangles) */
} cst_drawn_as;

/* A body or an obstacle at the present time, as vertices that can be drawn. The functions cst_world_draw_... write 3 values of
 * `position`, one of `radius` and one of `curvature` for each vertex to arrays of the caller. Any array may be NULL. */
typedef struct cst_drawing {
    cst_drawn_as as;
    int vertices;
    bool closed;
} cst_drawing;

/* `samples`: vertices per rod element. */
cst_drawing cst_world_draw_body(const cst_world *world, cst_body_id body, int samples, double *position, double *radius,
                                double *curvature);
cst_drawing cst_world_draw_obstacle(const cst_world *world, cst_obstacle_id obstacle, double *position, double *radius);

/* Returns the number of triangles of a body or obstacle that is drawn as a mesh, otherwise 0. Writes 3 vertex numbers per
 * triangle to `out`, unless it is NULL. The triangles of a mesh never change during a run. */
int cst_world_body_triangles(const cst_world *world, cst_body_id body, int32_t *out);
int cst_world_obstacle_triangles(const cst_world *world, cst_obstacle_id obstacle, int32_t *out);

/* Returns the number of generalised coordinates and velocities of a body. `out`: array for the generalised coordinates and
 * velocities (docs/cache.md), or NULL. */
int cst_world_body_state(const cst_world *world, cst_body_id body, double *out);

/* Computes the present position, angle and velocity of a material point of a body, or of a point of the world (place->body = 0).
 * Returns false if the body does not exist or the place is not on the body. Any output may be NULL. */
bool cst_world_place(const cst_world *world, const cst_place *place, double *position, double *angle, double *velocity);
/* Computes the present position, frame and velocities of a material point of a body in 3D. `frame`: (3 x 3) rotation at the
 * point, row-major; for a fiber its columns are the tangent and the two directors of the cross-section. `turn`: angular velocity
 * (3). Any output may be NULL. */
bool cst_world_place_space(const cst_world *world, const cst_place *place, double *position, double *frame, double *velocity,
                           double *turn);

/* The function cst_world_constraint_force computes the force and the moment that a constraint exerted in the last step on the
 * body that contains the point `a` of the constraint; the moment is about the point `a`. The function cst_world_obstacle_force
 * computes the force of all contacts on an obstacle in the last step. */
void cst_world_constraint_force(const cst_world *world, cst_constraint_id constraint, double *force, double *moment);
void cst_world_obstacle_force(const cst_world *world, cst_obstacle_id obstacle, double *force);
/* Computes the force and the moment that the clamp exerts on the start (root) of a clamped rod or fiber; the moment is about the
 * root. Returns false, with force and moment zero, if the body has no clamp. */
bool cst_world_root_force(const cst_world *world, cst_body_id body, double *force, double *moment);

/* Computes the present displacement of an obstacle, or of the point `b` of a constraint, by its prescribed motion. Without a
 * motion it is zero. The outputs `translation` and `rotation` have 3 components each and may be NULL. */
void cst_world_constraint_displacement(const cst_world *world, cst_constraint_id constraint, double *translation,
                                       double *rotation);
void cst_world_obstacle_displacement(const cst_world *world, cst_obstacle_id obstacle, double *translation, double *rotation);

#include "capstan/state.h"

/* ---------------------------------------------------------------------------------------------------------- checkpoints */

/* A checkpoint contains all data that the steps of a world change and on which later steps depend: states of the bodies, contact
 * impulses for the warm start of the solver, data of the adaptive choice of dt, and energies. A world that is built by the same
 * calls as the saved world, and then loads the checkpoint, continues with bitwise the same results. The function cst_world_save
 * returns the size of the checkpoint in bytes, and writes the checkpoint to `out` if `capacity` is at least this size. */
size_t cst_world_save(const cst_world *world, void *out, size_t capacity);
bool cst_world_load(cst_world *world, const void *from, size_t size, char *message, size_t message_size);

/* ---------------------------------------------------------------------------------------------------------------- statics */

/* Moves the bodies to an equilibrium under gravity and loads.
 *
 * If every rod and fiber is clamped (field `clamped`) and none has a constraint, each rod and fiber goes to a stable equilibrium
 * of its own, and contacts are ignored. For a super-circle rod or a super helix, the search for the equilibrium starts at the
 * natural shape, and gravity and loads are increased from zero to their full values. For a fiber whose unknowns are node
 * positions, the search for the equilibrium starts at its present shape.
 *
 * If a rod or fiber has no clamp, or has a constraint, all bodies go to a common equilibrium with contacts and friction, as in a
 * quasi-static step during which no time passes. The search for a common equilibrium fails if a body moves away because no clamp,
 * constraint or contact holds it.
 *
 * `tolerance`: relative tolerance of the forces and moments, used only if each rod and fiber goes to its own equilibrium.
 * `iterations`: receives the number of Newton iterations, or NULL. */
bool cst_world_find_equilibrium(cst_world *world, double tolerance, int *iterations, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
