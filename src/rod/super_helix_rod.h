/* Data and functions that the dense and the sweep formulation of a super helix share. */
#ifndef CST_ROD_SUPER_HELIX_ROD_H
#define CST_ROD_SUPER_HELIX_ROD_H

#include "base/arena.h"
#include "body/body.h"
#include "body/motion.h"
#include "rod/rod_scheme.h"
#include "rod/super_helix_momentum.h"
#include "rod/super_helix_riccati.h"
#include "rod/super_helix_stiffness.h"

/* Data of one element in a step with several linearisations: the impulses on the element, and their geometric stiffness. */
typedef struct cst_helix_bearing {
    /* sum of the impulses on the element since the last linearisation, and moment of these impulses about the element's start */
    double pushed[3], moment[3];
    cst_helix_block given; /* geometric stiffness of the impulses only */
    cst_helix_block block; /* geometric stiffness of all forces */
    /* guessed angular velocity of the element's start (`turn`), and guessed rates of curvature of the element (`bend`) */
    double turn[3], bend[3];
} cst_helix_bearing;

/* The part of the geometric stiffness that the system matrix contains. */
typedef enum cst_helix_stiffening {
    /* no geometric stiffness: in the first linearisation of a step, in every linearisation of a step that is not `iterated`, and
     * in a step with inertia whose system matrix was not positive definite with the whole geometric stiffness */
    CST_HELIX_NOT_STIFFENED = 0,
    CST_HELIX_STIFFENED, /* the whole geometric stiffness: Newton's method */
    /* only the positive semi-definite part of the geometric stiffness: in a quasi-static step whose system matrix was not
     * positive definite with the whole geometric stiffness */
    CST_HELIX_STIFFENED_ONLY
} cst_helix_stiffening;

typedef struct cst_helix_root {
    double position[3], frame[9];
} cst_helix_root;

/* CST_HELIX_SMALL: a fiber with at most this number of elements has its temporary arrays on the stack, which saves 5 kB of memory
 * for each fiber of 5 elements. */
enum { CST_HELIX_SMALL = 8 };

typedef struct cst_super_helix {
    /* The members used by contact detection and by loops over all bodies come first, so that they fill few cache lines. */
    int elements, gauss;
    /* Order of the generalised velocities v: the rates of curvature of element i begin at the index rate_first + i rate_stride,
     * the six velocities of a free root at root_first. */
    int rate_first, rate_stride, root_first;
    bool clamped, closed;
    bool iterated;    /* the step must be linearised several times (cst_step_frame) */
    bool guessed;     /* linearised at a guess */
    bool start_known; /* the array `start` is valid */
    bool mass_known;  /* the array `mass` is valid */
    /* true if the stored energy of the rod is valid: it was computed for the present state and the gravity energy_gravity */
    bool energy_known;
    cst_helix_stiffening stiffening;
    /* Arrays of elements (elements + 1 entries, the last for the end of the rod). `now`: elements in the present shape.
     * `placed`: elements in the shape last used for contact detection. `linear`: elements in the shape of the last
     * linearisation. The pointers `placed` and `linear` equal `now` if their shape is the present one. */
    cst_helix_element *now, *placed, *linear;
    cst_helix_material *material; /* (elements) */
    double *radius;               /* (elements) */
    double *arc;                  /* array (elements + 1): arc length at the start of each element */
    /* The state in one array: root position (3), root frame (9), curvatures (3 per element), root velocity (3), angular
     * velocity of the root (3), rates of curvature (3 per element). */
    double *state;
    cst_helix_root *root;
    double *u, *root_rate, *rate;
    cst_helix_mass *mass;   /* array (elements): mass matrix of each element at the present state */
    double *rhs;            /* (dofs) */
    double imposed_rate[6]; /* velocity of a clamped root at the end of the step */
    cst_body_energy energy;
    double energy_gravity[3];
    cst_body_work work; /* of the last step */

    double mass_per_length, drag;
    double pushed[6];     /* sum of the external impulses since the last linearisation, and their moment about the root */
    double root_hold[6];  /* set by super_helix_hold.c */
    double root_force[6]; /* force (N) and moment (N m) of a clamp on the root in the last step */
    cst_helix_root rest;  /* position and frame of a clamped root if its prescribed displacement and rotation are zero */
    cst_motion root_motion;

    cst_helix_element *placed_buffer, *linear_buffer;
    cst_helix_element *end_buffer; /* NULL if small */
    double *trial_u, *trial_rate;  /* (3*elements) for `placed` or guess */
    /* array (3 x elements): mean rates of curvature over the step, from the guess of the final velocities */
    double *linear_rate;
    cst_helix_bearing *bearing; /* (elements) */
    /* Array (elements): velocities of the point masses. During a step linearised at a guess of the velocities, `field` contains
     * the initial velocities of the point masses minus the velocity correction c of super_helix_momentum.h. */
    cst_helix_field *field;
    cst_helix_start *start; /* array (elements): if start_known */

    /* Factors of the elimination along the elements (super_helix_riccati.h): of the system matrix in the sweep formulation, and
     * of the mass matrix at the end of a step in both formulations. */
    /* array (elements): factors of each element; NULL in the dense formulation if the rod has at most CST_HELIX_SMALL elements */
    cst_helix_factor *factor;
    /* array (elements), for the sweep formulation: contribution of each element to the system matrix */
    cst_helix_mass *dynamics;
    cst_envelope root_factor; /* of a free root */
    /* temporary array (9 x elements) of the sweeps; NULL if the rod has at most CST_HELIX_SMALL elements, because the array is
     * then on the stack */
    double *correction;
    /* largest distance (m) of a joint of the initial shape from the point given for the joint */
    double fit;
    cst_arena arena;
} cst_super_helix;

/* Coefficients of one time step of a super helix in the theta scheme; super_circle_rod.h gives the equation of the step. */
typedef struct cst_helix_step {
    cst_rod_scheme scheme;
    double field[3];     /* gravity */
    double root_rate[6]; /* prescribed velocity and angular velocity of a clamped root; zero if the root is free */
} cst_helix_step;

cst_helix_step cst_helix_step_of(const cst_super_helix *rod, const cst_step_frame *frame);

/* Input of the function cst_helix_trace. The velocities of the elements are computed from root_rate and rate, and their bias
 * accelerations from inertia_root_rate and inertia_rate. If root_rate is NULL, cst_helix_trace computes only positions and
 * frames. */
typedef struct cst_helix_path {
    const cst_helix_root *root;
    const double *u;
    const double *root_rate, *rate;
    const double *inertia_root_rate, *inertia_rate;
} cst_helix_path;

void cst_helix_trace(const cst_super_helix *rod, const cst_helix_path *path, cst_helix_element *out);

/* Updates the elements in the present shape (`now`) and all data computed from these elements. The function cst_helix_settle must
 * be called after every change of the rod's state. */
void cst_helix_settle(cst_super_helix *rod);

/* Computes the prescribed position, frame and velocities of a clamped root at the end of the step. */
void cst_helix_imposed_root(const cst_super_helix *rod, const cst_step_frame *frame, cst_helix_root *place, double rate[6]);

/* Computes the prescribed position, frame and velocities of a clamped root at `time`. */
void cst_helix_root_motion(const cst_super_helix *rod, double time, cst_helix_root *place, double rate[6]);

/* Linearises the rod at the guess of the velocities, or at the present state if `guess` is NULL. Must be called before
 * cst_helix_dynamics_of. In a step with several linearisations, cst_helix_linearise computes the geometric stiffness due to
 * weight, inertia and the impulses applied since the last linearisation (only if `guess` is not NULL), and then sets the sums of
 * the applied impulses to zero. */
void cst_helix_linearise(cst_super_helix *rod, const cst_step_frame *frame, const double *guess);

/* The part of cst_helix_linearise in super_helix_stiffen.c. */
void cst_helix_stiffen(cst_super_helix *rod, const cst_step_frame *frame, const double *guess);

/* Called if the system matrix was not positive definite: reduces the geometric stiffness to its positive semi-definite part or to
 * zero (super_helix_stiffen.c). If the system matrix contains no geometric stiffness, or only its positive semi-definite part,
 * cst_helix_stiffen_less changes nothing and returns false. */
bool cst_helix_stiffen_less(cst_super_helix *rod, bool quasi_static);

/* Computes the contribution of element i to the system matrix and to the right-hand side of the step, including the effect of the
 * prescribed motion of a clamped root. */
void cst_helix_dynamics_of(const cst_super_helix *rod, const cst_helix_step *step, int i, cst_helix_mass *A,
                           cst_helix_nonad *rhs);

/* For a step linearised at a guess of the velocities: writes the initial velocities of the point masses minus the velocity
 * correction c (super_helix_momentum.h) to rod->field. `end`: elements of the rod in the guessed final shape; the array
 * rod->linear if theta = 1. */
void cst_helix_field_at_guess(cst_super_helix *rod, const cst_step_frame *frame, const cst_helix_element *end,
                              const double *guess);

/* Returns the work W_4 of the geometric stiffness of one element (super_helix_momentum.h). `at_end`, `mean`: final velocities of
 * the element and their mean over the step. If the root is clamped, the caller must first subtract the angular velocity of the
 * root from the angular velocities in `at_end` and `mean`. */
double cst_helix_stiffness_work(const cst_super_helix *rod, int i, const cst_helix_nonad *at_end, const cst_helix_nonad *mean);

void cst_helix_root_velocity(const cst_super_helix *rod, const cst_step_frame *frame, const double *v, double end[6],
                             double mean[6]);

static inline const double *cst_helix_end_rate(const cst_super_helix *rod, const double *v, int i)
{
    return v + rod->rate_first + (ptrdiff_t)i * rod->rate_stride;
}

static inline cst_helix_nonad cst_helix_node_of(const double *root)
{
    return (cst_helix_nonad){.v = {root[0], root[1], root[2]}, .w = {root[3], root[4], root[5]}};
}

/* The functions of the body class (cst_body_class) that both formulations of a super helix share. */
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
void cst_helix_fetch(const void *self);

/* Changes the natural curvatures of a clamped rod so that its present shape is an equilibrium under gravity alone
 * (Derouet-Jourdan, Bertails-Descoubes and Thollot 2010). The natural curvatures of an element become its present curvatures
 * minus the generalised force of the weight divided by the stiffness. Returns false if memory ran out. */
bool cst_helix_rest_here(cst_super_helix *rod, const double gravity[3]);

/* The part of the class function `point` that both formulations share: computes position and rotation of a material point, and
 * the velocity due to the prescribed motion of the root (drift). `point`: receives the position and the frame of the point in the
 * shape of the last linearisation. */
void cst_helix_point_motion(const cst_super_helix *rod, const cst_material_point *at, cst_helix_point *point,
                            cst_point_motion *out);

/* The functions cst_helix_dense_begin and cst_helix_sweep_begin finish the creation of a super helix in one of its two
 * formulations, after the shared data are set; they return false if memory ran out. The struct of the dense formulation begins
 * with the shared data, in the member `super`. */
size_t cst_helix_dense_bytes(void);
size_t cst_helix_sweep_bytes(void);
bool cst_helix_dense_begin(cst_super_helix *rod, cst_body_model *out);
bool cst_helix_sweep_begin(cst_super_helix *rod, cst_body_model *out);

/* Fits the rod to the given points ((elements + 1) x 3), and writes root and curvatures to the state. The method is described in
 * super_helix_fit.c. The direction d1 of the root frame on input determines the rotation of the new root frame about its tangent.
 * Sets rod->fit. Returns false if memory ran out. */
bool cst_helix_fit_points(cst_super_helix *rod, const double *point);

#endif
