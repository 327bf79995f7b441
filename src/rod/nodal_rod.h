/* Common part of all nodal rods in 3D: nodes joined by straight edges. In some rod models, an edge has dofs of its own.
 *
 * A node has 3 dofs; a node and the edge after it together have a number of dofs that is called `stride`. The order of dofs is:
 * node 0, edge 0, node 1, edge 1, ..., node n. Every strain depends on consecutive dofs, so the matrix of a step is a band matrix
 * (half-bandwidth at most 2 stride + 2). In a closed rod, which has no node n, node 0 follows after the last edge.
 *
 * The elastic energy is the sum over the stretch of every edge and the strains of every joint (where two edges meet). Some models
 * also have strains of edges other than the stretch. Symbols:
 *     `e`, `l`: edge vector, natural length.
 *     `eps`, `c`: strain and its stiffness.
 *     `H`: Gauss-Newton approximation of the Hessian.
 *
 * The energy of the stretch of an edge, the energy of any other strain, and the approximate Hessian H (a sum over all strains)
 * are:
 *     `EA*l*(|e|/l-1)^2/2`: stretch.
 *     `c*eps^2/2`: another strain.
 *     `H = sum c*grad(eps)*grad(eps)^T`.
 *
 * An edge that is compressed to less than half of its natural length has additional energy (rod/nodal_stretch.h). The
 * Gauss-Newton matrix contains the stretching stiffness along each edge and, only for an edge in tension, the transverse
 * stiffness due to the tension. The Gauss-Newton matrix is positive semi-definite (docs/maths_rods.md, 4.1).
 *
 * The step (theta scheme, docs/world.md) is linearised at the shape that is displaced by u from the state at the start of the
 * step. Symbols:
 *     `v`, `v+`: initial and final velocities.
 *     `M`: lumped mass matrix.
 *     `D`: viscosity matrix, without the stretch.
 *     `rhoA`: mass per length.
 *     `nu`: drag per length.
 *
 * The step solves A v+ = rhs for the velocities v+ at its end:
 *     `A = (1+theta*dt*nu/rhoA)*M+theta*dt*D+theta^2*dt^2*H`.
 *     `rhs = (1-(1-theta)*dt*nu/rhoA)*M*v + dt*(F1+F2)`.
 *     `F1 = m*g - grad E(q+u)`.
 *     `F2 = H*(u-theta*(1-theta)*dt*v) - (1-theta)*D*v`.
 *
 * Drag acts only on nodes: for the dofs of edges, the drag nu is zero. The viscosity matrix is the viscosity times the stiffness
 * of all strains except the stretch. The clamp is in the middle of edge 0. In a clamped rod, the motion of edge 0 is imposed:
 * the dofs of its two nodes and its own dofs, which are the first `held` dofs of the rod. The velocities v in the functions of
 * body/body.h contain only the dofs whose motion is not prescribed by a clamp. For contact detection, each edge is one feature
 * with the index of the edge; for a clamped rod, feature 0 is only the half of edge 0 after the clamp.
 *
 * The saved state consists of the generalised coordinates q, the velocities v, and the frames of all edges (frame_size numbers
 * each), in this order. The model (discrete rod, CORDE, spring chain) defines the meaning of the generalised coordinates of
 * edges, and whether their velocities are rates of these coordinates or angular velocities. */
#ifndef CST_ROD_NODAL_ROD_H
#define CST_ROD_NODAL_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_ROWS = 3,        /* largest number of strains that a joint or an edge has in any rod model */
    CST_NODAL_STRIDE = 6,      /* largest stride */
    CST_NODAL_JOINT_DOFS = 15, /* 2 stride + 3 */
    CST_NODAL_EDGE_DOFS = 9,   /* stride + 3 */
    CST_NODAL_POINT_DOFS = 15  /* four nodes and an edge */
};

/* Deviation of the smooth centreline from the straight edge, for one edge (rod/nodal_curve.h). */
typedef struct cst_nodal_bend {
    double share;    /* factor b; 0: straight */
    double at[2][3]; /* bending vectors b D (nodal_curve.h) (m) */
    /* gradient (1/m) of the blending factor between straight edge and curve, with respect to the edge vectors of the previous
     * edge, of this edge and of the next edge */
    double fades[3][3];
} cst_nodal_bend;

/* The linear approximation of the force of a stretched edge. The force of an edge with the edge vector e has the component
 * -(`along` (t . e) + `offset`) along the unit vector t, with the coefficients `along` and `offset`. The component of the edge's
 * force across the unit vector t is the component of the edge vector e across t, times the coefficient -`across`. */
typedef struct cst_nodal_linear_stretch {
    double t[3];
    double across; /* N/m; 0 if not in tension */
    double along;  /* N/m */
    double offset; /* N */
} cst_nodal_linear_stretch;

/* A shape of a rod: the present shape, the shape last used for contact detection, or the shape of the last linearisation. */
typedef struct cst_nodal_shape {
    double *q;            /* (total) */
    double *frame;        /* (edges x frame_size) */
    cst_nodal_bend *bend; /* (edges) */
} cst_nodal_shape;

typedef struct cst_nodal_rod cst_nodal_rod;

/* Computes the strains of one joint or edge and their derivatives with respect to the dofs on which they depend, which are
 * consecutive. The strains of a joint depend on the dofs of its three nodes and two edges, without the first `joint_skip` and the
 * last `joint_skip` of these dofs. The strains of an edge depend on the dofs of its two nodes and on its own dofs. `gradient`:
 * derivatives of the strains with respect to the dofs on which they depend, one row for each strain; may be NULL. */
typedef void cst_nodal_strains(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain,
                               double *gradient);

typedef struct cst_nodal_strain_set {
    int rows;                /* number of strains */
    cst_nodal_strains *find; /* NULL if `rows` is 0 */
} cst_nodal_strain_set;

/* Functions and sizes by which a rod model extends the common part of nodal rods. */
typedef struct cst_nodal_model {
    int stride;                 /* 3 + dofs of an edge */
    int bandwidth;              /* largest difference between the indices of two dofs on which the same strain depends */
    int frame_size;             /* doubles per edge in cst_nodal_shape.frame */
    int joint_skip;             /* unused dofs at either end */
    cst_nodal_strain_set joint; /* strains of joint i, between edges i and i + 1 */
    cst_nodal_strain_set edge;  /* without the stretch */

    /* Computes the material frames of the edges in the shape `to` from those in the shape `from`; the generalised coordinates q
     * of both shapes are already set. `displacement`: mean velocity of each dof between the two shapes, times the time between
     * them. NULL: no frames. */
    void (*carry)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *displacement, cst_nodal_shape *to);
    /* Computes the generalised coordinates q and the velocities of the own dofs of the clamped edge 0 at the end of a step of
     * length dt. `R`, `turn`: frame (columns t, d1, d2) and angular velocity of the clamped edge 0 at the end of the step.
     * `from`: shape of the whole rod at the start of the step. `nodes`: positions of the two nodes of edge 0 at the end of the
     * step. `secant`: true if the velocity to compute is the mean over the step, false if it is the velocity at the end of the
     * step. NULL: edges have no dofs. */
    void (*hold)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *nodes, const double *R, const double *turn,
                 double dt, bool secant, double *q, double *velocity);
    /* Computes the material frame of an edge (columns t, d1, d2; row-major). */
    void (*frame)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R);
    /* Adds the contribution of the edge's own dofs, without those of its nodes, to the Jacobian j_turn of its angular velocity.
     * On input, the Jacobian j_turn already contains the contribution of the velocities of the edge's two nodes. NULL: no other
     * contribution. */
    void (*turn)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn);
} cst_nodal_model;

struct cst_nodal_rod {
    cst_arena arena;
    const cst_nodal_model *model;
    /* An open rod has edges + 1 nodes and edges - 1 joints; a closed rod has as many nodes and joints as edges. */
    int edges, nodes, joints;
    /* `stride`: number of dofs of a node and the edge after it. `total`: number of all dofs of the rod, including clamped dofs.
     * `held`: number of dofs whose motion the clamp prescribes, 0 for a free rod. */
    int stride, total, held;
    int bandwidth; /* half-bandwidth of the matrix */
    bool clamped, closed;
    bool smooth; /* the centreline is a curve (rod/nodal_curve.h) */
    double mass_per_length, drag, viscosity;
    double length;      /* length of the whole rod (m) */
    double edge_length; /* length (m) of the part of the rod that one edge represents */
    double stretching;  /* EA (N) */
    double *rest;       /* array (edges): natural length (m) of each edge, which is a chord of the natural shape */
    /* for a closed rod: twist (rad) added to the natural twist of each joint, so that the closed shape has no strain
     * (nodal_build.c) */
    double closing;
    double *radius;          /* (edges) */
    double *mass;            /* array (total): diagonal of M */
    double *joint_stiffness; /* array (joints x joint.rows): stiffness of each strain of each joint */
    double *joint_natural;   /* array (joints x joint.rows): value of each strain of each joint in the natural shape */
    double *edge_stiffness;  /* array (edges x edge.rows): stiffness of each strain of each edge except the stretch */
    /* array (joints): length added to each joint next to an edge whose frame a constraint holds, divided by the edge length
     * (nodal_hold_frame.c) */
    double *joint_more;
    /* array (joints x joint.rows): strains that each joint had when a constraint began to hold the frame of one of its edges */
    double *joint_first;

    /* for a clamped rod: position of the clamp and frame of edge 0 before the prescribed motion root_motion is added */
    double root_position[3], root_frame[9];
    /* for a clamped rod: positions of nodes 0 and 1 relative to the clamp (root_position), in the axes of the clamped frame
     * (root_frame) */
    double root_node[6];
    cst_motion root_motion;

    double *state;                       /* q, v, frames */
    double *v;                           /* (total) */
    cst_nodal_shape now, placed, linear; /* they may share arrays */
    cst_nodal_shape placed_buffer, linear_buffer;

    /* Data of the present step. */
    double imposed[CST_NODAL_EDGE_DOFS]; /* array (held): prescribed velocities of the clamped dofs at the end of the step */
    double reached[CST_NODAL_EDGE_DOFS]; /* array (held): values of the clamped generalised coordinates at the end of the step */
    double pushed[CST_NODAL_EDGE_DOFS];  /* array (held): impulses of contacts, constraints and loads on the clamped dofs */
    /* Free rod: sum of the external impulses on the nodes in the present step, and the sum of their moments about the origin. The
     * moments of the external impulses are computed with the node positions at which the step was linearised. */
    double outer_push[3], outer_moment[3];
    double spin[3]; /* angular momentum that the rod must have about its centre of mass at the end of the step */
    double *moved;  /* temporary array (total): displacement of each dof since the start of the step */
    double *mean;   /* array (total): scratch: v_theta */
    /* The matrix A of the step for all dofs, including clamped dofs. For an open rod, row i of the stored matrix contains the
     * bandwidth + 1 entries from A[i][i - bandwidth] to A[i][i]. */
    cst_envelope whole;
    cst_envelope factor; /* Cholesky factor of the step's matrix A for the dofs that are not clamped */
    size_t entries, factor_entries;
    /* `full_rhs`: right-hand side of the step for all dofs, including clamped dofs. `rhs`: pointer to the part of `full_rhs` for
     * the dofs that are not clamped; this part contains the effect of the prescribed motion of the clamp. */
    double *full_rhs, *rhs;
    double *held_rhs; /* array (held): right-hand side of the step's equation for the clamped dofs */
    /* array (joints x joint.rows x width): gradients of the joints' strains where the step is linearised */
    double *joint_gradient;
    /* array (edges x edge.rows x (stride + 3)): gradients of the edges' strains in the shape where the step is linearised */
    double *edge_gradient;
    /* array (joints x joint.rows): strains of each joint at the start of the step, in the linear approximation about the shape
     * where the step is linearised */
    double *joint_strain;
    double *edge_strain;               /* array (edges x edge.rows): like joint_strain */
    cst_nodal_linear_stretch *stretch; /* (edges) */
    cst_body_work work;
    double root_force[6];   /* force (N) and moment (N m) of the clamp, which is in the middle of edge 0, in the last step */
    double softest_bending; /* N m^2 */
};

/* ------------------------------------------------------------------------------------------------------- for the models */

/* The function cst_nodal_joint_width returns the number of dofs on which the strains of a joint depend, and cst_nodal_joint_first
 * returns the index of the first of these dofs. */
static inline int cst_nodal_joint_width(const cst_nodal_rod *rod)
{
    return 2 * (rod->stride - rod->model->joint_skip) + 3;
}

static inline int cst_nodal_joint_first(const cst_nodal_rod *rod, int joint)
{
    return joint * rod->stride + rod->model->joint_skip;
}

/* Returns the index of the k-th dof after dof `first`; on a closed rod, dof 0 follows after the last dof. */
static inline int cst_nodal_dof(const cst_nodal_rod *rod, int first, int k)
{
    const int dof = first + k;
    return dof < rod->total ? dof : dof - rod->total;
}

/* The function cst_nodal_node returns the index of the first dof of node i, and cst_nodal_edge that of edge i. In a closed rod
 * with n nodes, node n is node 0. */
static inline int cst_nodal_node(const cst_nodal_rod *rod, int i)
{
    return i < rod->nodes ? i * rod->stride : 0;
}

static inline int cst_nodal_edge(const cst_nodal_rod *rod, int i)
{
    return i * rod->stride + 3;
}

/* Returns the index of the edge after edge i. */
static inline int cst_nodal_next(const cst_nodal_rod *rod, int i)
{
    return i + 1 < rod->edges ? i + 1 : 0;
}

/* Returns the position of a material point along its edge, from 0 to 1. */
static inline double cst_nodal_share(const cst_nodal_rod *rod, int feature, double s)
{
    return s / rod->edge_length + (rod->clamped && feature == 0 ? 0.5 : 0.0);
}

/* Computes the unit vector along an edge and returns the length of the edge. */
double cst_nodal_direction(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *t);

/* Computes the natural shape of the joint between two edges a and b: the frames of these edges (columns t, d1, d2; row-major), up
 * to a common rotation. Also computes the natural twist angle from the middle of edge a to the middle of edge b, including whole
 * turns. */
void cst_nodal_natural_joint(const cst_nodal_rod *rod, const cst_fiber_def *def, int joint, double *a, double *b, double *twist);

/* Returns the twist angle from frame a to frame b: after frame a has been transported without twist to the tangent of frame b, a
 * rotation by the twist angle about this tangent maps frame a to frame b. The twist angle is only defined up to whole turns; the
 * function returns its value nearest to the argument `near`. */
double cst_nodal_twist(const double *a, const double *b, double near);

/* The initial shape of a rod: the frames of its edges, and the twist angle from each edge to the next. */
typedef struct cst_nodal_course {
    double *frame;  /* (edges x 9) */
    double *twist;  /* array (edges): twist angle from each edge to the next; unused for the last edge of an open rod */
    double turn[3]; /* initial angular velocity of the whole rod or, if it is clamped, of its first edge */
} cst_nodal_course;

/* Creates the common part of a nodal rod in a larger struct of `bytes` bytes, whose first member is a cst_nodal_rod. The function
 * cst_nodal_create sets all members of the new rod except those that depend on the rod model. The caller, a rod model, fills in
 * the frames, generalised coordinates, velocities and masses of the edges, and all stiffnesses except that of the stretch. The
 * arrays of the initial shape `first` are allocated with the rod and exist as long as the rod. Returns NULL with a message if a
 * value of the rod's definition is wrong or memory ran out. */
cst_nodal_rod *cst_nodal_create(const cst_nodal_model *model, const cst_fiber_def *def, size_t bytes,
                                const cst_allocator *allocator, cst_nodal_course *first, char *message, size_t message_size);

/* Updates the data that follow from the state of the rod (curve of the centreline, shapes for detection and linearisation) after
 * the state has changed. */
void cst_nodal_settle(cst_nodal_rod *rod);

/* Parts of a step. The function cst_nodal_impose computes position and velocity of a clamp at the end of the step. The function
 * cst_nodal_advance computes the rod's shape after a given fraction (`share`) of a step that ends with the velocities v. The
 * function cst_nodal_advance also writes the mean velocities over the step to the array rod->mean, and the displacements from the
 * start of the step to the computed shape to rod->moved. The function cst_nodal_accept makes the computed final shape
 * (placed_buffer) and the final velocities v the new state of the rod. */
void cst_nodal_impose(cst_nodal_rod *rod, const cst_step_frame *frame);
void cst_nodal_advance(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, double share, cst_nodal_shape *to);
void cst_nodal_accept(cst_nodal_rod *rod, const double *v);

/* The function cst_nodal_spin_before writes the angular momentum required at the end of the step to rod->spin. The function
 * cst_nodal_keep_spin adds an angular velocity of the whole rod, so that the rod has the required angular momentum at the end of
 * the step (nodal_momentum.c). The angular velocity that cst_nodal_keep_spin adds is reduced if the time-stepping scheme would
 * otherwise do positive work, that is, add energy. The function cst_nodal_keep_spin returns by how much the added angular
 * velocity changes the work `scheme`, which is the energy that the time-stepping scheme adds. */
void cst_nodal_spin_before(cst_nodal_rod *rod, const cst_step_frame *frame);
double cst_nodal_keep_spin(cst_nodal_rod *rod, double scheme);
/* Converts a moment, given as generalised forces on the edge's own dofs, to a vector in world axes, and adds `scale` times this
 * vector to `out`. */
void cst_nodal_add_edge_moment(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, const double *moment,
                               double scale, double *out);

/* Returns the work of the clamp in a step that ends with the velocities v, and writes the force and the moment of the clamp to
 * the array root_force (nodal_clamp.c). Before a call of cst_nodal_clamp_work, the array rod->mean must contain the mean
 * velocities over the step. */
double cst_nodal_clamp_work(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v);

/* Tells the rod that a constraint begins (`held` true) or ceases to hold the frame of an edge (nodal_hold_frame.c). */
void cst_nodal_hold_frame(void *self, const cst_material_point *at, bool held);

double cst_nodal_elastic_energy(const cst_nodal_rod *rod, const cst_nodal_shape *shape);

/* Returns the largest relative length error of all edges. */
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
/* Returns the weight of the velocity at the start of the step in the mean velocity over the step; zero in a quasi-static step. */
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

/* The table of functions for the time step of a nodal rod (cst_body_dynamics). All nodal rods have a table of functions for
 * implicit steps, cst_nodal_dynamics; CORDE rods also have a table for explicit steps. */
#define CST_NODAL_DYNAMICS(assemble_, solve_, describe_, hold_frame_, finish_)                                          \
    {                                                                                                                   \
        .dofs = cst_nodal_dofs, .place = cst_nodal_place, .assemble = assemble_, .rhs = cst_nodal_rhs, .solve = solve_, \
        .describe = describe_, .velocities = cst_nodal_velocities, .motion = cst_nodal_motion, .push = cst_nodal_push,  \
        .hold_frame = hold_frame_, .finish = finish_, .energy = cst_nodal_energy, .work = cst_nodal_work                \
    }

/* The class of a nodal rod. */
#define CST_NODAL_CLASS(title, dynamics_, statics_)                                                                        \
    {                                                                                                                      \
        .name = title, .dynamics = dynamics_, .state = &cst_nodal_state, .places = &cst_nodal_places,                      \
        .surface = &cst_nodal_surface, .look = &cst_nodal_look, .equilibrium = cst_nodal_equilibrium, .statics = statics_, \
        .destroy = cst_nodal_destroy                                                                                       \
    }

#endif
