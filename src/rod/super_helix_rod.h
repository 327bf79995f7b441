/* What both formulations of a super helix share: data, the sweep that places the elements, the step seen by one element. */
#ifndef CST_ROD_SUPER_HELIX_ROD_H
#define CST_ROD_SUPER_HELIX_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "rod/super_helix_momentum.h"
#include "rod/super_helix_riccati.h"
#include "rod/super_helix_stiffness.h"

/* One element in an iterated step: the impulses that act on it, and how all that acts changes with its shape. */
typedef struct cst_helix_bearing {
    double pushed[3], moment[3]; /* impulses since the last assembly, moment about the element's start */
    cst_helix_block given;       /* geometric stiffness of these alone */
    cst_helix_block block;       /* of all forces, as it is in A */
    double turn[3], bend[3];     /* omega, u' of the guess */
} cst_helix_bearing;

/* How much of the geometric stiffness is in A. */
typedef enum cst_helix_stiffening {
    CST_HELIX_NOT_STIFFENED = 0, /* nothing: not iterated, or A would not be positive definite */
    CST_HELIX_STIFFENED,         /* all of it: Newton's method */
    CST_HELIX_STIFFENED_ONLY     /* what is positive definite: quasi-static, where A would not be */
} cst_helix_stiffening;

/* Place and frame of the root. */
typedef struct cst_helix_root {
    double position[3], frame[9];
} cst_helix_root;

/* Up to so many elements, what a single call needs is on its stack: 5 kB less for each fiber of 5 elements. */
enum { CST_HELIX_SMALL = 8 };

typedef struct cst_super_helix {
    cst_arena arena;
    int elements, gauss;
    bool clamped, closed;
    double mass_per_length, drag;
    cst_helix_material *material; /* (elements) */
    double *radius;               /* (elements) */
    double *arc;                  /* (elements + 1) arc length where each element starts */
    cst_helix_root rest;          /* of a clamped root, where root_motion begins */
    cst_motion root_motion;
    double fit; /* m: largest distance of a joint from its point of the definition */

    /* The state, one array: root position (3), frame (9), u (3 elements), root velocity (3), turning rate (3), u' (3
     * elements). */
    double *state;
    cst_helix_root *root;
    double *u, *root_rate, *rate;

    /* Elements and, as one more, the end: at the state; where the body was placed; where it was linearised. The latter two
     * are `now` or the buffers. */
    cst_helix_element *now, *placed, *linear;
    cst_helix_element *placed_buffer, *linear_buffer;
    cst_helix_element *end_buffer; /* NULL: small */
    double *trial_u, *trial_rate;  /* (3 elements) where linearised or placed at a guess */

    /* Of the step at hand. */
    int rate_first, rate_stride; /* u_i' at the end of the step is v[rate_first + i rate_stride ..] */
    double *linear_rate;         /* (3 elements) v_theta at the guess that was linearised at */
    double *rhs;                 /* (dofs) */
    double imposed_rate[6];      /* of a clamped root at the end of the step */
    double pushed[6];            /* impulses and moment about the root that the world lets act */
    double root_hold[6];         /* of cst_body_statics.hold, seen by the root */
    double root_force[6];        /* N, N m: of a clamp on the root in the last step */
    bool iterated;               /* the step is: impulses are kept in `bearing` */
    cst_helix_stiffening stiffening;
    cst_helix_bearing *bearing; /* (elements) */
    bool guessed;               /* linearised at a guess */
    cst_helix_field *field;     /* (elements) w - c of a step that is linearised at a guess; w+ when it is finished */
    cst_helix_start *start;     /* (elements) if start_known */
    bool start_known;
    cst_helix_mass *mass; /* (elements) M at the state, if mass_known */
    bool mass_known;

    /* A or M by the sweep: the dense formulation has them for M alone. */
    cst_helix_factor *factor; /* (elements) NULL: dense and small */
    cst_helix_mass *dynamics; /* (elements) A_i of the step, for what multiplies with A: sweep formulation only */
    cst_envelope root_factor; /* free: P at the root */
    double *correction;       /* (9 elements) room within one call; NULL: small */
    cst_body_work work;       /* of the last step */
} cst_super_helix;

/* Coefficients of a step: those of super_circle_rod.h. */
typedef struct cst_helix_step {
    double dt;
    double mass_new, mass_old;
    double damping_new, stiffness_new;
    double damping_old, stiffness_old;
    double inertia;      /* 1, or 0 if quasi-static: no velocity, no c */
    double gyration;     /* 1 / (2 theta): what counts of the gyroscopic terms at the start */
    double field[3];     /* gravity */
    double root_rate[6]; /* imposed; zero if the root is free */
} cst_helix_step;

cst_helix_step cst_helix_step_of(const cst_super_helix *rod, const cst_step_frame *frame);

/* Places the elements: curvatures and root, velocities whose momentum counts, velocities of the inertial terms (bias). out has
 * room for elements + 1. root_rate NULL: places alone. */
typedef struct cst_helix_path {
    const cst_helix_root *root;
    const double *u;
    const double *root_rate, *rate;
    const double *inertia_root_rate, *inertia_rate;
} cst_helix_path;

void cst_helix_trace(const cst_super_helix *rod, const cst_helix_path *path, cst_helix_element *out);

/* The state has changed: `now` again, and everything looks at it. */
void cst_helix_settle(cst_super_helix *rod);

/* Where a clamped root is at the end of the step, and how fast it moves and turns then. */
void cst_helix_imposed_root(const cst_super_helix *rod, const cst_step_frame *frame, cst_helix_root *place, double rate[6]);

/* Root motion at a time. */
void cst_helix_root_motion(const cst_super_helix *rod, double time, cst_helix_root *place, double rate[6]);

/* Before the elements are visited: chooses where to linearise (guess NULL: the state), finds the geometric stiffness there (of
 * the impulses pushed since the last time, and of weight and inertia) and forgets what was pushed. */
void cst_helix_linearise(cst_super_helix *rod, const cst_step_frame *frame, const double *guess);

/* The part of it that finds the stiffness (super_helix_stiffen.c). */
void cst_helix_stiffen(cst_super_helix *rod, const cst_step_frame *frame, const double *guess);

/* A was not positive definite: leaves less of the geometric stiffness. False: there is no more to leave out. */
bool cst_helix_stiffen_less(cst_super_helix *rod, bool quasi_static);

/* A and the right-hand side of one element, root motion already moved to the right. */
void cst_helix_dynamics_of(const cst_super_helix *rod, const cst_helix_step *step, int i, cst_helix_mass *A,
                           cst_helix_nonad *rhs);

/* w - c at the guess, into rod->field; end: the elements at the end of the step by the guess (rod->linear if theta = 1). */
void cst_helix_field_at_guess(cst_super_helix *rod, const cst_step_frame *frame, const cst_helix_element *end,
                              const double *guess);

/* v_theta . N (v+ - v_k) of one element; of a clamped root, velocities relative to the motion with it. */
double cst_helix_stiffness_work(const cst_super_helix *rod, int i, const cst_helix_nonad *at_end, const cst_helix_nonad *mean);

/* v+ and v_theta of the root. */
void cst_helix_root_velocity(const cst_super_helix *rod, const cst_step_frame *frame, const double *v, double end[6],
                             double mean[6]);

static inline const double *cst_helix_end_rate(const cst_super_helix *rod, const double *v, int i)
{
    return v + rod->rate_first + (size_t)i * (size_t)rod->rate_stride;
}

static inline cst_helix_nonad cst_helix_node_of(const double *root)
{
    return (cst_helix_nonad){.v = {root[0], root[1], root[2]}, .w = {root[3], root[4], root[5]}};
}

/* The functions of cst_body_class that do not depend on the formulation. */
extern const cst_body_state cst_helix_state;
extern const cst_body_surface cst_helix_surface;
extern const cst_body_look cst_helix_look;
extern const cst_body_statics cst_helix_statics; /* super_helix_hold.c */
bool cst_helix_place_body(void *self, const cst_step_frame *frame, const double *v);
double *cst_helix_rhs(void *self);
void cst_helix_position(const void *self, const cst_material_point *at, double *position);
void cst_helix_acceleration(const void *self, const cst_material_point *at, double *acceleration, double *curvature);
void cst_helix_velocity(const void *self, const cst_material_point *at, double *velocity, double *turn);
double cst_helix_motion(const void *self, const cst_step_frame *frame, const double *v);
void cst_helix_ways(const void *self, const cst_step_frame *frame, const double *v, cst_piece_way *out);
void cst_helix_push(void *self, const cst_material_point *at, const double *impulse, const double *moment);
void cst_helix_finish(void *self, const cst_step_frame *frame, const double *v);
void cst_helix_energy(const void *self, const double *gravity, cst_body_energy *out);
void cst_helix_work(const void *self, cst_body_work *out);
bool cst_helix_locate(const void *self, const cst_place *place, cst_material_point *out);
bool cst_helix_equilibrium(void *self, const cst_step_frame *frame, const cst_point_load *load, int loads, double tolerance,
                           int *iterations, char *message, size_t message_size);
void cst_helix_destroy(void *self);

/* Changes the natural curvatures such that the clamped rod is in equilibrium as it is, under gravity alone: u0 = u - K^-1 (moment of the
 * weight), for each element (Derouet-Jourdan, Bertails-Descoubes and Thollot 2010, inverse statics of a super-helix). False: out of memory. */
bool cst_helix_rest_here(cst_super_helix *rod, const double gravity[3]);

/* What they share of `point`: place, drift and turning; fills all but the Jacobians. *point: where linearised. */
void cst_helix_point_motion(const cst_super_helix *rod, const cst_material_point *at, cst_helix_point *point,
                            cst_point_motion *out);

/* The formulations: complete a rod whose data are set. False: out of memory. `super` is the first member of both. */
size_t cst_helix_dense_bytes(void);
size_t cst_helix_sweep_bytes(void);
bool cst_helix_dense_begin(cst_super_helix *rod, cst_body_model *out);
bool cst_helix_sweep_begin(cst_super_helix *rod, cst_body_model *out);

/* Root and curvatures (twist 0) whose joints come nearest to the points ((elements + 1) x 3), with some smoothness: into the
 * state. d1 of the root frame in the state is a hint. False: out of memory. Sets rod->fit. */
bool cst_helix_fit_points(cst_super_helix *rod, const double *point);

#endif
