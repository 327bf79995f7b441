/* What a body is to the world: canonical dynamics, whatever the model.
 *
 *     A v = rhs + H^T r,      velocity of a material point = J v + drift
 *
 * v (dofs) are the generalised velocities at the END of the step that the step solves for. Motions imposed on the body itself (a
 * clamped root) are not unknowns: they are in rhs and in `drift`, the part of a point's velocity that v does not account for.
 * Imposed motions have one velocity over a step, the secant from start to end (so has an obstacle): `drift` is made of it.
 *
 * Course of a step, driven by the world:
 *     place(NULL)                                  shapes and points where the body is now
 *     assemble(frame, NULL)                        A, rhs at the start of the step; A factored
 *     shapes, point                                contacts
 *     [ place(v), assemble(frame, v) again         iterated step: re-linearised at the guess ]
 *     finish(frame, v)                             the state moves on
 * Theta scheme (docs/world.md): with v_theta = theta v+ + (1 - theta) v, q+ = q + dt v_theta, elastic forces at q + theta dt
 * v_theta. The body applies it to itself; theta = 1 is implicit Euler.
 *
 * Before `finish` nothing of the state has changed: a step is given up by not finishing it. */
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
    double whole; /* s: the largest step, of which dt may be a part; 0: dt */
    double theta;
    double gravity[3];
    bool quasi_static; /* the velocity at the start counts as zero */
    bool iterated;     /* assembled again at guesses, once or more often */
    /* s: time that passes in the step; 0: dt. A step to an equilibrium counts displacements over a dt of its own, which has nothing to do
     * with the time over which loads and motions change (world/quasi_static.h). */
    double span;
    int threads; /* that one body may use if it is alone; 0 or 1: one */
} cst_step_frame;

static inline double cst_frame_span(const cst_step_frame *frame)
{
    return frame->span > 0.0 ? frame->span : frame->dt;
}

/* The time at the end of the step. */
static inline double cst_frame_end(const cst_step_frame *frame)
{
    return frame->time + cst_frame_span(frame);
}

/* A material point, as the model numbers it. */
typedef struct cst_material_point {
    int32_t feature; /* element of a rod, triangle of a sheet, 0 for a rigid body */
    double s;        /* m: along the element from its start */
    double local[3]; /* rigid body: in its frame; sheet: shares of the corners */
} cst_material_point;

/* The motion of a material point: velocity J v + drift, turning rate J_turn v + drift_turn (3 rows in space, 1 in the plane). */
typedef struct cst_point_motion {
    int32_t dofs;
    int32_t *dof;   /* (dofs) increasing */
    double *j;      /* (dim x dofs) row-major */
    double *j_turn; /* (turns x dofs), turns = 1 in the plane, 3 in space */
    double drift[3];
    double drift_turn[3];
    double position[3]; /* of the point, where the body was placed last */
    double frame_angle; /* plane: direction of the body there */
    double frame[9];    /* space: (3 x 3) row-major rotation of the body there; of a fiber: columns t, d1, d2 */
} cst_point_motion;

/* A piece of the centreline of a body in space: one element of a fiber. */
typedef struct cst_curve_piece {
    double length, radius; /* m */
    double curvature;      /* 1/m: no point of it is bent more, where it was placed last */
    double s;              /* m: arc length of the owner at its start */
    double owner_length;   /* m: of the whole owner */
    bool owner_closed;     /* s is cyclic */
} cst_curve_piece;

typedef struct cst_point_load {
    cst_material_point at;
    double force[3], moment[3];
} cst_point_load;

typedef struct cst_body_energy {
    double kinetic, elastic, gravity;
} cst_body_energy;

/* Works of the step that `finish` has just done. */
typedef struct cst_body_work {
    double loads;      /* distributed loads the body knows of itself */
    double constraint; /* of the imposed root motion */
    double viscosity, drag, scheme, forgotten;
} cst_body_work;

/* How a body moves in a step. */
typedef struct cst_body_dynamics {
    int (*dofs)(const void *self);

    /* v NULL: where the body is; otherwise where v (at the end of the step) takes it. False: not finite. */
    bool (*place)(void *self, const cst_step_frame *frame, const double *v);

    /* A and rhs, and whatever `solve` needs. guess NULL: at the start of the step; otherwise at the guess of v. */
    bool (*assemble)(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);
    double *(*rhs)(void *self);                  /* (dofs) the world may add dt J^T f to it after assemble */
    bool (*solve)(void *self, double *x);        /* x <- A^-1 x. Different bodies: from different threads */
    void (*describe)(void *self, cst_body *out); /* for the friction solver: kind, size, matrix, rhs, solve */

    /* (dofs) The generalised velocities of the state now, in the order of v, where the body was linearised last (asked after
     * assemble): works are taken with theta v + (1 - theta) of these. */
    void (*velocities)(const void *self, double *v);
    /* Largest distance any point travels in the step if v is its result. */
    double (*motion)(const void *self, const cst_step_frame *frame, const double *v);

    /* An impulse at a point, and its moment (3 components each). The world calls it after each solution, and so before `finish`, for
     * every impulse that acts on the body (contacts, constraints, dt times loads). A body whose own motion is imposed (a clamped
     * root) needs all of them to compute its reaction, hence the work of that motion; assembly at a guess needs to know how they
     * change with the shape. assemble forgets them. NULL: the body has no use for it. */
    void (*push)(void *self, const cst_material_point *at, const double *impulse, const double *moment);
    /* The impulse given last rolls along the body as the body turns: it acts against a change of the body's angle there with the
     * stiffness `hold` (N s m). assemble at a guess takes that in and forgets it. NULL: the body has no use for it. */
    void (*roll)(void *self, const cst_material_point *at, double hold);

    /* The world holds the rotation of a point from now on, or lets it go. A body whose material is turned piece by piece makes up for where the
     * piece ends. NULL: every point has a rotation of its own. */
    void (*hold_frame)(void *self, const cst_material_point *at, bool held);

    void (*finish)(void *self, const cst_step_frame *frame, const double *v);
    void (*energy)(const void *self, const double *gravity, cst_body_energy *out);
    void (*work)(const void *self, cst_body_work *out); /* of the last finish */
} cst_body_dynamics;

/* The whole state as doubles, in a documented order (docs/cache.md). */
typedef struct cst_body_state {
    int (*size)(const void *self);
    void (*save)(const void *self, double *to);
    void (*load)(void *self, const double *from);
} cst_body_state;

/* Material points: where they are and how they move. */
typedef struct cst_body_places {
    /* Largest number of dofs that a point touches: sizes the arrays of cst_point_motion. */
    int (*point_dofs)(const void *self);
    /* Of a place given by the user; false if it is not on the body. */
    bool (*locate)(const void *self, const cst_place *place, cst_material_point *out);
    /* The material point that is touched at x, where the body was placed last. at: on which of its features (an arc, a piece; a vertex, an edge, a
     * face); along: of a curve, as the body measures it. True: *out is beside x (on the centreline), and the contact has an arm from there to
     * x. False: *out is at x. */
    bool (*touched)(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out);

    /* Arrays in *out are the caller's, large enough for point_dofs. */
    void (*point)(const void *self, const cst_material_point *at, cst_point_motion *out);
    /* The same with J where the forces of a step with theta < 1 act, q + theta dt v_theta (guess NULL: v as it is now), and the
     * position there. Constraints ask for it: a pin whose force is taken at the start of a fast turn gains energy. NULL: `point`
     * has to do. */
    void (*point_between)(const void *self, const cst_step_frame *frame, const double *guess, const cst_material_point *at,
                          cst_point_motion *out);
    /* At the state now, start of the step: velocity and turning rate of a point. turn has 3 components. */
    void (*velocity)(const void *self, const cst_material_point *at, double *velocity, double *turn);
    /* At the state now, start of the step: where a point is. NULL: points move on straight lines or circles as J says. */
    void (*position)(const void *self, const cst_material_point *at, double *position);
    /* At the state now, start of the step: how a point accelerates if generalised velocities stay as they are, J'(v) v, and how the centreline bends
     * there, dt/ds. A step that moves the point by dt J v moves it by half dt^2 times this acceleration as well. NULL: points go straight. */
    void (*acceleration)(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
} cst_body_places;

/* The shapes that touch, as placed last. Arcs in the plane; pieces of centrelines and solids in space. */
typedef struct cst_body_surface {
    bool self_contact; /* it may touch itself */

    int (*arcs)(const void *self);                          /* NULL in space */
    void (*arc)(const void *self, int index, cst_arc *out); /* with feature and offset filled */

    int (*pieces)(const void *self); /* NULL in the plane */
    void (*piece)(const void *self, int index, cst_curve_piece *out);
    void (*curve)(const void *self, int index, double s, double *x, double *tangent); /* s in [0, length]; tangent may be NULL */

    /* A key of all numbers that `curve` of a piece depends on as it is placed, its length apart, and what follows from the numbers of the pieces
     * before it. NULL: there is none. */
    uint64_t (*curve_key)(const void *self, int index);

    /* As in cst_curve_view: both ends and their tangents; what a piece is like, and how far its points have drifted since. NULL: as there. */
    void (*ends)(const void *self, int index, double x[2][3], double tangent[2][3]);
    void (*pose)(const void *self, int index, double *out);
    double (*drift)(const void *self, int index, const double *was);
    /* How far the ends of the parts inside a piece went from the start of the step to where it is placed, beyond what is linear between where its ends
     * went; zero if it is placed at the start. NULL: straight pieces. */
    void (*bow)(const void *self, int index, double out[CST_QUARTERS - 1][3]);

    /* out (pieces): where they go in the step if v is its result. */
    void (*piece_ways)(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out);

    /* out (pieces or arcs): where they went from the start of the step to where they are placed. NULL: all are straight, and no two of
     * the body meet; `touched` and `position` tell where their ends were. */
    void (*moved)(const void *self, cst_piece_move *out);
    /* The point at s of a piece or an arc, placed at x: where it was at the start of the step. NULL: `touched` and `position` say so. */
    void (*before)(const void *self, int index, double s, const double *x, double *out);

    int (*solids)(const void *self);                            /* boxes, meshes; NULL: none */
    void (*solid)(const void *self, int index, cst_solid *out); /* with feature filled */
    void (*solid_way)(const void *self, const cst_step_frame *frame, const double *v, int index, cst_solid_way *out);
    /* Of a solid whose triangles move on their own: the place of its middle surface at x, on triangle `part`. *out: all but owner; at (3): the same in the
     * material, by which places are told apart. NULL: solids move as a whole. */
    void (*on_solid)(const void *self, int32_t part, const double *x, cst_material_place *out, double *at);

    /* Vertices, edges and faces in space, which touch those of others: where the body is at the start of the step, and where v takes
     * it at the end (v NULL: it stays). All but `owner` filled. False: it has none now. NULL: none ever. */
    bool (*features)(const void *self, const cst_step_frame *frame, const double *v, cst_feature_body *out);
} cst_body_surface;

typedef struct cst_body_look {
    cst_drawing (*draw)(const void *self, int samples, double *position, double *radius, double *curvature);
    int (*triangles)(const void *self, int32_t *out); /* NULL: not drawn as a mesh */

    /* Vertices, which stand for the body in the arrays of capstan/state.h: ends of the elements of a rod, nodes, the centre of mass of a rigid
     * body. vertex: its material point, and the radius of contact there. Triangles of a body made of nodes are of these. NULL: none. */
    int (*vertices)(const void *self);
    void (*vertex)(const void *self, int index, cst_material_point *at, double *radius);
} cst_body_look;

/* What the length of a step to an equilibrium is chosen by. */
typedef struct cst_body_scale {
    double mass;      /* kg */
    double length;    /* m: 0: it does not bend */
    double stiffness; /* N/m: bending stiffness / length^3 */
    bool clamped;     /* held by itself */
} cst_body_scale;

/* What steps to an equilibrium ask of a body, theta = 1 (world/quasi_static.h). */
typedef struct cst_body_statics {
    void (*scale)(const void *self, cst_body_scale *out);
    /* After assemble at the guess: rhs += P w and, of a clamped root, the same in what its reaction is found from; P is all of A that is no
     * stiffness (mass, drag, viscosity), w the velocities of the guess, imposed ones included. Returns w . P w. */
    double (*hold)(void *self, const cst_step_frame *frame, const double *guess);
    /* N, N m: of the clamp on the root in the step that `finish` has just done, about the root. NULL: it has no clamped root. */
    void (*root_force)(const void *self, double *force, double *moment);
    /* The motion of the clamped root, which may be replaced between steps. NULL (or it returns NULL): the root is free. */
    cst_motion *(*root_motion)(void *self);
} cst_body_statics;

/* Newton for statics: to an equilibrium under gravity and the loads, without contact. */
typedef bool cst_body_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads,
                                  double tolerance, int *iterations, char *message, size_t message_size);

/* A model. Models of one family share tables. */
typedef struct cst_body_class {
    const char *name; /* "super-circle, mixed" */
    const cst_body_dynamics *dynamics;
    const cst_body_state *state;
    const cst_body_places *places;
    const cst_body_surface *surface;
    const cst_body_look *look;
    cst_body_equilibrium *equilibrium; /* NULL: the model has none */
    const cst_body_statics *statics;   /* NULL: the model has no steps to an equilibrium */
    void (*destroy)(void *self);
} cst_body_class;

typedef struct cst_body_model {
    const cst_body_class *class;
    void *self;
} cst_body_model;

/* The element of sample k of a curve drawn with so many samples per element, and the share of its length there; an open curve has its end, too. */
static inline int cst_element_sample(int k, int per_element, int elements, double *share)
{
    const bool end = k / per_element == elements;
    *share = end ? 1.0 : (double)(k % per_element) / per_element;
    return end ? elements - 1 : k / per_element;
}

/* The end `index` of `elements` that follow each other; the last has the length `last`. */
static inline cst_material_point cst_element_end(int index, int elements, double last)
{
    return index < elements ? (cst_material_point){.feature = index} : (cst_material_point){.feature = elements - 1, .s = last};
}

/* cst_body_places.touched of all bodies that are touched beside their centreline. */
bool cst_touched_centreline(const void *self, const cst_material_place *at, double along, const double *x,
                            cst_material_point *out);

#endif
