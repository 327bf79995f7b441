/* The interface between a body and the world. The linearised dynamics of every body are a linear system for its velocities at the
 * end of a step:
 *
 *     `A v = rhs+H^T r`.
 *
 * Symbols:
 *     `A`: system matrix of the body.
 *     `rhs`: right-hand side.
 *     `v`: generalised velocities, end of step.
 *     `H`: Jacobian of the contacts.
 *     `r`: contact impulses.
 *
 * The velocity of a material point is J v + drift: J is the Jacobian of the point, v are the generalised velocities of the body,
 * and `drift` is the velocity that imposed motions give to the point.
 *
 * The unknowns of a step are the generalised velocities at the end of the step. The prescribed motion of a clamped root is not an
 * unknown: it contributes to the right-hand side and to the velocities of material points. Within a step, an imposed motion or a
 * moving obstacle has a constant velocity: its displacement in the step divided by dt.
 *
 * In each step, the world calls the functions of a body model in this order:
 *     `place`: moves the contact shapes.
 *     `assemble`: computes and factorises A.
 *     `point`: computes the motion of a contact point; the functions of cst_body_surface return the contact shapes.
 *     `finish`: updates the state.
 *
 * In the first linearisation of a step, the function `place` is called without velocities and moves the contact shapes to the
 * present position of the body. For each further linearisation of the step, the functions `place` and `assemble` are called with
 * the predicted end velocities of the body as argument. The state of a body changes only in the function `finish`, which the
 * world does not call for a discarded step.
 *
 * The theta scheme (docs/world.md) takes a step from the positions q and velocities v to q+ and v+. The mean velocity of the
 * theta scheme is v_theta, and the elastic forces are evaluated at the intermediate positions q_mid:
 *     `v_theta = theta v+ + (1-theta)v`.
 *     `q+ = q + dt v_theta`.
 *     `q_mid = q+theta dt v_theta`.
 * Each body applies the theta scheme to its own equations; theta = 1 is implicit Euler. */
#ifndef CST_BODY_BODY_H
#define CST_BODY_BODY_H

#include "base/prefetch.h"
#include "capstan/capstan.h"
#include "collide/feature.h"
#include "collide/feature_patch.h"
#include "collide/shape.h"
#include "collide/shape_space.h"

typedef struct cst_step_frame {
    int dim;
    double time; /* time (s) at the start of the step */
    double dt;
    double whole; /* length (s) of a full time step, before it is halved; 0: the same as `dt` */
    double theta;
    double gravity[3];
    bool quasi_static; /* true for a quasi-static step, in which initial velocities count as zero */
    /* true if the step must be linearised several times: time_step.iterations > 1, theta < 1, or a step to an equilibrium */
    bool iterated;
    /* Time (s) by which loads and prescribed motions advance in the step; 0: the step length dt. In a step to an equilibrium, dt
     * is no simulated time, but only a factor that converts velocities to displacements (world/quasi_static.h). */
    double span;
    int threads; /* number of threads that the functions of a body are allowed to use; 0 or 1: one thread */
} cst_step_frame;

static inline double cst_frame_span(const cst_step_frame *frame)
{
    return frame->span > 0.0 ? frame->span : frame->dt;
}

static inline double cst_frame_end(const cst_step_frame *frame)
{
    return frame->time + cst_frame_span(frame);
}

/* A material point of a body: the index of an element or triangle, and coordinates on it. */
typedef struct cst_material_point {
    int32_t feature; /* index of the element of a rod or of the triangle of a sheet; 0 for a rigid body */
    double s;        /* on a rod: arc length (m) of the point from the start of its element */
    /* rigid body: position of the point in the body's frame; sheet: barycentric weights of the point in its triangle */
    double local[3];
} cst_material_point;

/* The motion of a material point of a body with the generalised velocities v. The velocity of the point is J v + drift, and its
 * angular velocity is J_turn v + drift_turn; J and J_turn are Jacobians, and imposed motions cause the terms drift and
 * drift_turn. */
typedef struct cst_point_motion {
    int32_t dofs;
    int32_t *dof;   /* array (dofs): increasing indices of the generalised velocities on which the material point depends */
    double *j;      /* array (dim x dofs): Jacobian of the material point's velocity, row-major */
    double *j_turn; /* array (1 or 3 rows x dofs): Jacobian of the angular velocity at the material point (1 row in 2D) */
    double drift[3];
    double drift_turn[3];
    double position[3]; /* position of the point after the last call of the body's function `place` */
    double frame_angle; /* in 2D: angle (rad) from the x axis to the tangent of a rod or to the axis of a rigid body */
    /* 3D: rotation matrix (row-major) of the body's frame at the point. For a fiber, the columns of the rotation matrix are the
     * tangent and the two directors of the cross-section. */
    double frame[9];
} cst_point_motion;

/* One element of the centreline of a body in 3D, for example of a fiber. */
typedef struct cst_curve_piece {
    double length, radius; /* m */
    double curvature;      /* largest curvature (1/m) of the element in its present shape */
    double s;              /* arc length (m) from the start of the body to the start of the element */
    double owner_length;   /* length of the whole body (m) */
    bool owner_closed;     /* true if the centreline of the body is closed, so that its arc length is periodic */
} cst_curve_piece;

typedef struct cst_point_load {
    cst_material_point at;
    double force[3], moment[3];
} cst_point_load;

typedef struct cst_body_energy {
    double kinetic, elastic, gravity;
} cst_body_energy;

/* Works (J) done on the body in its last completed step. */
typedef struct cst_body_work {
    double loads;      /* work of the body's distributed loads */
    double constraint; /* work of the imposed root motion */
    double viscosity, drag, scheme, forgotten;
} cst_body_work;

typedef struct cst_body_dynamics {
    int (*dofs)(const void *self);

    /* Moves the contact shapes of the body to its predicted position at the end of a step with the end velocities v, or to its
     * present position if v is NULL. Returns false if a computed position of the body is not finite. */
    bool (*place)(void *self, const cst_step_frame *frame, const double *v);

    /* Computes the system matrix and the right-hand side of the body, and the data that the function `solve` needs. If `guess` is
     * NULL, the body is linearised at its state at the start of the step. If `guess` contains predicted end velocities, the body
     * is linearised at the intermediate positions q_mid of the theta scheme. */
    bool (*assemble)(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);
    double *(*rhs)(void *self); /* array (dofs): right-hand side */
    /* Solves a linear system with the system matrix of the body; the solution replaces the right-hand side x. The function
     * `solve` is called for different bodies by different threads at the same time. */
    bool (*solve)(void *self, double *x);
    void (*describe)(void *self, cst_body *out); /* for the friction solver */

    /* Writes the generalised velocities of the body at the start of the step. `v`: array (dofs), with the same components as the
     * unknown end velocities. The function `velocities` is called after `assemble`, except in quasi-static steps. From the
     * velocities at the start and at the end of the step, the world computes the mean velocities of the step and the works of
     * forces. */
    void (*velocities)(const void *self, double *v);
    /* Returns the largest distance (m) that any point of the body travels in a step with the end velocities v. */
    double (*motion)(const void *self, const cst_step_frame *frame, const double *v);

    /* Applies an impulse and an angular impulse (3 components each) at the material point `at`. Before the function `finish`, the
     * world calls `push` for every impulse on the body. The world passes the impulses of loads (dt times the force) to `push`
     * after each call of `assemble`, and the impulses of contacts and constraints after each solution of the friction problem. A
     * body with a clamped root computes the reaction and the work of its clamp from the applied impulses. If `assemble`
     * linearises the body at predicted end velocities, it includes a geometric stiffness: the derivative, with respect to the
     * shape of the body, of the generalised forces that the applied impulses cause. Each call of `assemble` also resets the sum
     * of the applied impulses to zero. The pointer `push` is NULL if the body does not need the applied impulses. */
    void (*push)(void *self, const cst_material_point *at, const double *impulse, const double *moment);
    /* Informs the body that the last contact detection found a contact at the material point `at`. Before each call of
     * `assemble`, the world calls `expect` once for each contact point of the body, and then once with NULL to end the list; all
     * calls come from one thread. From the contact points, a sheet chooses the nodes that it eliminates last when it factorises
     * its system matrix. The pointer `expect` is NULL if the body does not use the contact points. */
    void (*expect)(void *self, const cst_material_point *at);
    /* Informs the body that a contact rolls along the body: when the body rotates, the contact point moves along the body. The
     * moment of the contact force changes with the rotation of the body like the moment of a torsion spring at the contact point.
     * `at`: the contact point, which is the point of the last call of `push`. `hold`: stiffness of the torsion spring (N s m:
     * angular impulse per radian). The next call of `assemble` with predicted end velocities includes the torsion spring in the
     * equations of the body, and then removes the spring. The pointer `roll` is NULL if the body ignores rolling. */
    void (*roll)(void *self, const cst_material_point *at, double hold);

    /* Informs the body that a constraint begins (`held` true) or ceases (`held` false) to prescribe the rotation at a material
     * point. A rod with one rotation per edge must correct its bending stiffness at both ends of the constrained edge
     * (rod/nodal_hold_frame.c). Without the corrected bending stiffness at the constrained edge, the rod would behave as if its
     * rotation were prescribed in the middle of this edge. The pointer `hold_frame` is NULL if the model of the body does not
     * correct its bending stiffness. */
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
    /* Returns the largest number of dofs on which the motion of a material point depends, which is the size of the arrays in
     * cst_point_motion. */
    int (*point_dofs)(const void *self);
    /* Finds the material point of the body at a location that the user gives; returns false if the location is not on the
     * body. */
    bool (*locate)(const void *self, const cst_place *place, cst_material_point *out);
    /* Finds the material point of the body on which a contact at the position x acts. The position x refers to the shape of the
     * body that the last call of `place` has computed. `at`: the touched feature of the body (an arc, an element of the
     * centreline, a vertex, an edge or a face). `along`: arc length (m) from the start of the touched arc or centreline element
     * to the contact. Returns true if the material point is on the centreline; the contact force at x then has a moment about the
     * material point. Returns false if the contact force has no moment: the material point of a rigid body is at x itself, and
     * the moment about the middle surface of a sheet is neglected. */
    bool (*touched)(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out);

    /* Computes the motion of a material point. The arrays in *out belong to the caller and have memory for as many dofs as the
     * function `point_dofs` returns. */
    void (*point)(const void *self, const cst_material_point *at, cst_point_motion *out);
    /* Computes the motion of a material point at the intermediate positions at which the theta scheme evaluates the forces. The
     * intermediate positions follow from the predicted end velocities `guess` or, if `guess` is NULL, from the velocities at the
     * start of the step. Constraints use the function `point_between`. If the directions of constraint forces were those at the
     * start of the step, a body that rotates fast about a pin joint would gain energy. If `point_between` is NULL, the function
     * `point` is used instead. */
    void (*point_between)(const void *self, const cst_step_frame *frame, const double *guess, const cst_material_point *at,
                          cst_point_motion *out);
    /* Computes the velocity and the angular velocity of a material point at the start of the step. `turn` has 3 components. */
    void (*velocity)(const void *self, const cst_material_point *at, double *velocity, double *turn);
    /* Computes the position of a material point at the start of the step. The pointer `position` is NULL for sheets, and for
     * rigid bodies in 2D. */
    void (*position)(const void *self, const cst_material_point *at, double *position);
    /* Computes the acceleration that a material point has at the start of the step if the generalised velocities stay constant.
     * The acceleration times dt^2 / 2 is the second-order part of the point's displacement in the step. `curvature`: derivative
     * of the centreline's tangent with respect to arc length, at the material point. The pointer `acceleration` is NULL for rigid
     * bodies and sheets. */
    void (*acceleration)(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
} cst_body_places;

/* The contact shapes of a body in the position computed by the last call of its function `place`. The contact shapes are arcs in
 * 2D, and elements of centrelines and solids in 3D. */
typedef struct cst_body_surface {
    bool self_contact; /* the body may touch itself */

    int (*arcs)(const void *self);                          /* NULL in 3D */
    void (*arc)(const void *self, int index, cst_arc *out); /* with feature and offset filled */

    /* returns the number of centreline elements; the pointer `pieces` is NULL for a body without centreline, and in 2D */
    int (*pieces)(const void *self);
    void (*piece)(const void *self, int index, cst_curve_piece *out);
    /* Computes the position x and the tangent of the centreline at the arc length s, in [0, length], from the start of an
     * element. `tangent`: NULL if the tangent is not needed. */
    void (*curve)(const void *self, int index, double s, double *x, double *tangent);

    /* Stores the present shapes of all elements of the centreline. `out`: array with one entry per element, which the caller has
     * set to zero. NULL: no shapes are stored. */
    void (*shapes)(const void *self, cst_piece_shape *out);
    /* The function `inside` computes a point of a centreline element from the element's stored shape. If a caller interpolates
     * the displacement of an element linearly within each quarter of the element's length, the error is at most the distance (m)
     * that the function `drift` returns. `was`, `is`: shapes of the element before and after the displacement. The pointers
     * `inside` and `drift` may be NULL (see cst_curve_view in collide/shape_space.h). */
    void (*inside)(const cst_piece_shape *shape, double s, double *x);
    double (*drift)(double length, const double *was, const double *is);
    /* Computes how an element has bent since the start of the step: the displacement of the points at 1/4, 1/2 and 3/4 of the
     * element's length, minus the linear interpolation between the displacements of its ends. NULL: zero. */
    void (*bow)(const void *self, int index, double out[CST_QUARTERS - 1][3]);

    /* Computes the displacement of each element of the centreline in a step with the end velocities v. `out`: array (pieces). */
    void (*piece_ways)(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out);

    /* Computes the displacement of each centreline element or arc of the body from the start of the step to its present position.
     * `out`: array (pieces or arcs). The pointer `moved` may be NULL for a body with straight elements and without self-contact.
     * If `moved` is NULL, the caller computes the displacements of the ends of the elements with the functions `touched` and
     * `position`. */
    void (*moved)(const void *self, cst_piece_move *out);
    /* Computes where a material point was at the start of the step. `x`: present position of the material point. `s`: arc length
     * of the material point on the centreline element or arc `index`. If the pointer `before` is NULL, the caller uses the
     * functions `touched` and `position` instead. */
    void (*before)(const void *self, int index, double s, const double *x, double *out);

    int (*solids)(const void *self);                            /* boxes, meshes; NULL: none */
    void (*solid)(const void *self, int index, cst_solid *out); /* with feature filled */
    void (*solid_way)(const void *self, const cst_step_frame *frame, const double *v, int index, cst_solid_way *out);
    /* For a solid that deforms (a sheet): finds the material point of the middle surface at the position x on the triangle
     * `part`. Sets all members of the material point *out except `owner`, the number of the body. `at` (3): coordinates of the
     * material point in the undeformed sheet, by which contacts at different points are distinguished. The pointer `on_solid` is
     * NULL if the solids of the body move without deforming. */
    void (*on_solid)(const void *self, int32_t part, const double *x, cst_material_place *out, double *at);

    /* Lists the vertices, edges and faces of the body that are tested for contact in 3D. The positions of the vertices are given
     * at the start and at the end of a step with the end velocities v (v NULL: the body does not move). Sets all fields of the
     * list *out except `owner`, the number of the body. Returns false if the body has no vertices, edges or faces at present.
     * NULL: the body never has any. */
    bool (*features)(const void *self, const cst_step_frame *frame, const double *v, cst_feature_body *out);
} cst_body_surface;

typedef struct cst_body_look {
    cst_drawing (*draw)(const void *self, int samples, double *position, double *radius, double *curvature);
    int (*triangles)(const void *self, int32_t *out); /* the pointer `triangles` is NULL for a body that is not drawn as a mesh */

    /* The vertices represent a body in the arrays of capstan/state.h: the ends of the elements of a rod, the nodes of a sheet, or
     * the centre of mass of a rigid body. The function `vertex` gives the material point and the contact radius (m) of a vertex;
     * the function `triangles` gives the triangles of a sheet as indices of its vertices. NULL: the body has no vertices. */
    int (*vertices)(const void *self);
    void (*vertex)(const void *self, int index, cst_material_point *at, double *radius);
} cst_body_look;

/* Data of a body from which the world computes tau, the time scale of a step to an equilibrium (world/quasi_static.h). */
typedef struct cst_body_scale {
    double mass;      /* kg */
    double length;    /* length (m) of the body; 0 for a body that does not bend */
    double stiffness; /* bending stiffness / length^3 (N/m) */
    bool clamped;     /* the body has its own clamp */
} cst_body_scale;

/* Functions of a body for steps to an equilibrium, theta = 1 (world/quasi_static.h). */
typedef struct cst_body_statics {
    void (*scale)(const void *self, cst_body_scale *out);
    /* Adds the proximal term P v to the right-hand side of the body. P is the part of the system matrix that comes from mass,
     * drag and viscosity; v contains the predicted end velocities `guess`. Returns v^T P v. The function `hold` is called after
     * `assemble` with the same argument `guess`. If the root is clamped, the proximal term P v depends on the imposed velocity of
     * the root, and contributes to the reaction of the clamp. */
    double (*hold)(void *self, const cst_step_frame *frame, const double *guess);
    /* Computes the force (N) and the moment (N m, about the root) that the clamp exerts on the root in the last finished step.
     * NULL: the root is not clamped. */
    void (*root_force)(const void *self, double *force, double *moment);
    /* Returns a pointer to the prescribed motion of the clamped root; the caller may replace this motion between two steps. The
     * root is free if the function pointer `root_motion` is NULL or if the function returns NULL. */
    cst_motion *(*root_motion)(void *self);
} cst_body_statics;

/* Newton's method for statics: moves the body to an equilibrium under gravity and the loads, without contacts. */
typedef bool cst_body_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads,
                                  double tolerance, int *iterations, char *message, size_t message_size);

/* The functions of a body model. */
typedef struct cst_body_class {
    const char *name; /* "super-circle, mixed" */
    const cst_body_dynamics *dynamics;
    const cst_body_state *state;
    const cst_body_places *places;
    const cst_body_surface *surface;
    const cst_body_look *look;
    cst_body_equilibrium *equilibrium; /* NULL: not available for the model */
    const cst_body_statics *statics;   /* NULL: no steps to an equilibrium */
    /* Loads the data of a small body into the processor cache before the functions `assemble` and `finish` read them. NULL:
     * nothing is loaded. */
    void (*fetch)(const void *self);
    void (*destroy)(void *self);
} cst_body_class;

typedef struct cst_body_model {
    const cst_body_class *class;
    void *self;
} cst_body_model;

/* Loads the struct of body k into the processor cache, if body k exists and its class has a function `fetch`. */
static inline void cst_body_fetch_struct(const cst_body_model *model, int bodies, int k)
{
    enum { STRUCT_BYTES = 512 };
    if (k < bodies && model[k].class->fetch)
        cst_prefetch(model[k].self, STRUCT_BYTES);
}

/* Loads the data of body k + 1 and the struct of body k + 2 into the processor cache; a loop over all bodies calls this function
 * at body k. The struct of a body is loaded one iteration of the loop earlier than its data, because the struct contains the
 * pointers to the data. */
static inline void cst_body_fetch_after(const cst_body_model *model, int bodies, int k)
{
    cst_body_fetch_struct(model, bodies, k + 2);
    if (k + 1 < bodies && model[k + 1].class->fetch)
        model[k + 1].class->fetch(model[k + 1].self);
}

/* Returns the element that contains point k of a curve that is drawn with `per_element` points per element. `share`: distance
 * from the start of the element to the drawn point, divided by the length of the element. The last point of an open curve is the
 * end of its last element. */
static inline int cst_element_sample(int k, int per_element, int elements, double *share)
{
    const bool end = k / per_element == elements;
    *share = end ? 1.0 : (double)(k % per_element) / per_element;
    return end ? elements - 1 : k / per_element;
}

/* Returns the material point at the start of element `index` of a rod, or at the end of the rod if `index` equals the number of
 * elements. `last`: length (m) of the last element of the rod. */
static inline cst_material_point cst_element_end(int index, int elements, double last)
{
    return index < elements ? (cst_material_point){.feature = index} : (cst_material_point){.feature = elements - 1, .s = last};
}

/* Implements the function `touched` of cst_body_places for all bodies whose contacts act on a point of the centreline. */
bool cst_touched_centreline(const void *self, const cst_material_place *at, double along, const double *x,
                            cst_material_point *out);

#endif
