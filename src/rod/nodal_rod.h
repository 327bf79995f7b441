/* What nodal rods in space have in common: nodes joined by straight edges, and what a model adds to an edge.
 *
 * Dofs, in this order: node 0 (3), edge 0 (stride - 3), node 1 (3), edge 1, ... , node n. Every strain depends on consecutive
 * ones (around the end, for a closed rod, which has no node n), so the matrix of a step is banded: half-bandwidth 2 stride + 2
 * at most.
 *
 * Energy: stretch of every edge, strains of every joint (two edges that meet) and perhaps of every edge that the model knows,
 *
 *     E = sum 1/2 EA l (|e| / l - 1)^2 + sum 1/2 c eps^2                                   (Gauss-Newton: H = sum c grad grad^T)
 *
 * and more where an edge is pressed to less than half of its length (rod/nodal_stretch.h).
 *
 * Step (theta scheme, docs/world.md), linearised at the displacement u from the state, M lumped, D = viscosity H of joints and
 * edge strains:
 *
 *     [ (1 + theta dt nu/rhoA) M + theta dt D + theta^2 dt^2 H ] v+
 *         = (1 - (1 - theta) dt nu/rhoA) M v + dt (m g - grad E(q + u)) + dt H (u - theta (1 - theta) dt v) - dt (1 - theta) D v
 *
 * H has the stretch EA / l t t^T and, of a pulled edge only, what tension adds across it; it is positive semi-definite
 * (docs/maths_rods.md, 4.1).
 *
 * Clamp: in the middle of edge 0, whose two nodes and own dofs are imposed (`held` of them, the first ones). v of body.h are the
 * others. Material: feature i is edge i; of a clamped rod feature 0 is the half of edge 0 that follows the clamp.
 *
 * State, in the order of save: q (total), v (total), frames (edges x frame_size). Of q the model gives a meaning to the dofs of
 * edges. All velocities are rates of q or turning rates, as the model has them. */
#ifndef CST_ROD_NODAL_ROD_H
#define CST_ROD_NODAL_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_ROWS = 3,        /* at most: strains of a joint, of an edge */
    CST_NODAL_STRIDE = 6,      /* at most */
    CST_NODAL_JOINT_DOFS = 15, /* at most: 2 stride + 3, dofs of a joint */
    CST_NODAL_EDGE_DOFS = 9,   /* at most: stride + 3, dofs of an edge */
    CST_NODAL_POINT_DOFS = 15  /* at most: stride + 9, dofs of a point: four nodes and an edge */
};

/* How the centreline of an edge is bent (rod/nodal_curve.h). */
typedef struct cst_nodal_bend {
    double share;       /* b; 0: straight */
    double at[2][3];    /* m: b D of its start and of its end */
    double fades[3][3]; /* 1/m: gradient of b by the edge before, this edge and the edge behind; 0 where b is 1 */
} cst_nodal_bend;

/* The stretch of an edge, linearised: f = -(along (t . e) + offset) t - across (e - t (t . e)). */
typedef struct cst_nodal_linear_stretch {
    double t[3];
    double across; /* N/m: what tension adds across t, EA eps / |e| or 0 */
    double along;  /* N/m */
    double offset; /* N */
} cst_nodal_linear_stretch;

/* A rod somewhere: at its state, where it was placed, where it was linearised. */
typedef struct cst_nodal_shape {
    double *q;            /* (total) */
    double *frame;        /* (edges x frame_size) */
    cst_nodal_bend *bend; /* (edges) */
} cst_nodal_shape;

typedef struct cst_nodal_rod cst_nodal_rod;

/* Strains with their derivatives by consecutive dofs: of a joint 2 stride + 3 (from the first node of its first edge on), less
 * those that the model skips at either end; of an edge stride + 3. gradient: row r at gradient + r width. NULL: not wanted. */
typedef void cst_nodal_strains(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain,
                               double *gradient);

/* What a model adds to nodes and edges. */
typedef struct cst_nodal_model {
    int stride;                /* 3 + dofs of an edge */
    int bandwidth;             /* dofs farther apart than this are in no strain together: 2 stride + 2, or less */
    int frame_size;            /* doubles per edge in cst_nodal_shape.frame */
    int joint_rows, edge_rows; /* strains, without the stretch */
    int joint_skip;            /* dofs at either end of those of a joint that are in none of its strains */
    cst_nodal_strains *joint;  /* of joint i: edges i and i + 1 */
    cst_nodal_strains *edge;   /* NULL if edge_rows is 0 */

    /* to->frame from from->frame; q of both are known, and the displacement (total) between them in the sense of velocities times
     * time. NULL: no frames. */
    void (*carry)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *displacement, cst_nodal_shape *to);
    /* Edge 0 turns to the frame R (columns t, d1, d2) in the time dt, at last at the rate turn: q, velocity of the dofs of edge 0 at the
     * end, given `from` and the nodes at the end. secant: the velocity that takes them there in dt, otherwise that of the end. NULL:
     * edges have no dofs. */
    void (*hold)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *nodes, const double *R, const double *turn,
                 double dt, bool secant, double *q, double *velocity);
    /* Material frame of an edge (columns t, d1, d2; row-major). */
    void (*frame)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R);
    /* (3 x (stride + 3)) turning rate of an edge by its dofs; the part of its nodes, t x (v_1 - v_0) / |e|, is filled in. NULL: that
     * is all. */
    void (*turn)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn);
} cst_nodal_model;

struct cst_nodal_rod {
    cst_arena arena;
    const cst_nodal_model *model;
    int edges, nodes, joints; /* nodes: edges + 1, or edges if closed; joints: edges - 1, or edges if closed */
    int stride, total, held;  /* dofs: from node to node, all, imposed */
    int bandwidth;            /* of the matrix, to each side */
    bool clamped, closed;
    bool smooth; /* its centreline is a curve (rod/nodal_curve.h) */
    double mass_per_length, drag, viscosity;
    double length;           /* m: of the whole rod */
    double edge_length;      /* m: of the rod that an edge stands for */
    double stretching;       /* N: EA */
    double *rest;            /* (edges) m: natural distance of its nodes, a chord of the natural shape */
    double closing;          /* rad: closed, that the natural frame turns from edge to edge so that it comes back to itself */
    double *radius;          /* (edges) */
    double *mass;            /* (total) diagonal of M */
    double *joint_stiffness; /* (joints x joint_rows) c; to be filled by the model */
    double *joint_natural;   /* (joints x joint_rows) what the model takes off its strains; likewise */
    double *edge_stiffness;  /* (edges x edge_rows) c; likewise */
    /* (joints) of the length of an edge: rod that a joint stands for besides, next to a frame that the world holds */
    double *joint_more;
    double *joint_first; /* (joints x joint_rows) strains when the world first held a frame next to it */

    double root_position[3], root_frame[9]; /* clamped: the clamp and the frame of edge 0 where root_motion begins */
    double root_node[6];                    /* clamped: nodes 0 and 1 relative to root_position in root_frame */
    cst_motion root_motion;

    double *state;                       /* q, v, frames */
    double *v;                           /* (total) */
    cst_nodal_shape now, placed, linear; /* the latter two are `now` or the buffers */
    cst_nodal_shape placed_buffer, linear_buffer;

    /* Of the step at hand. */
    double imposed[CST_NODAL_EDGE_DOFS];   /* (held) velocities at the end of the step */
    double reached[CST_NODAL_EDGE_DOFS];   /* (held) q at the end of the step */
    double pushed[CST_NODAL_EDGE_DOFS];    /* (held) impulses that the world lets act there */
    double outer_push[3], outer_moment[3]; /* of a rod that is not clamped: sum of impulses from outside on its nodes, and their
                                            * moment about the origin where it was linearised */
    double spin[3];                        /* angular momentum that its nodes must have about their centre at the end */
    double *moved;                         /* (total) scratch: displacement from the state */
    double *mean;                          /* (total) scratch: v_theta */
    cst_envelope whole;  /* A of all dofs; an open rod's rows are all bandwidth + 1 wide: row i holds A[i][i - bandwidth .. i] */
    cst_envelope factor; /* of the dofs that are not held, in the same way */
    size_t entries, factor_entries;
    double *full_rhs, *rhs; /* (total); rhs = full_rhs + held, imposed motion moved to the right */
    double *held_rhs;       /* (held) right-hand side of the imposed dofs */
    double *joint_gradient; /* (joints x joint_rows x width) where linearised */
    double *edge_gradient;  /* (edges x edge_rows x (stride + 3)) */
    /* (joints x joint_rows) where linearised, carried back to the start of the step: strain - gradient . u */
    double *joint_strain;
    double *edge_strain;               /* (edges x edge_rows) likewise */
    cst_nodal_linear_stretch *stretch; /* (edges) */
    cst_body_work work;
    double root_force[6];   /* N, N m: of a clamp in the last step, in the middle of edge 0 */
    double softest_bending; /* N m^2 */
};

/* ------------------------------------------------------------------------------------------------------- for the models */

/* Number of dofs of a joint's strains, and the first of them. */
static inline int cst_nodal_joint_width(const cst_nodal_rod *rod)
{
    return 2 * (rod->stride - rod->model->joint_skip) + 3;
}

static inline int cst_nodal_joint_first(const cst_nodal_rod *rod, int joint)
{
    return joint * rod->stride + rod->model->joint_skip;
}

/* Dof k of a run that begins at `first`, around the end of a closed rod. */
static inline int cst_nodal_dof(const cst_nodal_rod *rod, int first, int k)
{
    const int dof = first + k;
    return dof < rod->total ? dof : dof - rod->total;
}

/* First dof of node i (node n of a closed rod: node 0) and of edge i. */
static inline int cst_nodal_node(const cst_nodal_rod *rod, int i)
{
    return i < rod->nodes ? i * rod->stride : 0;
}

static inline int cst_nodal_edge(const cst_nodal_rod *rod, int i)
{
    return i * rod->stride + 3;
}

/* Edge after edge i, at the joint i. */
static inline int cst_nodal_next(const cst_nodal_rod *rod, int i)
{
    return i + 1 < rod->edges ? i + 1 : 0;
}

/* Where along its edge a material point is, from 0 to 1. */
static inline double cst_nodal_share(const cst_nodal_rod *rod, int feature, double s)
{
    return s / rod->edge_length + (rod->clamped && feature == 0 ? 0.5 : 0.0);
}

/* Unit vector along edge i and its length. */
double cst_nodal_direction(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *t);

/* The frames (columns t, d1, d2; row-major) of the edges a and b of joint i in the natural shape, somewhere in space, and the
 * angle by which it turns about itself from the middle of one to that of the other, whole turns included. */
void cst_nodal_natural_joint(const cst_nodal_rod *rod, const cst_fiber_def *def, int joint, double *a, double *b, double *twist);

/* Angle about the rod from the frame a to b, moved there without twist: of all that differ by whole turns the one nearest to
 * `near`. */
double cst_nodal_twist(const double *a, const double *b, double near);

/* The shape at first: frames of the edges, and the angle as above from each to the next. */
typedef struct cst_nodal_course {
    double *frame;  /* (edges x 9) */
    double *twist;  /* (edges) the last one of an open rod is not used */
    double turn[3]; /* rate at which the rod turns as a whole, or a clamped rod's first edge */
} cst_nodal_course;

/* A rod of `bytes` (its first member is a cst_nodal_rod) with everything set but, of the edges: frames, q, velocities, masses and
 * all stiffnesses but the stretch, which the model fills in. *first lives as long as the rod. NULL with a message if a value is
 * wrong or memory ran out. */
cst_nodal_rod *cst_nodal_create(const cst_nodal_model *model, const cst_fiber_def *def, size_t bytes,
                                const cst_allocator *allocator, cst_nodal_course *first, char *message, size_t message_size);

/* The state has changed: everything looks at it. */
void cst_nodal_settle(cst_nodal_rod *rod);

/* Parts of a step. impose: where a clamp is at the end of the step and how fast. advance: the shape after the share `share` of
 * the step that v ends, with v_theta in `mean` and share dt v_theta in `moved`. accept: the state becomes what is in
 * placed_buffer, with v. */
void cst_nodal_impose(cst_nodal_rod *rod, const cst_step_frame *frame);
void cst_nodal_advance(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, double share, cst_nodal_shape *to);
void cst_nodal_accept(cst_nodal_rod *rod, const double *v);

/* The angular momentum of the end of the step into rod->spin; then, the state being that of the end, a turning rate of the whole rod that
 * restores it as far as `scheme` stays negative: returns what it adds to scheme (nodal_momentum.c). */
void cst_nodal_spin_before(cst_nodal_rod *rod, const cst_step_frame *frame);
double cst_nodal_keep_spin(cst_nodal_rod *rod, double scheme);
/* out += scale times the moment on the dofs of an edge, as a vector. */
void cst_nodal_add_edge_moment(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, const double *moment,
                               double scale, double *out);

/* Of the step that v ends (nodal_clamp.c): the work of the clamp with v_theta in `mean`; root_force. */
double cst_nodal_clamp_work(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v);

/* The world holds the frame of an edge, or lets it go (nodal_hold_frame.c). */
void cst_nodal_hold_frame(void *self, const cst_material_point *at, bool held);

double cst_nodal_elastic_energy(const cst_nodal_rod *rod, const cst_nodal_shape *shape);

/* Largest | |e| / rest - 1 | of an edge. */
double cst_nodal_length_error(const cst_nodal_rod *rod, const cst_nodal_shape *shape);

/* ----------------------------------------------------------------------------------------- functions of cst_body_class */

extern const cst_body_dynamics cst_nodal_dynamics;
extern const cst_body_statics cst_nodal_statics; /* nodal_hold.c */
extern const cst_body_state cst_nodal_state;
extern const cst_body_places cst_nodal_places;
extern const cst_body_surface cst_nodal_surface;
extern const cst_body_look cst_nodal_look;

int cst_nodal_dofs(const void *self);
bool cst_nodal_place(void *self, const cst_step_frame *frame, const double *v);
bool cst_nodal_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size);
double *cst_nodal_rhs(void *self);
bool cst_nodal_solve(void *self, double *x);
void cst_nodal_describe(void *self, cst_body *out);
void cst_nodal_point(const void *self, const cst_material_point *at, cst_point_motion *out);
void cst_nodal_velocities(const void *self, double *v);
void cst_nodal_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn);
/* Share of the velocity before the step in v_theta. */
static inline double cst_nodal_old_share(const cst_step_frame *frame)
{
    return frame->quasi_static ? 0.0 : 1.0 - frame->theta;
}

double cst_nodal_motion(const void *self, const cst_step_frame *frame, const double *v);
void cst_nodal_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out);
void cst_nodal_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
void cst_nodal_push(void *self, const cst_material_point *at, const double *impulse, const double *moment);
void cst_nodal_finish(void *self, const cst_step_frame *frame, const double *v);
void cst_nodal_energy(const void *self, const double *gravity, cst_body_energy *out);
void cst_nodal_work(const void *self, cst_body_work *out);
int cst_nodal_state_size(const void *self);
void cst_nodal_save(const void *self, double *to);
void cst_nodal_load(void *self, const double *from);
bool cst_nodal_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                           int *iterations, char *message, size_t message_size);
void cst_nodal_destroy(void *self);

/* The dynamics of a rod of nodes (body/body.h), in two forms: cst_nodal_dynamics, implicit, and the explicit one of CORDE. */
#define CST_NODAL_DYNAMICS(assemble_, solve_, describe_, hold_frame_, finish_)                                          \
    {                                                                                                                   \
        .dofs = cst_nodal_dofs, .place = cst_nodal_place, .assemble = assemble_, .rhs = cst_nodal_rhs, .solve = solve_, \
        .describe = describe_, .velocities = cst_nodal_velocities, .motion = cst_nodal_motion, .push = cst_nodal_push,  \
        .hold_frame = hold_frame_, .finish = finish_, .energy = cst_nodal_energy, .work = cst_nodal_work                \
    }

/* The class of a rod of nodes. */
#define CST_NODAL_CLASS(title, dynamics_, statics_)                                                                        \
    {                                                                                                                      \
        .name = title, .dynamics = dynamics_, .state = &cst_nodal_state, .places = &cst_nodal_places,                      \
        .surface = &cst_nodal_surface, .look = &cst_nodal_look, .equilibrium = cst_nodal_equilibrium, .statics = statics_, \
        .destroy = cst_nodal_destroy                                                                                       \
    }

#endif
