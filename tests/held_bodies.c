#include "tests/held_bodies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid/rigid_body.h"
#include "tests/body_problems.h"
#include "world/point_motion.h"

held_bodies *held_new(double dt, double theta)
{
    held_bodies *held = calloc(1, sizeof *held);
    held->frame = (cst_step_frame){.dim = 2, .dt = dt, .theta = theta, .gravity = {0.0, -9.81, 0.0}};
    held->iterations = 1;
    cst_arena_begin(&held->keep, NULL);
    cst_arena_begin(&held->step, NULL);
    return held;
}

void held_free(held_bodies *held)
{
    for (int i = 0; i < held->bodies; i++)
        held->body[i].class->destroy(held->body[i].self);
    cst_arena_end(&held->keep);
    cst_arena_end(&held->step);
    free(held);
}

cst_body_id held_add(held_bodies *held, cst_body_model body)
{
    assert_true(held->bodies < HELD_MAX);
    held->body[held->bodies] = body;
    body.class->dynamics->place(body.self, &held->frame, NULL);
    return (cst_body_id)++held->bodies;
}

cst_body_id held_add_disk(held_bodies *held, double x, double y, double radius, double mass)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.radius = radius;
    def.mass = mass;
    def.position[0] = x;
    def.position[1] = y;
    cst_body_model body;
    char message[256] = "";
    if (!cst_rigid_create(&def, NULL, &body, message, sizeof message))
        fail_msg("%s", message);
    return held_add(held, body);
}

cst_constraint_id held_constrain(held_bodies *held, const cst_constraint_def *def)
{
    char message[256] = "";
    assert_true(held->constraints < HELD_MAX);
    if (!cst_constraint_create(def, 2, held->body, held->bodies, &held->keep, held->constraint + held->constraints, message,
                               sizeof message))
        fail_msg("%s", message);
    return (cst_constraint_id)++held->constraints;
}

cst_constraint_id held_hold(held_bodies *held, cst_constraint_kind kind, cst_place a, cst_body_id b)
{
    cst_constraint_def def = cst_constraint_def_default();
    def.kind = kind;
    def.a = a;
    def.b.body = b;
    return held_constrain(held, &def);
}

cst_load_id held_push(held_bodies *held, const cst_load_def *def)
{
    char message[256] = "";
    assert_true(held->loads < HELD_MAX);
    if (!cst_load_create(def, 2, held->body, held->bodies, &held->keep, held->load + held->loads, message, sizeof message))
        fail_msg("%s", message);
    return (cst_load_id)++held->loads;
}

/* v (of one body or group after the other, as `start` says) of one linearised step at the guess. */
static void solve_once(held_bodies *held, cst_joined *joined, double **v, bool guessed)
{
    char message[256] = "";
    for (int i = 0; i < held->bodies; i++) {
        const cst_body_model *body = held->body + i;
        const double *guess = guessed ? v[i] : NULL;
        assert_true(body->class->dynamics->place(body->self, &held->frame, guess));
        if (!body->class->dynamics->assemble(body->self, &held->frame, guess, message, sizeof message))
            fail_msg("%s", message);
    }
    for (int i = 0; i < held->loads; i++)
        cst_load_apply(held->load + i, held->body, &held->frame);
    held->redundant = 0;
    for (int k = 0; k < joined->groups; k++) {
        cst_joined_group *group = joined->group + k;
        double *of_group = v[group->member[0]];
        if (!cst_joined_assemble(group, &held->frame, guessed ? of_group : NULL, message, sizeof message))
            fail_msg("%s", message);
        assert_true(cst_joined_finish(group, &held->frame, group->rhs, of_group));
        held->redundant += group->redundant;
    }
    for (int i = 0; i < held->bodies; i++) {
        const cst_body_model *body = held->body + i;
        if (joined->group_of[i] >= 0)
            continue;
        memcpy(v[i], body->class->dynamics->rhs(body->self), sizeof(double) * (size_t)body->class->dynamics->dofs(body->self));
        assert_true(body->class->dynamics->solve(body->self, v[i]));
    }
}

static void add_load_works(held_bodies *held, double **v)
{
    for (int i = 0; i < held->loads; i++) {
        const cst_body_model *body = held->body + held->load[i].body;
        const int dofs = body->class->dynamics->dofs(body->self);
        double *v_theta = CST_TAKE(&held->step, double, dofs);
        if (!held->frame.quasi_static)
            body->class->dynamics->velocities(body->self, v_theta);
        for (int k = 0; k < dofs; k++)
            v_theta[k] = held->frame.theta * v[held->load[i].body][k] + (1.0 - held->frame.theta) * v_theta[k];
        held->load_work += cst_load_work(held->load + i, &held->frame, v_theta);
    }
}

void held_step(held_bodies *held)
{
    const cst_arena_mark mark = cst_arena_mark_now(&held->step);
    cst_joined joined;
    assert_true(cst_joined_begin(&joined, held->body, held->bodies, held->constraint, held->constraints, &held->frame,
                                 CST_JOINED_ROWS_MAX, &held->step));
    for (int i = 0; i < held->loads; i++)
        assert_true(cst_load_begin(held->load + i, held->body, &held->step));
    double *v[HELD_MAX];
    for (int k = 0; k < joined.groups; k++) {
        double *of_group = CST_TAKE(&held->step, double, joined.group[k].size);
        for (int m = 0; m < joined.group[k].members; m++)
            v[joined.group[k].member[m]] = of_group + joined.group[k].offset[m];
    }
    for (int i = 0; i < held->bodies; i++)
        if (joined.group_of[i] < 0)
            v[i] = CST_TAKE(&held->step, double, held->body[i].class->dynamics->dofs(held->body[i].self));
    for (int iteration = 0; iteration < held->iterations; iteration++) {
        solve_once(held, &joined, v, iteration > 0);
        if (iteration == 0 && held->predicted) {
            for (int i = 0; i < held->bodies; i++)
                held->body[i].class->dynamics->velocities(held->body[i].self, v[i]);
            solve_once(held, &joined, v, true);
        }
    }
    add_load_works(held, v);
    for (int i = 0; i < held->constraints; i++)
        held->constraint_work += held->constraint[i].work;
    for (int i = 0; i < held->bodies; i++) {
        const cst_body_model *body = held->body + i;
        cst_body_work work;
        body->class->dynamics->finish(body->self, &held->frame, v[i]);
        body->class->dynamics->work(body->self, &work);
        held->drag += work.drag;
        held->scheme += work.scheme;
        held->forgotten += work.forgotten;
        held->body_load_work += work.loads;
        held->body_constraint_work += work.constraint;
        held->viscosity += work.viscosity;
        assert_true(body->class->dynamics->place(body->self, &held->frame, NULL));
    }
    held->frame.time += held->frame.dt;
    cst_arena_release(&held->step, mark);
}

double held_energy(const held_bodies *held)
{
    double sum = 0.0;
    for (int i = 0; i < held->bodies; i++) {
        cst_body_energy energy;
        held->body[i].class->dynamics->energy(held->body[i].self, held->frame.gravity, &energy);
        sum += energy.kinetic + energy.elastic + energy.gravity;
    }
    return sum;
}

double held_works(const held_bodies *held)
{
    return held->load_work + held->constraint_work + held->drag + held->scheme + held->forgotten + held->body_load_work +
           held->body_constraint_work + held->viscosity;
}

double held_error(held_bodies *held)
{
    const cst_arena_mark mark = cst_arena_mark_now(&held->step);
    double most = 0.0;
    for (int i = 0; i < held->constraints; i++) {
        cst_point_motion room[2];
        for (int side = 0; side < 2; side++) {
            const int on = held->constraint[i].body[side];
            cst_point_motion_take(&held->step, held->body + (on >= 0 ? on : held->constraint[i].body[0]), 2, room + side);
        }
        most = fmax(most, cst_constraint_error(held->constraint + i, held->body, held->frame.time, room));
    }
    cst_arena_release(&held->step, mark);
    return most;
}

void held_where(held_bodies *held, cst_place place, double *position, double *angle)
{
    const cst_arena_mark mark = cst_arena_mark_now(&held->step);
    const cst_body_model *body = held->body + (place.body - 1);
    cst_point_motion room;
    cst_material_point at;
    assert_true(cst_point_motion_take(&held->step, body, 2, &room));
    assert_true(body->class->places->locate(body->self, &place, &at));
    body->class->places->point(body->self, &at, &room);
    memcpy(position, room.position, sizeof room.position);
    if (angle)
        *angle = room.frame_angle;
    cst_arena_release(&held->step, mark);
}

/* ------------------------------------------------------------------------------------------------------------- stand-ins */

typedef struct stand_in {
    int dofs, touched, points;
    double *A, *rhs;
    int32_t *dof;  /* (points x touched) */
    double *j;     /* (points x 3 x touched): two rows of J, one of J_turn */
    double *drift; /* (points x 3) */
} stand_in;

static int stand_in_dofs(const void *self)
{
    return ((const stand_in *)self)->dofs;
}

static int stand_in_point_dofs(const void *self)
{
    return ((const stand_in *)self)->touched;
}

static bool stand_in_locate(const void *self, const cst_place *place, cst_material_point *out)
{
    *out = (cst_material_point){.feature = (int32_t)place->s};
    return place->s >= 0.0 && (int)place->s < ((const stand_in *)self)->points;
}

static void stand_in_point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    const stand_in *body = self;
    const size_t row = sizeof(double) * (size_t)body->touched;
    const double *j = body->j + 3 * at->feature * body->touched, *drift = body->drift + 3 * at->feature;
    out->dofs = body->touched;
    memcpy(out->dof, body->dof + at->feature * body->touched, sizeof(int32_t) * (size_t)body->touched);
    memcpy(out->j, j, 2 * row);
    memcpy(out->j_turn, j + 2 * body->touched, row);
    memset(out->position, 0, sizeof out->position);
    out->frame_angle = 0.0;
    for (int i = 0; i < 3; i++) {
        out->drift[i] = i < 2 ? drift[i] : 0.0;
        out->drift_turn[i] = i == 2 ? drift[2] : 0.0;
    }
}

static double *stand_in_rhs(void *self)
{
    return ((stand_in *)self)->rhs;
}

static bool stand_in_solve(void *self, double *x)
{
    const stand_in *body = self;
    test_dense_solve(body->dofs, body->A, 1, x);
    return true;
}

static void stand_in_velocities(const void *self, double *v)
{
    memset(v, 0, sizeof(double) * (size_t)((const stand_in *)self)->dofs);
}

static void stand_in_destroy(void *self)
{
    stand_in *body = self;
    free(body->A);
    free(body->rhs);
    free(body->dof);
    free(body->j);
    free(body->drift);
    free(body);
}

static bool stand_in_place(void *self, const cst_step_frame *frame, const double *v)
{
    (void)self, (void)frame, (void)v;
    return true;
}

static const cst_body_dynamics stand_in_dynamics = {.dofs = stand_in_dofs,
                                                    .place = stand_in_place,
                                                    .rhs = stand_in_rhs,
                                                    .solve = stand_in_solve,
                                                    .velocities = stand_in_velocities};

static const cst_body_places stand_in_places = {
    .point_dofs = stand_in_point_dofs, .locate = stand_in_locate, .point = stand_in_point};

static const cst_body_class stand_in_class = {
    .name = "stand-in", .dynamics = &stand_in_dynamics, .places = &stand_in_places, .destroy = stand_in_destroy};

cst_body_model stand_in_new(cst_rng *rng, int dofs, int touched, int points)
{
    stand_in *body = calloc(1, sizeof *body);
    const size_t n = (size_t)dofs, count = (size_t)(points * touched);
    *body = (stand_in){.dofs = dofs,
                       .touched = touched,
                       .points = points,
                       .A = calloc(n * n, sizeof(double)),
                       .rhs = calloc(n, sizeof(double)),
                       .dof = calloc(count, sizeof(int32_t)),
                       .j = calloc(3 * count, sizeof(double)),
                       .drift = calloc(3 * (size_t)points, sizeof(double))};
    double *root = calloc(n * n, sizeof(double));
    for (size_t i = 0; i < n * n; i++)
        root[i] = cst_rng_normal(rng);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < n; k++)
                body->A[i * n + j] += root[i * n + k] * root[j * n + k];
            body->A[i * n + j] += i == j ? 0.5 : 0.0;
        }
    free(root);
    for (size_t i = 0; i < n; i++)
        body->rhs[i] = cst_rng_normal(rng);
    for (size_t i = 0; i < 3 * count; i++)
        body->j[i] = cst_rng_normal(rng);
    for (size_t i = 0; i < 3 * (size_t)points; i++)
        body->drift[i] = cst_rng_normal(rng);
    for (int p = 0; p < points; p++) { /* increasing, by choosing each dof with the chance that is left */
        int taken = 0;
        for (int d = 0; d < dofs && taken < touched; d++)
            if (cst_rng_integer(rng, dofs - d) < touched - taken)
                body->dof[p * touched + taken++] = d;
    }
    return (cst_body_model){.class = &stand_in_class, .self = body};
}

const double *stand_in_matrix(const cst_body_model *body)
{
    return ((const stand_in *)body->self)->A;
}
