/* Common part of all nodal rods in 3D (discrete rods, CORDE rods, spring chains): nodes joined by straight edges.
 *
 * A node has 3 dofs. In discrete rods and CORDE rods, an edge also has rotational dofs. The `stride` is the number of dofs of one
 * node and one edge together. The order of dofs is node 0, edge 0, node 1, edge 1, ..., node n. Every strain depends on
 * consecutive dofs, so the matrix of a step is a band matrix with a half-bandwidth of at most 2 stride + 2. The last edge of a
 * closed rod ends at node 0 instead of node n.
 *
 * Every edge has a stretch, and every joint between two edges has strains of bending and, except in spring chains, of twist. In
 * CORDE rods, every edge also has strains that measure the angle between the edge and its frame. Symbols:
 *     `e`, `l`: edge vector and natural length of an edge.
 *     `EA`: stretching stiffness of the rod.
 *     `eps`, `c`: a strain other than the stretch, and its stiffness.
 *     `H`: Gauss-Newton approximation of the Hessian of the elastic energy, as a sum over all strains.
 *
 * The elastic energy is the sum over all strains:
 *     `EA*l*(|e|/l-1)^2/2`: stretch.
 *     `c*eps^2/2`: other strain.
 *     `H = sum c*grad(eps)*grad(eps)^T`.
 *
 * An edge shorter than half of its natural length has additional energy (rod/nodal_stretch.h). The stretch of an edge contributes
 * to the matrix H a stiffness along the edge and, only for an edge in tension, a stiffness across the edge. The Gauss-Newton
 * matrix H is positive semi-definite (docs/maths_rods.md, 4.1).
 *
 * A step follows the theta scheme (docs/world.md). The equations of a step are linearised at the shape q + u, displaced by u from
 * the shape q at the start of the step. Symbols:
 *     `q`: coordinates at the start of the step.
 *     `v`, `v+`: velocities at the start and at the end of the step.
 *     `M`: lumped mass matrix.
 *     `D`: viscosity matrix, the viscosity times the stiffness of all strains except the stretch.
 *     `E`, `g`: elastic energy and gravity.
 *     `rhoA`: mass per length of the rod.
 *     `nu`: drag per length of the rod; zero for the dofs of edges.
 *     `theta`, `dt`: parameter of the theta scheme and length of the step.
 *
 * Without impulses of contacts and constraints, an implicit step solves A v+ = rhs for the final velocities:
 *     `A = (1+theta*dt*nu/rhoA)*M+theta*dt*D+theta^2*dt^2*H`.
 *     `rhs = (1-(1-theta)*dt*nu/rhoA)*M*v + dt*(F1+F2)`.
 *     `F1 = M*g - grad E(q+u)`.
 *     `F2 = H*(u-theta*(1-theta)*dt*v) - (1-theta)*D*v`.
 *
 * In a step that is linearised at its start, the force of a stretched edge in F1 acts along the extrapolated direction of the
 * edge.
 *
 * A clamp holds the middle of edge 0 and prescribes the motion of edge 0. The first `held` dofs of a clamped rod are prescribed:
 * the dofs of nodes 0 and 1 and of edge 0. The velocities v in the functions of body/body.h contain only the free dofs. In
 * contact detection, element i (feature i) is edge i. If the rod is clamped, element 0 is only the half of edge 0 beyond the
 * clamp.
 *
 * The saved state consists of the coordinates q, the velocities v and the frames of the edges, in this order. The rod model
 * defines the coordinates of edges, and whether the velocities of edges are rates of these coordinates or angular velocities. */
#ifndef CST_ROD_NODAL_ROD_H
#define CST_ROD_NODAL_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_ROWS = 3,        /* largest number of strains of a joint or edge in all models */
    CST_NODAL_STRIDE = 6,      /* largest stride of all models */
    CST_NODAL_JOINT_DOFS = 15, /* 2 stride + 3 */
    CST_NODAL_EDGE_DOFS = 9,   /* stride + 3 */
    CST_NODAL_POINT_DOFS = 15  /* four nodes and an edge */
};

/* The smooth centreline of one edge (rod/nodal_curve.h). */
typedef struct cst_nodal_bend {
    double share;    /* blending factor b; 0: straight edge */
    double at[2][3]; /* bending vectors (m) at the two nodes: blending factor b times second difference of node positions */
    /* gradient (1/m) of the blending factor with respect to the edge vectors of the previous edge, of this edge and of the next
     * edge */
    double fades[3][3];
} cst_nodal_bend;

/* The force f of a stretched edge as a linear function of its edge vector e:
 *     `f = -(along*(t.e)+offset)*t - across*(e-t*(t.e))`.
 *     `t`: fixed unit vector, nearly along the edge. */
typedef struct cst_nodal_linear_stretch {
    double t[3];
    double across; /* transverse stiffness (N/m); 0 if the edge is not in tension */
    double along;  /* stiffness (N/m) along t */
    double offset; /* constant term (N) of the tension */
} cst_nodal_linear_stretch;

/* A shape of a rod.
 * `q`: array (total), coordinates of all dofs.
 * `frame`: array (edges x frame_size), frames of the edges in the form that the rod model defines (a discrete rod stores
 * reference frames).
 * `bend`: array (edges), smooth centreline of each edge. */
typedef struct cst_nodal_shape {
    double *q;
    double *frame;
    cst_nodal_bend *bend;
} cst_nodal_shape;

typedef struct cst_nodal_rod cst_nodal_rod;

/* Computes the strains of one joint or one edge. The strains of an edge depend on the dofs of its two nodes and on the rotational
 * dofs of the edge. The strains of a joint depend on the dofs of its three nodes and two edges, without the first and the last
 * `joint_skip` of these dofs.
 * `gradient`: derivatives of the strains with respect to the dofs on which they depend, one row per strain; NULL if not
 * needed. */
typedef void cst_nodal_strains(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int which, double *strain,
                               double *gradient);

typedef struct cst_nodal_strain_set {
    int rows;                /* number of strains */
    cst_nodal_strains *find; /* NULL if `rows` is 0 */
} cst_nodal_strain_set;

/* The data and functions in which the rod models (discrete rod, CORDE rod, spring chain) differ. */
typedef struct cst_nodal_model {
    int stride; /* number of dofs of one node (3) and one edge together */
    /* half-bandwidth: largest difference between the indices of two dofs on which the same strain depends */
    int bandwidth;
    int frame_size; /* numbers per edge in cst_nodal_shape.frame */
    /* k: the strains of a joint do not depend on the first k and the last k dofs of its 3 nodes and 2 edges */
    int joint_skip;
    cst_nodal_strain_set joint; /* strains of joint i, between edges i and i + 1 */
    cst_nodal_strain_set edge;  /* without the stretch */

    /* Computes the frames of all edges in the shape `to` from the frames in the earlier shape `from`. The coordinates q of the
     * shapes `from` and `to` must be set before `carry` is called. NULL: the model has no frames.
     * `displacement`: for each dof, its mean velocity times the time between the shapes `from` and `to`. */
    void (*carry)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *displacement, cst_nodal_shape *to);
    /* Computes the coordinates `q` and the velocities `velocity` of the rotational dofs of the clamped edge 0 at the end of a
     * step of length dt. NULL: edges have no dofs.
     * `from`: shape of the rod at the start of the step.
     * `nodes`: positions of nodes 0 and 1 at the end of the step.
     * `R`, `turn`: frame (columns t, d1, d2) and angular velocity of edge 0 at the end of the step.
     * `secant`: true to compute the mean velocity over the step, false for the velocity at the end of the step. */
    void (*hold)(const cst_nodal_rod *rod, const cst_nodal_shape *from, const double *nodes, const double *R, const double *turn,
                 double dt, bool secant, double *q, double *velocity);
    /* Computes the material frame R of an edge (columns t, d1, d2; row-major). */
    void (*frame)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *R);
    /* Completes the Jacobian `j_turn` of an edge's angular velocity with respect to the dofs of the edge and its two nodes. On
     * input, the Jacobian `j_turn` contains only the effect of the edge's two nodes. A discrete rod adds the column of the edge's
     * spin; a CORDE rod replaces the whole Jacobian, because the angular velocity of an edge is a dof. NULL: edges have no
     * rotational dofs. */
    void (*turn)(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *j_turn);
} cst_nodal_model;

struct cst_nodal_rod {
    cst_arena arena;
    const cst_nodal_model *model;
    /* With n edges, an open rod has n + 1 nodes and n - 1 joints; a closed rod has n nodes and n joints. */
    int edges, nodes, joints;
    /* `total`: number of dofs of the rod, including the clamped dofs.
     * `held`: number of clamped dofs, whose motion the clamp prescribes; 0 for a free rod. */
    int stride, total, held;
    int bandwidth; /* half-bandwidth of the matrix of the step */
    bool clamped, closed;
    bool smooth; /* the centreline is a curve (rod/nodal_curve.h) */
    double mass_per_length, drag, viscosity;
    double length;      /* length (m) of the rod */
    double edge_length; /* arc length (m) that one edge represents */
    double stretching;  /* stretching stiffness EA (N) */
    double *rest;       /* array (edges): natural length (m) of each edge */
    /* twist (rad) added to the natural twist of each joint of a closed rod, so that closing the rod causes no twisting strain
     * (nodal_build.c) */
    double closing;
    double *radius;          /* (edges) */
    double *mass;            /* array (total): diagonal of M */
    double *joint_stiffness; /* array (joints x joint.rows): stiffness of each joint strain */
    double *joint_natural;   /* array (joints x joint.rows): joint strains of the natural shape */
    double *edge_stiffness;  /* array (edges x edge.rows): stiffness of each strain of an edge except the stretch */
    /* array (joints): relative change of the rod length that a joint represents, while a constraint fixes the frame of a
     * neighbouring edge (nodal_hold_frame.c) */
    double *joint_more;
    /* array (joints x joint.rows): strains of each joint at the time when a constraint first fixed the frame of one of the two
     * edges of the joint */
    double *joint_first;

    /* clamped rod: position of the clamp and frame of edge 0, before the prescribed motion root_motion is added */
    double root_position[3], root_frame[9];
    /* clamped rod: positions of nodes 0 and 1 relative to root_position, in the axes of root_frame */
    double root_node[6];
    cst_motion root_motion;

    double *state; /* coordinates q, velocities v, and frames of all edges */
    double *v;     /* (total) */
    /* `now`: present shape.
     * `placed`: shape for contact detection.
     * `linear`: shape at which the equations of the step are linearised.
     * The three shapes can share arrays. */
    cst_nodal_shape now, placed, linear;
    cst_nodal_shape placed_buffer, linear_buffer;

    /* Data of the present step. */
    double imposed[CST_NODAL_EDGE_DOFS]; /* array (held): prescribed final velocities of the clamped dofs */
    double reached[CST_NODAL_EDGE_DOFS]; /* array (held): prescribed final coordinates of the clamped dofs */
    double pushed[CST_NODAL_EDGE_DOFS];  /* array (held): impulses of contacts, constraints and loads on the clamped dofs */
    /* Free rod: sum of the external impulses in the step, and sum of their moments about the origin, at the node positions where
     * the step is linearised */
    double outer_push[3], outer_moment[3];
    double spin[3]; /* angular momentum about the centre of mass that the rod must have at the end of the step */
    /* array (total): displacement of each dof from the start of the step to the shape that cst_nodal_advance computed last; 0 if
     * the step is linearised at its start */
    double *moved;
    double *mean; /* array (total): mean velocity of each dof over the step */
    /* Matrix A of the step for all dofs. An open rod stores `bandwidth` + 1 entries of each row i of this matrix: those from
     * column i - `bandwidth` to the diagonal. In a closed rod, the last rows of the matrix are stored from column 0 on. */
    cst_envelope whole;
    cst_envelope factor; /* Cholesky factor of the matrix of the step, for the free dofs */
    size_t entries, factor_entries;
    /* `full_rhs`: right-hand side of the step for all dofs.
     * `rhs`: the part of `full_rhs` for the free dofs, which contains the effect of the prescribed motion of the clamp. */
    double *full_rhs, *rhs;
    double *held_rhs; /* array (held): right-hand side of the step for the clamped dofs */
    /* array (joints x joint.rows x width): gradients of the joint strains where the step is linearised */
    double *joint_gradient;
    /* array (edges x edge.rows x (stride + 3)): gradients of the edge strains where the step is linearised */
    double *edge_gradient;
    /* array (joints x joint.rows): joint strains at the start of the step, extrapolated linearly from the shape where the step is
     * linearised */
    double *joint_strain;
    double *edge_strain;               /* array (edges x edge.rows): strains of the edges, as in joint_strain */
    cst_nodal_linear_stretch *stretch; /* array (edges): linearised force of each edge */
    cst_body_work work;
    double root_force[6];   /* force (N) and moment (N m) of the clamp in the last step */
    double softest_bending; /* smallest bending stiffness (N m^2) of the rod */
};

/* ------------------------------------------------------------------------------------------------------- for the models */

/* Number of dofs on which the strains of a joint depend (cst_nodal_joint_width), and index of the first of these dofs
 * (cst_nodal_joint_first). */
static inline int cst_nodal_joint_width(const cst_nodal_rod *rod)
{
    return 2 * (rod->stride - rod->model->joint_skip) + 3;
}

static inline int cst_nodal_joint_first(const cst_nodal_rod *rod, int joint)
{
    return joint * rod->stride + rod->model->joint_skip;
}

/* Returns the index of the dof k places after the dof `first`; in a closed rod, dof 0 follows the last dof. */
static inline int cst_nodal_dof(const cst_nodal_rod *rod, int first, int k)
{
    const int dof = first + k;
    return dof < rod->total ? dof : dof - rod->total;
}

/* Index of the first dof of node i (cst_nodal_node) and of edge i (cst_nodal_edge). Node n of a closed rod is node 0. */
static inline int cst_nodal_node(const cst_nodal_rod *rod, int i)
{
    return i < rod->nodes ? i * rod->stride : 0;
}

static inline int cst_nodal_edge(const cst_nodal_rod *rod, int i)
{
    return i * rod->stride + 3;
}

static inline int cst_nodal_next(const cst_nodal_rod *rod, int i)
{
    return i + 1 < rod->edges ? i + 1 : 0;
}

/* Returns the place of a material point on its edge: 0 at the first node, 1 at the second node. */
static inline double cst_nodal_share(const cst_nodal_rod *rod, int feature, double s)
{
    return s / rod->edge_length + (rod->clamped && feature == 0 ? 0.5 : 0.0);
}

/* Computes the unit vector t along an edge and returns the length of the edge. */
double cst_nodal_direction(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *t);

/* Computes the natural shape of the joint between two edges a and b.
 * `a`, `b`: natural frames of the two edges (columns t, d1, d2; row-major), up to a common rotation.
 * `twist`: natural twist angle (rad) from the middle of edge a to the middle of edge b; it can exceed a whole turn. */
void cst_nodal_natural_joint(const cst_nodal_rod *rod, const cst_fiber_def *def, int joint, double *a, double *b, double *twist);

/* Returns the twist angle from frame a to frame b. After frame a is transported without twist to the tangent of frame b, a
 * rotation by the twist angle about this tangent gives frame b. Of all angles that differ by whole turns, the angle nearest to
 * `near` is returned. */
double cst_nodal_twist(const double *a, const double *b, double near);

/* The initial shape of a rod, from which a rod model computes its own coordinates. */
typedef struct cst_nodal_course {
    double *frame;  /* array (edges x 9): initial frame of each edge */
    double *twist;  /* array (edges): twist angle from each edge to the next; open rod: last entry unused */
    double turn[3]; /* initial angular velocity of a free rod, or of edge 0 of a clamped rod */
} cst_nodal_course;

/* Allocates the struct of a rod model (`bytes` bytes) and creates its first member, the common part of a nodal rod. After the
 * call of cst_nodal_create, the rod model sets the frames, coordinates, velocities and masses of the edges, and all stiffnesses
 * except that of the stretch. The arrays to which `first` (the initial shape) points are freed with the rod. Returns NULL with a
 * message if a value of the definition is not valid or memory ran out. */
cst_nodal_rod *cst_nodal_create(const cst_nodal_model *model, const cst_fiber_def *def, size_t bytes,
                                const cst_allocator *allocator, cst_nodal_course *first, char *message, size_t message_size);

/* After a change of the state, updates the smooth centreline, and sets the shapes for contact detection and linearisation to the
 * present shape. */
void cst_nodal_settle(cst_nodal_rod *rod);

/* Parts of a step:
 * * cst_nodal_impose computes the position and velocity of the clamp at the end of the step.
 * * cst_nodal_advance computes the shape of the rod after the fraction `share` of a step that ends with the velocities v. The
 *   mean velocities over the step are written to rod->mean, the displacements up to the computed shape to rod->moved.
 * * cst_nodal_accept makes the shape placed_buffer and the final velocities v the new state of the rod. */
void cst_nodal_impose(cst_nodal_rod *rod, const cst_step_frame *frame);
void cst_nodal_advance(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v, double share, cst_nodal_shape *to);
void cst_nodal_accept(cst_nodal_rod *rod, const double *v);

/* Correction of the angular momentum in a step (nodal_momentum.c). The function cst_nodal_spin_before computes rod->spin, the
 * angular momentum that the rod must have at the end of the step. The function cst_nodal_keep_spin adds an angular velocity to
 * the whole rod, so that the rod has the angular momentum rod->spin. The added angular velocity is reduced if the time stepping
 * would otherwise add energy to the rod. `scheme`: energy that the time stepping has added in the step, without the energy of the
 * added angular velocity. The function cst_nodal_keep_spin returns the energy that the added angular velocity adds to the rod. */
void cst_nodal_spin_before(cst_nodal_rod *rod, const cst_step_frame *frame);
double cst_nodal_keep_spin(cst_nodal_rod *rod, double scheme);
/* Converts the generalised forces `moment` on the rotational dofs of an edge to a moment in world axes, and adds `scale` times
 * this moment to `out`. */
void cst_nodal_add_edge_moment(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, const double *moment,
                               double scale, double *out);

/* Returns the work of the clamp in a step that ends with the velocities v, and computes rod->root_force (nodal_clamp.c). Before
 * cst_nodal_clamp_work is called, rod->mean must contain the mean velocities over the step. */
double cst_nodal_clamp_work(cst_nodal_rod *rod, const cst_step_frame *frame, const double *v);

/* Tells the rod that a constraint begins (`held` true) or ceases (`held` false) to fix the frame of an edge
 * (nodal_hold_frame.c). */
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
/* Returns the weight of the initial velocity in the mean velocity over the step: 1 - theta, or 0 in a quasi-static step. */
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

/* Initialises a table of the functions for the time step of a nodal rod (cst_body_dynamics). All nodal rods have implicit steps
 * (the table cst_nodal_dynamics); CORDE rods also have a table for explicit steps. */
#define CST_NODAL_DYNAMICS(assemble_, solve_, describe_, hold_frame_, finish_)                                          \
    {                                                                                                                   \
        .dofs = cst_nodal_dofs, .place = cst_nodal_place, .assemble = assemble_, .rhs = cst_nodal_rhs, .solve = solve_, \
        .describe = describe_, .velocities = cst_nodal_velocities, .motion = cst_nodal_motion, .push = cst_nodal_push,  \
        .hold_frame = hold_frame_, .finish = finish_, .energy = cst_nodal_energy, .work = cst_nodal_work                \
    }

#define CST_NODAL_CLASS(title, dynamics_, statics_)                                                                        \
    {                                                                                                                      \
        .name = title, .dynamics = dynamics_, .state = &cst_nodal_state, .places = &cst_nodal_places,                      \
        .surface = &cst_nodal_surface, .look = &cst_nodal_look, .equilibrium = cst_nodal_equilibrium, .statics = statics_, \
        .destroy = cst_nodal_destroy                                                                                       \
    }

#endif
