/* The part that both formulations of a super-circle rod share: data, the computation of the elements' positions, and the
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

/* Data of one element in a step with several linearisations: the impulses on it, and the derivative of all forces with respect to
 * its shape. */
typedef struct cst_circle_bearing {
    cst_plane pushed;       /* sum of all impulses on the element since the matrix of the step was last assembled */
    cst_circle_block given; /* geometric stiffness of the impulses only */
    cst_circle_block block; /* geometric stiffness of all forces */
    double turn, bend;      /* theta', kappa' of the guess */
    cst_circle_quad hold;   /* used by cst_body_statics.hold */
} cst_circle_bearing;

/* How much of the geometric stiffness is included in the matrix of the step. */
typedef enum cst_circle_stiffening {
    CST_CIRCLE_NOT_STIFFENED = 0, /* step with one linearisation */
    CST_CIRCLE_STIFFENED,         /* all of it: Newton's method */
    /* The matrix of the step contains only the positive semi-definite part of the geometric stiffness, because with the whole
     * geometric stiffness it was not positive definite. */
    CST_CIRCLE_STIFFENED_ONLY
} cst_circle_stiffening;

/* Method for solving linear systems with the Hessian of the potential energy: by a sweep along the elements in O(n), or with a
 * dense matrix in the curvatures. */
typedef enum cst_circle_hessian { CST_CIRCLE_HESSIAN_SWEPT, CST_CIRCLE_HESSIAN_DENSE } cst_circle_hessian;

typedef struct cst_super_circle {
    cst_arena arena;
    cst_circle_hessian hessian; /* used for its equilibria */
    int elements;
    bool clamped, closed;
    bool chords; /* true if contacts use the chords of the elements instead of the arcs */
    double mass_per_length, drag;
    cst_plane load;                /* N/m */
    cst_circle_material *material; /* (elements) */
    double *radius;                /* (elements) */
    double *arc;                   /* array (elements + 1): arc length at the start of each element */
    double rest_root[3];           /* position and angle of a clamped root before its prescribed motion (root_motion) is added */
    cst_motion root_motion;

    /* The state in one array: position and angle of the root (3), curvatures, rates of the root (3), rates of curvature. */
    double *state;
    double *root, *kappa, *root_rate, *rate;

    /* arrays (elements + 1; the last entry is the end of the rod): the elements in the present shape (`now`), in the shape last
     * used for contact detection (`placed`), and in the shape of the last linearisation (`linear`). The pointers `placed`
     * (shape for contact detection) and `linear` (shape of the last linearisation) point to the array `now` of the present
     * shape, or to separate arrays if their shape differs from the present one. */
    cst_circle_element *now, *placed, *linear;
    cst_circle_element *placed_buffer, *linear_buffer;
    /* elements of the rod at the end of a step with the guessed velocities; only used if the parameter theta of the theta scheme
     * is below 1 */
    cst_circle_element *end_buffer;
    /* temporary arrays (elements): curvatures, and mean rates of curvature, for a step with given or guessed final velocities */
    double *trial_kappa, *trial_rate;

    cst_circle_mass *mass;     /* array (elements): M at the state */
    cst_circle_masses *masses; /* array (elements): at the state */
    cst_circle_totals totals;  /* of the state */

    /* Data of the present step. */
    int rate_first, rate_stride; /* in v: rate_first + i rate_stride */
    double *rhs;                 /* (dofs) */
    double imposed_rate[3];      /* velocity of a clamped root at the end of the step */
    double root_rhs[3];          /* sum of the right-hand sides of all elements, as impulse and moment at the root */
    /* sum of the external impulses on the rod in the present step, and their moment about the root */
    double pushed[3];
    bool iterated; /* the step has several linearisations */
    cst_circle_stiffening stiffening;
    bool stiffened;              /* blocks of `bearing` are added */
    cst_circle_bearing *bearing; /* (elements) */

    /* Momentum (super_circle_momentum.h). */
    bool guessed;                      /* linearised at a guess, not quasi-static */
    double guess_root[3], *guess_rate; /* guessed velocity of the root, and guessed rates of curvature (elements) */
    /* array (elements): generalised momentum of each element at the start of the step, as used in the right-hand side of the
     * step */
    cst_circle_quad *momentum;
    /* array (elements): Velocities of the point masses. Within a step linearised at a guess of the velocities, the array `field`
     * contains the initial velocities of the point masses minus their guessed final velocities. At the end of a step, the array
     * `field` contains the final velocities of the point masses. */
    cst_circle_field *field;
    cst_circle_start *start; /* array (elements): if start_known */
    bool start_known;
    /* array (elements): factorisation of a matrix, element by element. In the mixed formulation it is the matrix of the step.
     * The projection of the velocities at the end of the step (super_circle_momentum.h) overwrites the array with the
     * factorisation of the mass matrix. */
    cst_circle_factor *factor;
    double *correction;   /* (elements) */
    cst_body_work work;   /* of the last step */
    double root_force[3]; /* force (N) and moment (N m) that a clamp exerts on the root in the last step */
} cst_super_circle;

/* Coefficients of a step of the theta scheme, in which the elastic forces are those of the shape after the fraction theta of the
 * step. Symbols:
 *     `v`, `v+`: initial and final velocities.
 *     `M`, `D`, `K`: mass, damping, stiffness.
 *     `nu`: drag per length.
 *     `rhoA`: mass per length.
 *     `f`: forces of gravity and load.
 *     `c`: gyroscopic forces.
 *
 * The step solves A v+ = rhs for the final velocities v+:
 *     `A = (1+theta*dt*nu/rhoA)*M + theta*dt*D+theta^2*dt^2*K`.
 *     `rhs = M*v-dt*c/(2*theta) + R_1+R_2`.
 *     `R_1 = -(1-theta)*dt*(nu/rhoA*M+D+theta*dt*K)*v`.
 *     `R_2 = dt*(f-K*(kappa-kappa_0))`.
 *
 * In a step linearised at a guess v_k of the velocities, the initial momentum on the right-hand side is computed from the
 * velocities of point masses (super_circle_momentum.h). A step with several linearisations also contains the geometric stiffness
 * N of all forces:
 *     `A += theta^2*dt^2*N`.
 *     `rhs += theta^2*dt^2*N*v_k`. */
typedef struct cst_circle_step {
    cst_rod_scheme scheme;
    cst_plane field;     /* gravity and load per unit mass */
    cst_plane root_rate; /* prescribed velocity and angular velocity of a clamped root; zero if the root is free */
    double root_turn;
} cst_circle_step;

cst_circle_step cst_circle_step_of(const cst_super_circle *rod, const cst_step_frame *frame);

/* Input of the function cst_circle_trace, which computes positions and motion of the elements: the root, the curvatures, and the
 * rates of both. The output array of cst_circle_trace has one entry for each element and one for the end of the rod. */
typedef struct cst_circle_path {
    const double *root, *kappa;
    const double *root_rate, *rate;
} cst_circle_path;

void cst_circle_trace(const cst_super_circle *rod, const cst_circle_path *path, cst_circle_element *out);

/* Computes the velocities of elements with known positions from the rates of the root and of the curvatures; the results are
 * bitwise equal to those of cst_circle_trace. */
void cst_circle_trace_motion(const cst_super_circle *rod, const double *root_rate, const double *rate, cst_circle_element *out);

/* The function cst_circle_settle must be called after every change of the rod's state. Updates the elements in the present
 * shape (`now`), their masses, and the totals of the rod (mass, momentum and energy). */
void cst_circle_settle(cst_super_circle *rod);

/* Like cst_circle_settle, but without the totals. */
void cst_circle_settle_shape(cst_super_circle *rod);

/* Computes the sums over `now`. */
cst_circle_totals cst_circle_totals_of(const cst_super_circle *rod);

/* Computes the prescribed position and velocity of a clamped root at the end of the step. */
void cst_circle_imposed_root(const cst_super_circle *rod, const cst_step_frame *frame, double position[3], double rate[3]);

/* Computes the velocity of the root at the end of the step and its mean velocity over the step. */
void cst_circle_root_velocity(const cst_super_circle *rod, const cst_step_frame *frame, const double *v, double end[3],
                              double mean[3]);

/* Only for a step linearised at a guess of the velocities (super_circle_momentum.h): computes the initial minus the guessed final
 * velocities of the point masses, and the initial generalised momentum of each element. `end`: elements of the rod in the guessed
 * final shape; this is the array rod->linear if theta = 1. */
void cst_circle_field_at_guess(cst_super_circle *rod, const cst_step_frame *frame, const cst_circle_element *end,
                               const double *guess);

/* To be called before cst_circle_dynamics_of. Linearises the rod at the guess of the velocities, or at the present state if
 * `guess` is NULL. Also computes the geometric stiffness due to weight, inertia and the impulses that were applied to the
 * elements since the last linearisation. Sets the sums of the applied impulses to zero before it returns. */
void cst_circle_linearise(cst_super_circle *rod, const cst_step_frame *frame, const double *guess);

/* The part of the function cst_circle_linearise that computes the geometric stiffness of the elements
 * (super_circle_stiffen.c). */
void cst_circle_stiffen(cst_super_circle *rod, const cst_step_frame *frame, const double *guess);

/* Called if the matrix of the step was not positive definite: reduces the geometric stiffness of each element to its positive
 * semi-definite part. Returns false without a change if the matrix of the step contains no geometric stiffness, or only its
 * positive semi-definite part. */
bool cst_circle_stiffen_only(cst_super_circle *rod);

/* Called when the matrix of the step is assembled: subtracts the terms of the geometric stiffness from root_rhs, the sum of all
 * impulses and moments about the root. The reaction force of a clamped root is computed from the sum root_rhs of the impulses on
 * the rod, which must not contain terms of the geometric stiffness. */
void cst_circle_forget_stiffness(cst_super_circle *rod);

/* The contribution of one element to the equations of the step: its matrix, its joint matrix and its right-hand side. The
 * right-hand side of each element contains the effect of the prescribed motion of a clamped root. */
typedef struct cst_circle_dynamics {
    cst_circle_mass A;
    cst_circle_joint joint;
    cst_circle_quad rhs;
} cst_circle_dynamics;

/* Returns the mass matrix M of an element in the shape of the last linearisation. */
static inline cst_circle_mass cst_circle_linear_mass(const cst_super_circle *rod, int i)
{
    if (rod->linear == rod->now)
        return rod->mass[i];
    return cst_circle_mass_of(&rod->linear[i], rod->material[i].length, rod->mass_per_length);
}

/* Returns the generalised momentum of one element at the start of the step, minus dt/(2 theta) times its gyroscopic forces.
 * Returns zero in a quasi-static step. */
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

/* Computes the contribution of one element to the equations of the step. In a step linearised at its start, the function
 * cst_circle_dynamics_of also stores the initial momentum of the element for use at the end of the step. */
static inline cst_circle_dynamics cst_circle_dynamics_of(cst_super_circle *rod, const cst_circle_step *step, int i)
{
    const cst_circle_element *e = &rod->linear[i];
    const cst_circle_material *material = &rod->material[i];
    const cst_circle_mass M = cst_circle_linear_mass(rod, i);
    double l = material->length, rate = step->scheme.inertia * rod->rate[i];
    if (!rod->guessed)
        rod->momentum[i] = cst_circle_momentum_at_start(e, &M, l, rod->mass_per_length, rod->rate[i], step);
    const cst_circle_quad kept = rod->momentum[i];

    /* The vector v is the sum of all velocities that are multiplied by the mass matrix on the right-hand side: dt times the
     * acceleration by gravity and load, the drag on the initial velocities, and the velocities of the imposed motion of the
     * root. The initial momentum is added separately. */
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

/* The functions of the body class (cst_body_class) that are the same for both formulations of a super-circle rod. */
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

/* The part of the class function `point` that is the same in both formulations: computes position and rotation of a material
 * point, and the part of its velocity due to the prescribed motion of the root (drift). The function cst_circle_point_motion does
 * not compute the Jacobians of the point's velocity, because they depend on the formulation. Returns the position and the angle
 * of the material point, computed in the shape where the step was last linearised. */
cst_circle_point cst_circle_point_motion(const cst_super_circle *rod, const cst_material_point *at, cst_point_motion *out);

/* The functions cst_circle_chained_begin and cst_circle_mixed_begin finish the creation of a super-circle rod in one of its two
 * formulations, after the data common to both formulations are set. The functions cst_circle_chained_begin and
 * cst_circle_mixed_begin return false if memory ran out. The struct of each formulation begins with the member `super`, which
 * contains the data common to both formulations. */
size_t cst_circle_chained_bytes(void);
size_t cst_circle_mixed_bytes(void);
bool cst_circle_chained_begin(cst_super_circle *rod, cst_body_model *out);
bool cst_circle_mixed_begin(cst_super_circle *rod, cst_body_model *out);

#endif
