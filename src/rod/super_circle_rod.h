/* Parts common to the chained and the mixed formulation of a super-circle rod: data, positions of the elements, and the
 * contribution of one element to the equations of a step. */
#ifndef CST_ROD_SUPER_CIRCLE_ROD_H
#define CST_ROD_SUPER_CIRCLE_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "rod/rod_scheme.h"
#include "rod/super_circle_momentum.h"
#include "rod/super_circle_riccati.h"
#include "rod/super_circle_stiffness.h"

/* Impulses on one element in a step with several linearisations, and the geometric stiffness of the forces on the element. */
typedef struct cst_circle_bearing {
    cst_plane pushed;       /* sum of all impulses on the element since the matrix of the step was last assembled */
    cst_circle_block given; /* geometric stiffness of the impulses only */
    cst_circle_block block; /* geometric stiffness of all forces */
    /* guessed angular velocity of the element's start (`turn`), and guessed rate of curvature of the element (`bend`) */
    double turn, bend;
    cst_circle_quad hold; /* sum of mass, drag and damping matrix of the element, times its guessed velocities */
} cst_circle_bearing;

/* Part of the geometric stiffness that is included in the matrix of the step. */
typedef enum cst_circle_stiffening {
    CST_CIRCLE_NOT_STIFFENED = 0, /* no geometric stiffness */
    CST_CIRCLE_STIFFENED,         /* the whole geometric stiffness: Newton's method */
    /* only the positive semi-definite part of the geometric stiffness: in a step whose matrix was not positive definite with the
     * whole geometric stiffness */
    CST_CIRCLE_STIFFENED_ONLY
} cst_circle_stiffening;

/* Method for solving linear systems with the Hessian of the potential energy: a sweep along the elements in O(n), or a dense
 * factorisation. */
typedef enum cst_circle_hessian { CST_CIRCLE_HESSIAN_SWEPT, CST_CIRCLE_HESSIAN_DENSE } cst_circle_hessian;

typedef struct cst_super_circle {
    cst_arena arena;
    cst_circle_hessian hessian; /* method for the computation of equilibria */
    int elements;
    bool clamped, closed;
    bool chords; /* true if the contact shapes are the chords of the elements instead of their arcs */
    double mass_per_length, drag;
    cst_plane load;                /* N/m */
    cst_circle_material *material; /* (elements) */
    double *radius;                /* (elements) */
    double *arc;                   /* array (elements + 1): arc length at the start of each element */
    double rest_root[3];           /* position and angle of a clamped root before its prescribed motion is added */
    cst_motion root_motion;

    /* The state in one array of four parts: position and angle of the root (3), curvatures, velocity and angular velocity of the
     * root (3), rates of curvature. */
    double *state;
    double *root, *kappa, *root_rate, *rate;

    /* arrays (elements + 1; the last entry is the end of the rod): the elements in the present shape (`now`), in the shape for
     * contact detection (`placed`), and in the shape of the last linearisation (`linear`). The pointers `placed` and `linear` are
     * equal to `now` if their shape is the present shape. */
    cst_circle_element *now, *placed, *linear;
    cst_circle_element *placed_buffer, *linear_buffer;
    /* array (elements + 1): elements at the end of a step with the guessed velocities, only for theta below 1 */
    cst_circle_element *end_buffer;
    /* scratch arrays (elements): curvatures and mean rates of curvature in a step with given end velocities */
    double *trial_kappa, *trial_rate;

    cst_circle_mass *mass;     /* array (elements): mass matrices in the present shape */
    cst_circle_masses *masses; /* array (elements): point masses in the present shape */
    cst_circle_totals totals;  /* mass, momentum and energy of the rod in its present state */

    /* Data of the present step. */
    int rate_first, rate_stride; /* rate of curvature of element i: entry rate_first + i rate_stride of the velocities v */
    double *rhs;                 /* array (dofs): right-hand side */
    double imposed_rate[3];      /* velocity of a clamped root at the end of the step */
    double root_rhs[3];          /* sum of the right-hand sides of all elements, as impulse and moment at the root */
    /* sum of the external impulses on the rod in the present step, and their moment about the root; not computed for a free rod
     * in a step with one linearisation */
    double pushed[3];
    bool iterated; /* the step has several linearisations */
    cst_circle_stiffening stiffening;
    bool stiffened;              /* true if the matrix of the step contains geometric stiffness */
    cst_circle_bearing *bearing; /* (elements) */

    /* Momentum (super_circle_momentum.h). */
    bool guessed;                      /* true if the step is linearised at a guess of the velocities and is not quasi-static */
    double guess_root[3], *guess_rate; /* guessed velocity of the root, and guessed rates of curvature (elements) */
    /* array (elements), for the right-hand side: generalised momentum of each element at the start of the step, minus the
     * momentum of the velocity correction c (super_circle_momentum.h) */
    cst_circle_quad *momentum;
    /* array (elements): at the end of a step, the final velocities of the point masses; before, in a step linearised at a guess,
     * the initial minus the guessed final velocities of the point masses. */
    cst_circle_field *field;
    cst_circle_start *start; /* array (elements): valid only if start_known */
    bool start_known;
    /* array (elements): during a step in the mixed formulation, factors of the matrix of the step. At the end of a step in either
     * formulation, the projection of the velocities (super_circle_momentum.h) writes factors of the mass matrix to the array
     * `factor`. */
    cst_circle_factor *factor;
    double *correction;   /* (elements) */
    cst_body_work work;   /* works in the last step */
    double root_force[3]; /* force (N) and moment (N m) that a clamp exerts on the root in the last step */
} cst_super_circle;

/* Coefficients of a step of the theta scheme, in which the elastic forces are those of the shape after the fraction theta of the
 * step. The step solves A v+ = rhs for the final velocities v+:
 *     `A = (1+theta*dt*nu/rhoA)*M + theta*dt*D+theta^2*dt^2*K`.
 *     `rhs = M*v-dt*c/(2*theta)+R_1+R_2`.
 *     `R_1 = -(1-theta)*dt*(nu/rhoA*M+D+theta*dt*K)*v`.
 *     `R_2 = dt*(f-K*(kappa-kappa_0))`.
 *
 * Symbols:
 *     `v`, `v+`: initial and final velocities.
 *     `M`, `D`, `K`: mass, damping, stiffness.
 *     `nu`: drag per length.
 *     `rhoA`: mass per length.
 *     `f`: forces of gravity and load.
 *     `c`: gyroscopic forces.
 *     `kappa`, `kappa_0`: curvatures, natural curvatures.
 *
 * In a step linearised at a guess v_k of the velocities, the initial momentum on the right-hand side is computed from the
 * velocities of point masses (super_circle_momentum.h). If a step has several linearisations, terms with the geometric
 * stiffness N of all forces are added to the matrix and to the right-hand side:
 *     `A += theta^2*dt^2*N`.
 *     `rhs += theta^2*dt^2*N*v_k`. */
typedef struct cst_circle_step {
    cst_rod_scheme scheme;
    cst_plane field;     /* gravity and load per unit mass */
    cst_plane root_rate; /* prescribed velocity and angular velocity of a clamped root; zero if the root is free */
    double root_turn;
} cst_circle_step;

cst_circle_step cst_circle_step_of(const cst_super_circle *rod, const cst_step_frame *frame);

/* Input of the function cst_circle_trace: position and angle of the root, curvatures, velocity and angular velocity of the root,
 * and rates of curvature. */
typedef struct cst_circle_path {
    const double *root, *kappa;
    const double *root_rate, *rate;
} cst_circle_path;

void cst_circle_trace(const cst_super_circle *rod, const cst_circle_path *path, cst_circle_element *out);

/* Computes the velocities of elements with known positions from the velocity of the root and the rates of curvature. The
 * velocities are bitwise equal to those that the function cst_circle_trace computes for the same elements. */
void cst_circle_trace_motion(const cst_super_circle *rod, const double *root_rate, const double *rate, cst_circle_element *out);

/* Updates the elements in the present shape (`now`), their masses, and the totals of the rod (mass, momentum and energy). The
 * function cst_circle_settle must be called after the state is created, loaded or set to an equilibrium. */
void cst_circle_settle(cst_super_circle *rod);

/* Like cst_circle_settle, but without the totals. */
void cst_circle_settle_shape(cst_super_circle *rod);

cst_circle_totals cst_circle_totals_of(const cst_super_circle *rod);

void cst_circle_imposed_root(const cst_super_circle *rod, const cst_step_frame *frame, double position[3], double rate[3]);

void cst_circle_root_velocity(const cst_super_circle *rod, const cst_step_frame *frame, const double *v, double end[3],
                              double mean[3]);

/* Computes rod->momentum, the part of the right-hand side from the initial momentum of each element, and rod->field, the initial
 * minus the guessed final velocities of the point masses. The function cst_circle_field_at_guess is called only in a step
 * linearised at a guess of the velocities (super_circle_momentum.h). `end`: array of the elements in the guessed final shape;
 * rod->linear if theta = 1. */
void cst_circle_field_at_guess(cst_super_circle *rod, const cst_step_frame *frame, const cst_circle_element *end,
                               const double *guess);

/* Linearises the rod at the guess of the velocities, or at the present state if `guess` is NULL; must be called before
 * cst_circle_dynamics_of. In a step with several linearisations, cst_circle_linearise computes the geometric stiffness due to
 * weight, inertia and the impulses applied since the last linearisation (only if `guess` is not NULL), and then sets the sums of
 * the applied impulses to zero. */
void cst_circle_linearise(cst_super_circle *rod, const cst_step_frame *frame, const double *guess);

/* Computes the geometric stiffness of the elements (super_circle_stiffen.c); called by cst_circle_linearise. */
void cst_circle_stiffen(cst_super_circle *rod, const cst_step_frame *frame, const double *guess);

/* Reduces the geometric stiffness of each element to its positive semi-definite part, because the matrix of the step was not
 * positive definite. Returns false without a change if the matrix of the step contains no geometric stiffness, or only its
 * positive semi-definite part. */
bool cst_circle_stiffen_only(cst_super_circle *rod);

/* Called after the matrix of the step is assembled: subtracts the terms of the geometric stiffness from root_rhs, the sum of all
 * impulses and moments about the root. The reaction force of a clamped root is later computed from this sum root_rhs, which must
 * not contain the geometric stiffness. */
void cst_circle_forget_stiffness(cst_super_circle *rod);

/* The contribution of one element to the equations of the step: its matrix, its joint matrix and its right-hand side, which
 * includes the prescribed motion of a clamped root. */
typedef struct cst_circle_dynamics {
    cst_circle_mass A;
    cst_circle_joint joint;
    cst_circle_quad rhs;
} cst_circle_dynamics;

static inline cst_circle_mass cst_circle_linear_mass(const cst_super_circle *rod, int i)
{
    if (rod->linear == rod->now)
        return rod->mass[i];
    return cst_circle_mass_of(&rod->linear[i], rod->material[i].length, rod->mass_per_length);
}

/* Returns the generalised momentum of one element at the start of the step, minus dt/(2 theta) times its gyroscopic forces; zero
 * in a quasi-static step. */
static inline cst_circle_quad cst_circle_momentum_at_start(const cst_circle_element *e, const cst_circle_mass *M, double l,
                                                           double mass_per_length, double rate, const cst_circle_step *step)
{
    if (step->scheme.inertia == 0.0)
        return (cst_circle_quad){{0.0, 0.0}, 0.0, 0.0};
    const double gyration = step->scheme.dt * step->scheme.gyration;
    const cst_circle_quad h = cst_circle_inertia_of(e, l, mass_per_length, rate);
    const cst_circle_quad v = {cst_plane_add(e->velocity, -gyration, e->bias), e->turn, rate};
    const cst_circle_quad p = cst_circle_mass_times(M, v);
    return (cst_circle_quad){cst_plane_add(p.xy, -gyration, h.xy), p.theta - gyration * h.theta, p.kappa - gyration * h.kappa};
}

/* Computes the contribution of one element to the equations of the step. In a step linearised at its start, also stores the
 * initial momentum of the element for use at the end of the step. */
static inline cst_circle_dynamics cst_circle_dynamics_of(cst_super_circle *rod, const cst_circle_step *step, int i)
{
    const cst_circle_element *e = &rod->linear[i];
    const cst_circle_material *material = &rod->material[i];
    const cst_circle_mass M = cst_circle_linear_mass(rod, i);
    double l = material->length, rate = step->scheme.inertia * rod->rate[i];
    if (!rod->guessed)
        rod->momentum[i] = cst_circle_momentum_at_start(e, &M, l, rod->mass_per_length, rod->rate[i], step);
    const cst_circle_quad kept = rod->momentum[i];

    /* The right-hand side contains M v, the mass matrix M times a vector v of velocities. The vector v is the velocity change due
     * to gravity, load and drag (at the initial velocities), minus the velocities due to the prescribed motion of the root times
     * the factor mass_new. The initial momentum is added separately. */
    cst_plane arm = cst_plane_difference(e->start, rod->linear[0].start);
    double old = step->scheme.inertia * (step->scheme.mass_old - 1.0);
    cst_plane imposed = cst_plane_add(step->root_rate, step->root_turn, cst_plane_left(arm));
    cst_circle_quad v = {.xy = {old * e->velocity.x + step->scheme.dt * step->field.x - step->scheme.mass_new * imposed.x,
                                old * e->velocity.y + step->scheme.dt * step->field.y - step->scheme.mass_new * imposed.y},
                         .theta = old * e->turn - step->scheme.mass_new * step->root_turn,
                         .kappa = old * rod->rate[i]};
    cst_circle_quad b = cst_circle_mass_times(&M, v);
    double elastic = step->scheme.dt * material->stiffness * (rod->kappa[i] - material->natural);
    double damped = step->scheme.damping_old * material->damping + step->scheme.stiffness_old * material->stiffness;

    double factor = step->scheme.mass_new;
    cst_circle_dynamics out = {.A = {.m = factor * M.m,
                                     .turn = cst_plane_scaled(factor, M.turn),
                                     .bend = cst_plane_scaled(factor, M.bend),
                                     .turn_turn = factor * M.turn_turn,
                                     .turn_bend = factor * M.turn_bend,
                                     .bend_bend = factor * M.bend_bend + step->scheme.damping_new * material->damping +
                                                  step->scheme.stiffness_new * material->stiffness},
                               .joint = cst_circle_joint_of(e, l),
                               .rhs = {.xy = cst_plane_sum(b.xy, kept.xy),
                                       .theta = b.theta + kept.theta,
                                       .kappa = b.kappa + kept.kappa - elastic - damped * rate}};
    if (rod->stiffening != CST_CIRCLE_NOT_STIFFENED) {
        const cst_circle_bearing *bearing = &rod->bearing[i];
        const cst_circle_block *N = &bearing->block;
        out.A.turn_turn += N->turn_turn;
        out.A.turn_bend += N->turn_bend;
        out.A.bend_bend += N->bend_bend;
        out.rhs.theta += N->turn_turn * bearing->turn + N->turn_bend * bearing->bend;
        out.rhs.kappa += N->turn_bend * bearing->turn + N->bend_bend * bearing->bend;
    }
    return out;
}

/* Functions of the body class (cst_body_class) that both formulations of a super-circle rod use. */
extern const cst_body_state cst_circle_state;
extern const cst_body_surface cst_circle_surface;
extern const cst_body_look cst_circle_look;
extern const cst_body_statics cst_circle_statics; /* super_circle_hold.c */
bool cst_circle_place_body(void *self, const cst_step_frame *frame, const double *v);
double *cst_circle_rhs(void *self);
void cst_circle_position(const void *self, const cst_material_point *at, double *position);
void cst_circle_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
void cst_circle_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn);
double cst_circle_motion(const void *self, const cst_step_frame *frame, const double *v);
void cst_circle_push(void *self, const cst_material_point *at, const double *impulse, const double *moment);
void cst_circle_roll(void *self, const cst_material_point *at, double hold);
void cst_circle_finish(void *self, const cst_step_frame *frame, const double *v);
void cst_circle_energy(const void *self, const double *gravity, cst_body_energy *out);
void cst_circle_work(const void *self, cst_body_work *out);
bool cst_circle_locate(const void *self, const cst_place *place, cst_material_point *out);
void cst_circle_destroy(void *self);

/* Computes position and rotation of a material point, and the part of its velocity due to the prescribed motion of the root
 * (drift), but not its Jacobians. Returns the position and the angle of the material point in the shape of the last
 * linearisation. */
cst_circle_point cst_circle_point_motion(const cst_super_circle *rod, const cst_material_point *at, cst_point_motion *out);

/* The functions cst_circle_chained_begin and cst_circle_mixed_begin finish the creation of a super-circle rod in one formulation,
 * and return false if memory ran out. The struct of each formulation begins with the member `super`, the data common to both
 * formulations. */
size_t cst_circle_chained_bytes(void);
size_t cst_circle_mixed_bytes(void);
bool cst_circle_chained_begin(cst_super_circle *rod, cst_body_model *out);
bool cst_circle_mixed_begin(cst_super_circle *rod, cst_body_model *out);

#endif
