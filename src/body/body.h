/* The interface between a body and the world. Every model has dynamics of the same form,
 *
 *     A v = rhs + H^T r,      and the velocity of a material point is J v + drift.
 *
 * The unknowns v (dofs) of a step are the generalised velocities at the END of the step. Motions imposed on the body itself (a
 * clamped root) are not unknowns: they enter rhs and `drift`, the part of a point's velocity that does not depend on v. Over a
 * step, an imposed motion counts as a motion with constant velocity, the displacement divided by dt; `drift` uses this
 * velocity. An obstacle also has a constant velocity over a step.
 *
 * The world calls the following functions of a body in a step:
 *     place(NULL)                                  shapes and points at the present position
 *     assemble(frame, NULL)                        A, rhs at the start of the step; A is factorised
 *     shapes, point                                contacts are found
 *     [ place(v), assemble(frame, v) again         iterated step: relinearised at the guess ]
 *     finish(frame, v)                             updates the state.
 * Theta scheme (docs/world.md): v_theta = theta v+ + (1 - theta) v, q+ = q + dt v_theta, with elastic forces at q + theta dt
 * v_theta. Each body applies the scheme to its own equations; theta = 1 is implicit Euler.
 *
 * The state of a body changes only in `finish`: to discard a step, the world does not call `finish`. */
#ifndef CST_BODY_BODY_H
#define CST_BODY_BODY_H

#include "capstan/capstan.h"
#include "collide/feature.h"
#include "collide/feature_patch.h"
#include "collide/shape.h"
#include "collide/shape_space.h"

typedef struct cst_step_frame {
    int dim;
    double time; /* at the start of the step */
    double dt;
    double whole; /* s: full step length, before halvings; 0: dt */
    double theta;
    double gravity[3];
    bool quasi_static; /* velocities at the start count as zero */
    bool iterated;     /* true: A and rhs are assembled again at one or more guesses */
    /* s: time that passes in the step. If `span` is 0, the time that passes is dt. In a step to an equilibrium, dt only
     * converts displacements to velocities, and loads and motions change over the time `span` (world/quasi_static.h). */
    double span;
    int threads; /* threads that the only body of a world may use; 0 or 1: one thread */
} cst_step_frame;

static inline double cst_frame_span(const cst_step_frame *frame)
{
    return frame->span > 0.0 ? frame->span : frame->dt;
}

/* Returns the time at the end of the step. */
static inline double cst_frame_end(const cst_step_frame *frame)
{
    return frame->time + cst_frame_span(frame);
}

/* A material point of a body: the number of an element or triangle, and a place on it. */
typedef struct cst_material_point {
    int32_t feature; /* index of the element of a rod or of the triangle of a sheet; 0 for a rigid body */
    double s;        /* m: arc length from the start of the element */
    double local[3]; /* rigid body: position in its frame; sheet: barycentric weights of the corners */
} cst_material_point;

/* The motion of a material point: velocity J v + drift, angular velocity J_turn v + drift_turn (3 rows in 3D, 1 in 2D). */
typedef struct cst_point_motion {
    int32_t dofs;
    int32_t *dof;   /* (dofs) increasing */
    double *j;      /* (dim x dofs) row-major */
    double *j_turn; /* Jacobian of the angular velocity (1 row in 2D, 3 rows in 3D) */
    double drift[3];
    double drift_turn[3];
    double position[3]; /* position of the point in the last placement of the body */
    double frame_angle; /* 2D, rad: angle from x to the tangent (rod) or body axis */
    double frame[9];    /* 3D: row-major rotation of the body at the point; columns of a fiber: t, d1, d2 */
} cst_point_motion;

/* A piece of the centreline of a body in 3D: one element of a fiber. */
typedef struct cst_curve_piece {
    double length, radius; /* m */
    double curvature;      /* 1/m: largest curvature of the piece in the last placement */
    double s;              /* m: arc length from the owner's start to the piece */
    double owner_length;   /* m: length of the whole owner */
    bool owner_closed;     /* s is cyclic */
} cst_curve_piece;

typedef struct cst_point_load {
    cst_material_point at;
    double force[3], moment[3];
} cst_point_load;

typedef struct cst_body_energy {
    double kinetic, elastic, gravity;
} cst_body_energy;

/* Works (J) done on the body in the last step that `finish` completed. */
typedef struct cst_body_work {
    double loads;      /* work of the body's own distributed loads */
    double constraint; /* work of the imposed root motion */
    double viscosity, drag, scheme, forgotten;
} cst_body_work;

/* The dynamics of a body in a step. */
typedef struct cst_body_dynamics {
    int (*dofs)(const void *self);

    /* Places the body at its present position if v is NULL; if v is given, places the body at the end of the step that has the
     * velocities v at its end. Returns false if a position is not finite. */
    bool (*place)(void *self, const cst_step_frame *frame, const double *v);

    /* Computes A and rhs, and the data that `solve` needs. If `guess` is NULL, the body is linearised at the start of the step,
     * else at the end of the step that this guess of v gives. */
    bool (*assemble)(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);
    double *(*rhs)(void *self);                  /* (dofs) right-hand side, to which the world may add dt J^T f after assemble */
    bool (*solve)(void *self, double *x);        /* computes x <- A^-1 x; different threads may call it for different bodies */
    void (*describe)(void *self, cst_body *out); /* fills in kind, size, matrix, rhs and solve for the friction solver */

    /* Writes the generalised velocities (dofs) at the start of the step, in the order of v and in the coordinates of the last
     * linearisation. Call this function after `assemble`. The works of a step are computed with theta v plus (1 - theta) times
     * these start velocities. */
    void (*velocities)(const void *self, double *v);
    /* Returns the largest distance that any point of the body travels in a step that ends with the velocities v. */
    double (*motion)(const void *self, const cst_step_frame *frame, const double *v);

    /* Applies an impulse and a moment (3 components each) at the material point `at`. After each solution, and before `finish`,
     * the world calls this function for every impulse that acts on the body (contacts, constraints, dt times loads). A body
     * with an imposed motion (a clamped root) needs all impulses to compute the reaction of the clamp and the work of the
     * imposed motion. When a body is assembled at a guess, it needs the impulses to compute how their generalised forces change
     * with its shape. `assemble` clears the impulses. If `push` is NULL, the body does not need the impulses. */
    void (*push)(void *self, const cst_material_point *at, const double *impulse, const double *moment);
    /* Tells the body a point at which the last detection found a contact. Before each `assemble`, the world calls this function
     * from one thread for all contacts of the body, and then once with `at` NULL. A body may use the contact points to choose
     * the order in which it eliminates its unknowns. If `expect` is NULL, the body does not use the contact points. */
    void (*expect)(void *self, const cst_material_point *at);
    /* Called for a contact that rolls: the impulse of the last `push` moves along the body as the body rotates, which resists a
     * change of the body's angle at the point `at` with the stiffness `hold` (N s m). `assemble` at a guess uses the stiffness
     * `hold` and then clears it. If `roll` is NULL, the body does not use this stiffness. */
    void (*roll)(void *self, const cst_material_point *at, double hold);

    /* Tells the body that the world holds the rotation of a point from this call on (`held` true), or no longer holds it. A
     * body with one rotation per edge adapts the joints next to the edge, because the held point need not be in the middle of
     * the edge (rod/nodal_hold_frame.c). If `hold_frame` is NULL, every point of the body has its own rotation. */
    void (*hold_frame)(void *self, const cst_material_point *at, bool held);

    void (*finish)(void *self, const cst_step_frame *frame, const double *v);
    void (*energy)(const void *self, const double *gravity, cst_body_energy *out);
    void (*work)(const void *self, cst_body_work *out); /* works of the last finish */
} cst_body_dynamics;

/* Saves and loads the whole state of a body as doubles; docs/cache.md gives their order. */
typedef struct cst_body_state {
    int (*size)(const void *self);
    void (*save)(const void *self, double *to);
    void (*load)(void *self, const double *from);
} cst_body_state;

/* Material points: their positions and motions. */
typedef struct cst_body_places {
    /* Returns the largest number of dofs that move one point; the arrays of cst_point_motion need this size. */
    int (*point_dofs)(const void *self);
    /* Finds the material point of a place given by the user; returns false if the place is not on the body. */
    bool (*locate)(const void *self, const cst_place *place, cst_material_point *out);
    /* Finds the material point that is touched at x, in the last placement of the body. `at`: the touched feature (an arc, a
     * piece, a vertex, an edge, a face). `along`: m, arc length from the start of the feature if it is a curve. Returns true if
     * *out is on the centreline, so that the contact has a lever arm from there to x; returns false if *out is at x. */
    bool (*touched)(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out);

    /* Computes the motion of a material point; the arrays in *out belong to the caller and hold at least point_dofs dofs. */
    void (*point)(const void *self, const cst_material_point *at, cst_point_motion *out);
    /* Computes the same as `point`, but J and the position are those at q + theta dt v_theta, where the forces of a step with
     * theta < 1 act (`guess` NULL: the present v). Constraints use this function, because a pin whose force is taken at the
     * start of a fast rotation gains energy. NULL: `point` is used instead. */
    void (*point_between)(const void *self, const cst_step_frame *frame, const double *guess, const cst_material_point *at,
                          cst_point_motion *out);
    /* Computes velocity and angular velocity of a point in the present state, at the start of the step. `turn` has 3
     * components. */
    void (*velocity)(const void *self, const cst_material_point *at, double *velocity, double *turn);
    /* Computes the position of a point in the present state, at the start of the step. If `position` is NULL, the path of a
     * point in a step is a straight line or a circle that follows from J. */
    void (*position)(const void *self, const cst_material_point *at, double *position);
    /* Computes, in the present state at the start of the step, the acceleration J'(v) v of a point for constant generalised
     * velocities, and the curvature dt/ds of the centreline there. A step that moves the point by dt J v also moves the point
     * by half dt^2 times the acceleration J'(v) v. NULL: points move on straight lines. */
    void (*acceleration)(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
} cst_body_places;

/* The contact shapes in the last placement: arcs in 2D; pieces of centrelines and solids in 3D. */
typedef struct cst_body_surface {
    bool self_contact; /* the body may touch itself */

    int (*arcs)(const void *self);                          /* NULL in 3D */
    void (*arc)(const void *self, int index, cst_arc *out); /* with feature and offset filled */

    int (*pieces)(const void *self); /* NULL in 2D */
    void (*piece)(const void *self, int index, cst_curve_piece *out);
    /* computes the point x and the tangent of a piece at arc length s in [0, length]; `tangent` may be NULL */
    void (*curve)(const void *self, int index, double s, double *x, double *tangent);

    /* Returns a hash key of the numbers that determine the result of `curve` for a piece, except its length and the numbers of
     * earlier pieces. NULL: there is no key. */
    uint64_t (*curve_key)(const void *self, int index);

    /* The functions `ends`, `pose` and `drift` have the meaning of those in cst_curve_view: `ends` gives both ends of a piece
     * and their tangents, `pose` gives the pose of a piece, and `drift` how far its points moved since an earlier pose. NULL:
     * as in cst_curve_view. */
    void (*ends)(const void *self, int index, double x[2][3], double tangent[2][3]);
    void (*pose)(const void *self, int index, double *out);
    double (*drift)(const void *self, int index, const double *was);
    /* Computes the displacement of the points at 1/4, 1/2 and 3/4 of a piece from the start of the step to the present
     * placement, minus the displacement interpolated linearly between the ends of the piece. The displacements are zero if the
     * piece is placed at its position at the start of the step. NULL: the pieces are straight. */
    void (*bow)(const void *self, int index, double out[CST_QUARTERS - 1][3]);

    /* Computes the motion of each piece in a step that ends with the velocities v. `out`: (pieces). */
    void (*piece_ways)(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out);

    /* Computes the motion of each piece or arc from the start of the step to its present placement. `out`: (pieces or arcs).
     * If `moved` is NULL, all pieces are straight, no two pieces of the body touch, and the caller gets the old positions of
     * their ends from `touched` and `position`. */
    void (*moved)(const void *self, cst_piece_move *out);
    /* Computes where a material point was at the start of the step; the point is at arc length s of a piece or an arc, and is
     * placed at x at present. NULL: `touched` and `position` are used instead. */
    void (*before)(const void *self, int index, double s, const double *x, double *out);

    int (*solids)(const void *self);                            /* boxes, meshes; NULL: none */
    void (*solid)(const void *self, int index, cst_solid *out); /* with feature filled */
    void (*solid_way)(const void *self, const cst_step_frame *frame, const double *v, int index, cst_solid_way *out);
    /* For a solid whose triangles move separately: finds the place of its middle surface at x, on triangle `part`. *out: all
     * fields but `owner`. `at` (3): coordinates of the place in the material, by which places are distinguished. NULL: solids
     * move as a whole. */
    void (*on_solid)(const void *self, int32_t part, const double *x, cst_material_place *out, double *at);

    /* Computes the vertices, edges and faces in 3D that may touch those of other bodies, at the start and at the end of a step
     * that ends with the velocities v (v NULL: the body does not move). Fills in all fields but `owner`. Returns false if the
     * body has no vertices, edges or faces that may touch at present. NULL: the body never has any. */
    bool (*features)(const void *self, const cst_step_frame *frame, const double *v, cst_feature_body *out);
} cst_body_surface;

typedef struct cst_body_look {
    cst_drawing (*draw)(const void *self, int samples, double *position, double *radius, double *curvature);
    int (*triangles)(const void *self, int32_t *out); /* NULL: not drawn as a mesh */

    /* The vertices that represent the body in the arrays of capstan/state.h: ends of the elements of a rod, nodes, or the
     * centre of mass of a rigid body. `vertex` returns the material point and the contact radius of a vertex. The triangles of
     * a sheet refer to the vertices of this list. NULL: none. */
    int (*vertices)(const void *self);
    void (*vertex)(const void *self, int index, cst_material_point *at, double *radius);
} cst_body_look;

/* Quantities from which the length of a step to an equilibrium is chosen. */
typedef struct cst_body_scale {
    double mass;      /* kg */
    double length;    /* m: length of the body; 0: the body does not bend */
    double stiffness; /* N/m: bending stiffness / length^3 */
    bool clamped;     /* the body has its own clamp */
} cst_body_scale;

/* Functions of a body for steps to an equilibrium, theta = 1 (world/quasi_static.h). */
typedef struct cst_body_statics {
    void (*scale)(const void *self, cst_body_scale *out);
    /* Call after assemble at the guess. Adds the product P w to rhs and, for a clamped root, to the data from which the
     * reaction of the clamp is computed. P is the part of A that is not stiffness (mass, drag, viscosity), and w are the
     * velocities of the guess, including imposed velocities. Returns w . P w. */
    double (*hold)(void *self, const cst_step_frame *frame, const double *guess);
    /* Computes force (N) and moment (N m), about the root, of the clamp on the root in the last finished step. If `root_force`
     * is NULL, the body has no clamped root. */
    void (*root_force)(const void *self, double *force, double *moment);
    /* Returns the motion of the clamped root, which may be replaced between steps. If this function is NULL or returns NULL,
     * the root is free. */
    cst_motion *(*root_motion)(void *self);
} cst_body_statics;

/* Newton's method for statics: moves the body to an equilibrium under gravity and the loads, without contact. */
typedef bool cst_body_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads,
                                  double tolerance, int *iterations, char *message, size_t message_size);

/* A model of a body. Models of one family share tables. */
typedef struct cst_body_class {
    const char *name; /* "super-circle, mixed" */
    const cst_body_dynamics *dynamics;
    const cst_body_state *state;
    const cst_body_places *places;
    const cst_body_surface *surface;
    const cst_body_look *look;
    cst_body_equilibrium *equilibrium; /* NULL: not available for the model */
    const cst_body_statics *statics;   /* NULL: no steps to an equilibrium */
    void (*destroy)(void *self);
} cst_body_class;

typedef struct cst_body_model {
    const cst_body_class *class;
    void *self;
} cst_body_model;

/* Returns the element of sample k of a curve that is drawn with `per_element` samples per element; *share is the position in
 * the element as a share of its length. An open curve also has a sample at its end. */
static inline int cst_element_sample(int k, int per_element, int elements, double *share)
{
    const bool end = k / per_element == elements;
    *share = end ? 1.0 : (double)(k % per_element) / per_element;
    return end ? elements - 1 : k / per_element;
}

/* Returns the material point at the start of element `index` of a rod or, if `index` equals the number of elements, at the end
 * of the last element, which has the length `last`. */
static inline cst_material_point cst_element_end(int index, int elements, double last)
{
    return index < elements ? (cst_material_point){.feature = index} : (cst_material_point){.feature = elements - 1, .s = last};
}

/* Implements cst_body_places.touched for all bodies whose contacts refer to their centreline. */
bool cst_touched_centreline(const void *self, const cst_material_place *at, double along, const double *x,
                            cst_material_point *out);

#endif
