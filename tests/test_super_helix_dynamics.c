/* Super helices in motion: planar motion is that of the super circle, dense is sweep, Jacobians by differences, energy in free
 * flight and with theta = 1/2, Newton's iterations with the geometric stiffness, works of a moved root, momentum and energy under
 * blows, free spinning, checkpoints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation.h"
#include "tests/super_helix_fixture.h"

enum { MAX = 40, DOFS_MAX = 9 * MAX };

static const double soft[3] = {0.008, 0.01, 0.012};

/* Curvatures or rates that are no pattern. */
static void fill(double *out, int count, double size, double phase)
{
    for (int k = 0; k < count; ++k)
        out[k] = size * sin(1.7 * k + phase);
}

/* In the plane of t and d1: bending about d2 alone. */
static void planar_motion_is_the_super_circles(void **state)
{
    (void)state;
    const int n = 6;
    for (int is_free = 0; is_free < 2; ++is_free) {
        cst_rod_def flat = rod_definition(n, 1.0, 0.1, soft[2]);
        cst_fiber_def def = helix_definition(n, 1.0, 0.1, soft);
        double kappa[MAX], u[3 * MAX] = {0.0};
        fill(kappa, n, 0.8, 0.3);
        for (int i = 0; i < n; ++i)
            u[3 * i + 2] = kappa[i];
        flat.clamped = def.clamped = !is_free;
        flat.curvature = kappa;
        def.curvature = u;
        flat.natural_curvature = def.natural_curvature[2] = 0.5;
        flat.drag = def.drag = 0.02;
        def.viscosity = 0.01;
        flat.viscosity = 0.01 * soft[2];
        if (is_free) {
            flat.velocity[0] = def.velocity[0] = 0.3;
            flat.angular_velocity = def.angular_velocity[2] = 2.0;
        }
        cst_body_model circle = rod_create(&flat), helix = helix_create(&def);
        ((cst_super_helix *)helix.self)->gauss = 4;
        /* theta = 1/2 linearised once has all of the gyroscopic terms, as the super circle does; how velocities are carried to the
         * shape of the end is not compared. */
        cst_step_frame plane = step_frame(1e-3, 0.5, 0.0, -9.81), space = helix_step_frame(1e-3, 0.5, 0.0, -9.81, 0.0);
        double x = 0.0, y = 0.0, tip[3], worst = 0.0, outside = 0.0;
        for (int k = 0; k < 100; ++k) {
            double flat_state[2 * MAX + 6], rate[3 * MAX] = {0.0};
            circle.class->state->save(circle.self, flat_state);
            const double *s = flat_state, *r = flat_state + n + 3, c = cos(s[2]), d = sin(s[2]);
            for (int i = 0; i < n; ++i) {
                u[3 * i + 2] = s[3 + i];
                rate[3 * i + 2] = r[3 + i];
            }
            helix_set_state(&helix, (const double[3]){s[0], s[1], 0.0}, (const double[9]){c, -d, 0.0, d, c, 0.0, 0.0, 0.0, 1.0},
                            u, (const double[6]){r[0], r[1], 0.0, 0.0, 0.0, r[2]}, rate);
            rod_step(&circle, &plane, 1, NULL);
            rod_step(&helix, &space, 1, NULL);
            rod_tip(&circle, &x, &y);
            helix_tip(&helix, tip);
            worst = fmax(worst, hypot(tip[0] - x, tip[1] - y));
            outside = fmax(outside, fabs(tip[2]));
        }
        print_message("%s: tips apart by %.2g m after a step, out of the plane by %.2g m; moved to (%.3f, %.3f)\n",
                      is_free ? "free" : "clamped", worst, outside, x, y);
        assert_true(worst < 1e-12 && outside < 1e-12);
        rod_destroy(&circle);
        rod_destroy(&helix);
    }
}

static cst_body_model curly(int n, bool clamped, cst_fiber_formulation formulation)
{
    cst_fiber_def def = helix_definition(n, 1.0, 0.1, soft);
    double u[3 * MAX];
    fill(u, 3 * n, 1.5, 0.7);
    def.curvature = u;
    def.natural_curvature[0] = 0.5;
    def.natural_curvature[1] = 1.0;
    def.clamped = clamped;
    def.formulation = formulation;
    def.radius = 0.02;
    def.drag = 0.01;
    def.viscosity = 0.01;
    some_rotation(def.frame);
    if (!clamped) {
        fill(def.velocity, 3, 0.5, 0.1);
        fill(def.angular_velocity, 3, 3.0, 0.4);
    }
    return helix_create(&def);
}

static void dense_is_sweep(void **state)
{
    (void)state;
    const int sizes[4] = {1, 3, 8, 20};
    for (int k = 0; k < 16; ++k) {
        const int n = sizes[k / 4];
        const bool clamped = k % 2 == 0, iterated = k / 2 % 2 == 1;
        cst_body_model dense = curly(n, clamped, CST_FIBER_DENSE), sweep = curly(n, clamped, CST_FIBER_SWEEP);
        cst_step_frame a = helix_step_frame(2e-3, iterated ? 0.5 : 1.0, 0.0, 0.0, -9.81), b = a;
        a.iterated = b.iterated = iterated;
        double tip_a[3], tip_b[3];
        for (int step = 0; step < 20; ++step) {
            rod_step(&dense, &a, iterated ? 3 : 1, NULL);
            rod_step(&sweep, &b, iterated ? 3 : 1, NULL);
        }
        helix_tip(&dense, tip_a);
        helix_tip(&sweep, tip_b);
        cst_body_work work_a, work_b;
        dense.class->dynamics->work(dense.self, &work_a);
        sweep.class->dynamics->work(sweep.self, &work_b);
        print_message("%2d elements, %s, %s: tips apart by %.2g m\n", n, clamped ? "clamped" : "free",
                      iterated ? "iterated" : "linearised", largest_difference(tip_a, tip_b, 3));
        assert_true(largest_difference(tip_a, tip_b, 3) < 1e-12);
        assert_true(fabs(work_a.scheme - work_b.scheme) < 1e-9 && fabs(work_a.drag - work_b.drag) < 1e-9);
        rod_destroy(&dense);
        rod_destroy(&sweep);
    }
}

/* J and J_turn against how points and frames move when the state is moved along each velocity, also those of velocity(). */
static void jacobians(void **state)
{
    (void)state;
    const int n = 5;
    for (int k = 0; k < 4; ++k) {
        const bool clamped = k % 2 == 0;
        cst_body_model helix = curly(n, clamped, k / 2 == 0 ? CST_FIBER_DENSE : CST_FIBER_SWEEP);
        cst_super_helix *rod = helix.self;
        const double h = 1e-6;
        double root_rate[6] = {0.0}, rate[3 * MAX], state_before[6 * MAX + 18], v[DOFS_MAX], worst = 0.0;
        if (!clamped)
            fill(root_rate, 6, 1.0, 0.2);
        fill(rate, 3 * n, 2.0, 0.9);
        helix_set_state(&helix, rod->root->position, rod->root->frame, rod->u, root_rate, rate);
        helix.class->state->save(helix.self, state_before);
        for (int e = 0; e < n; ++e) {
            const cst_material_point at = {.feature = e, .s = 0.13};
            int32_t dof[DOFS_MAX];
            double j[3 * DOFS_MAX], j_turn[3 * DOFS_MAX], velocity[3], turn[3], by_j[6] = {0.0}, x[2][3], frame[2][9];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
            helix.class->state->load(helix.self, state_before);
            helix.class->places->point(helix.self, &at, &motion);
            helix.class->places->velocity(helix.self, &at, velocity, turn);
            helix.class->dynamics->velocities(helix.self, v);
            for (int c = 0; c < 3 * motion.dofs; ++c) {
                by_j[c / motion.dofs] += j[c] * v[dof[c % motion.dofs]];
                by_j[3 + c / motion.dofs] += j_turn[c] * v[dof[c % motion.dofs]];
            }
            for (int side = 0; side < 2; ++side) {
                const double ahead = side == 0 ? -h : h,
                             turned[3] = {ahead * root_rate[3], ahead * root_rate[4], ahead * root_rate[5]};
                helix.class->state->load(helix.self, state_before);
                cst_add3(ahead, root_rate, rod->root->position);
                cst_rotation_turn(turned, rod->root->frame);
                for (int i = 0; i < 3 * n; ++i)
                    rod->u[i] += ahead * rate[i];
                cst_helix_settle(rod);
                helix.class->places->point(helix.self, &at, &motion);
                memcpy(x[side], motion.position, sizeof x[side]);
                memcpy(frame[side], motion.frame, sizeof frame[side]);
            }
            double between[9], differences[6];
            cst_product_transposed3(frame[1], frame[0], between);
            cst_rotation_log(between, differences + 3);
            cst_subtract3(x[1], x[0], differences);
            for (int i = 0; i < 6; ++i)
                differences[i] /= 2.0 * h;
            worst = fmax(worst, largest_difference(differences, by_j, 6));
            worst = fmax(worst, largest_difference(velocity, by_j, 3));
            worst = fmax(worst, largest_difference(turn, by_j + 3, 3));
        }
        print_message("%s, %s: largest difference %.2g\n", helix.class->name, clamped ? "clamped" : "free", worst);
        assert_true(worst < 2e-9);
        rod_destroy(&helix);
    }
}

/* Linear and angular momentum about the origin: from points, by their velocities. */
static void momenta(const cst_body_model *helix, double *out)
{
    const cst_super_helix *rod = helix->self;
    const double *point = cst_helix_gauss_points(rod->gauss), *weight = cst_helix_gauss_weights(rod->gauss);
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i < rod->elements; ++i) {
        for (int g = 0; g < rod->gauss; ++g) {
            const cst_material_point at = {.feature = i, .s = point[g] * rod->material[i].length};
            double x[3], v[3], turn[3], tangent[3];
            helix->class->places->position(helix->self, &at, x);
            helix->class->places->velocity(helix->self, &at, v, turn);
            helix->class->surface->curve(helix->self, i, at.s, x, tangent);
            const double mass = weight[g] * rod->material[i].mass;
            cst_add3(mass, v, out);
            for (int k = 0; k < 3; ++k)
                v[k] *= mass;
            cst_add_cross3(x, v, out + 3);
            cst_add3(mass * rod->material[i].spin * cst_dot3(turn, tangent), tangent, out + 3);
        }
    }
}

/* Free flight with theta = 1/2, converged: energy and momenta at second order of the step. */
static void free_flight(void **state)
{
    (void)state;
    double errors[3][3];
    for (int k = 0; k < 3; ++k) {
        const double dt = 2e-3 / (1 << k);
        cst_body_model helix = curly(6, false, CST_FIBER_SWEEP);
        cst_super_helix *rod = helix.self;
        rod->drag = 0.0;
        for (int i = 0; i < 18; ++i)
            rod->material[i / 3].damping[i % 3] = 0.0;
        cst_step_frame frame = helix_step_frame(dt, 0.5, 0.0, 0.0, 0.0);
        frame.iterated = true;
        double before[6], after[6];
        const double energy = rod_energy(&helix, &frame);
        momenta(&helix, before);
        for (int step = 0; step < 100 << k; ++step)
            rod_step(&helix, &frame, 6, NULL);
        momenta(&helix, after);
        errors[k][0] = fabs(rod_energy(&helix, &frame) - energy);
        errors[k][1] = largest_difference(after, before, 3);
        errors[k][2] = largest_difference(after + 3, before + 3, 3);
        print_message("dt %.2g: energy %.4g J off by %.2g, momentum by %.2g, angular momentum by %.2g (of %.2g)\n", dt, energy,
                      errors[k][0], errors[k][1], errors[k][2], fabs(before[3]) + fabs(before[4]) + fabs(before[5]));
        rod_destroy(&helix);
    }
    for (int i = 0; i < 3; ++i)
        assert_true(errors[2][i] < 1e-12 || errors[2][i] < 0.35 * errors[1][i]);
    assert_true(errors[2][0] < 1e-4);
}

/* How many linearisations of one quasi-static step until its velocities change by less than 1e-10; 40 if they do not. From the
 * equilibrium under gravity; a force pulls at the end. */
static int count_iterations(bool stiffened, double pull)
{
    cst_body_model helix = curly(10, true, CST_FIBER_SWEEP);
    cst_step_frame frame = helix_step_frame(10.0, 1.0, 0.0, 0.0, -9.81);
    const int dofs = helix.class->dynamics->dofs(helix.self);
    const double impulse[3] = {0.3 * frame.dt * pull, 0.8 * frame.dt * pull, -0.5 * frame.dt * pull}, moment[3] = {0.0, 0.0, 0.0};
    double v[DOFS_MAX], before[DOFS_MAX];
    cst_material_point at;
    assert_true(helix.class->places->locate(helix.self, &(cst_place){.at_end = true}, &at));
    char message[256] = "";
    int count = 0;
    if (!helix.class->equilibrium(helix.self, &frame, NULL, 0, 1e-10, &count, message, sizeof message))
        fail_msg("%s", message);
    count = 0;
    frame.iterated = stiffened;
    frame.quasi_static = true; /* no mass to speak of that would hold it back */
    for (; count < 40; ++count) {
        int32_t dof[9];
        double j[27], j_turn[27], largest = 0.0;
        cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
        if (!helix.class->dynamics->assemble(helix.self, &frame, count > 0 ? v : NULL, message, sizeof message))
            fail_msg("%s", message);
        helix.class->places->point(helix.self, &at, &motion);
        memcpy(before, v, sizeof before);
        memcpy(v, helix.class->dynamics->rhs(helix.self), (size_t)dofs * sizeof *v);
        for (int c = 0; c < 27; ++c)
            v[dof[c % 9]] += j[c] * impulse[c / 9];
        helix.class->dynamics->push(helix.self, &at, impulse, moment);
        assert_true(helix.class->dynamics->solve(helix.self, v));
        for (int k = 0; k < dofs; ++k)
            largest = fmax(largest, fabs(v[k]));
        if (count > 0 && largest_difference(v, before, dofs) < 1e-10 * largest)
            break;
    }
    rod_destroy(&helix);
    return count;
}

static void newton_converges(void **state)
{
    (void)state;
    const double pull[3] = {0.003, 0.01, 0.03};
    for (int k = 0; k < 3; ++k) {
        const int plain = count_iterations(false, pull[k]), stiffened = count_iterations(true, pull[k]);
        print_message("pull %g N: %d iterations with the geometric stiffness, %d without\n", pull[k], stiffened, plain);
        assert_true(stiffened <= 10 && stiffened < plain);
    }
}

/* A moved root: what it works, with what the scheme, drag and viscosity take, is the change of energy, to rounding, whatever the
 * scheme and converged or not. */
static void works_of_a_moved_root(void **state)
{
    (void)state;
    const cst_key key[2] = {{.time = 0.0}, {.time = 0.4, .translation = {0.2, 0.1, 0.3}, .rotation = {0.5, -0.7, 0.6}}};
    const struct {
        double theta;
        int iterations;
    } way[4] = {{1.0, 1}, {1.0, 3}, {0.5, 2}, {0.7, 12}};
    for (int k = 0; k < 4; ++k) {
        cst_fiber_def def = helix_definition(5, 1.0, 0.1, soft);
        def.natural_curvature[1] = 1.0;
        def.radius = 0.02;
        def.drag = 0.01;
        def.viscosity = 0.01;
        def.root_motion = (cst_motion){.key = key, .keys = 2, .smooth = true};
        cst_body_model helix = helix_create(&def);
        cst_step_frame frame = helix_step_frame(4e-3, way[k].theta, 0.0, 0.0, -9.81);
        frame.iterated = way[k].iterations > 1;
        const double before = rod_energy(&helix, &frame);
        double works = 0.0, scheme = 0.0;
        for (int step = 0; step < 75; ++step) {
            cst_body_work work;
            rod_step(&helix, &frame, way[k].iterations, NULL);
            helix.class->dynamics->work(helix.self, &work);
            works += work.constraint + work.viscosity + work.drag + work.scheme;
            scheme += work.scheme;
        }
        const double gained = rod_energy(&helix, &frame) - before;
        rod_destroy(&helix);
        print_message("theta %g, %d linearisations: gained %.4g J, by the scheme %.2g J, unexplained %.2g J\n", way[k].theta,
                      way[k].iterations, gained, scheme, fabs(gained - works));
        assert_true(fabs(gained - works) < 1e-12);
    }
}

/* One step in which impulses act at two points: pushes and solves as the world does. Returns their work. */
static double pushed_step(cst_body_model *helix, cst_step_frame *frame, int iterations, const double impulse[2][3], double *place)
{
    const int dofs = helix->class->dynamics->dofs(helix->self), feature[2] = {1, 4};
    const double none[3] = {0.0, 0.0, 0.0};
    double v[DOFS_MAX], old[DOFS_MAX], work = 0.0;
    char message[256] = "";
    assert_true(helix->class->dynamics->place(helix->self, frame, NULL));
    for (int k = 0; k < iterations; ++k) {
        if (k > 0)
            assert_true(helix->class->dynamics->place(helix->self, frame, v));
        if (!helix->class->dynamics->assemble(helix->self, frame, k > 0 ? v : NULL, message, sizeof message))
            fail_msg("%s", message);
        memcpy(v, helix->class->dynamics->rhs(helix->self), (size_t)dofs * sizeof *v);
        helix->class->dynamics->velocities(helix->self, old);
        double force[DOFS_MAX] = {0.0};
        for (int p = 0; p < 2; ++p) {
            int32_t dof[DOFS_MAX];
            double j[3 * DOFS_MAX], j_turn[3 * DOFS_MAX];
            cst_point_motion motion = {.dof = dof, .j = j, .j_turn = j_turn};
            const cst_material_point at = {.feature = feature[p], .s = 0.05};
            helix->class->places->point(helix->self, &at, &motion);
            for (int c = 0; c < 3 * motion.dofs; ++c)
                force[dof[c % motion.dofs]] += j[c] * impulse[p][c / motion.dofs];
            helix->class->dynamics->push(helix->self, &at, impulse[p], none);
            if (k == 0)
                memcpy(place + 3 * p, motion.position, sizeof motion.position);
        }
        for (int d = 0; d < dofs; ++d)
            v[d] += force[d];
        assert_true(helix->class->dynamics->solve(helix->self, v));
        work = 0.0;
        for (int d = 0; d < dofs; ++d)
            work += force[d] * (frame->theta * v[d] + (1.0 - frame->theta) * old[d]);
    }
    helix->class->dynamics->finish(helix->self, frame, v);
    frame->time += frame->dt;
    return work;
}

/* Blows on a free fiber: its momentum changes by just their impulses, its energy by their work and what the scheme says; and
 * linearised, its angular momentum by their moments to what the blow changes during the step. */
static void blows_change_the_momentum_by_their_impulses(void **state)
{
    (void)state;
    const struct {
        double theta;
        int iterations;
    } way[4] = {{1.0, 1}, {1.0, 4}, {0.5, 3}, {0.8, 2}};
    for (int k = 0; k < 8; ++k) {
        cst_body_model helix = curly(6, false, k / 4 == 0 ? CST_FIBER_DENSE : CST_FIBER_SWEEP);
        cst_super_helix *rod = helix.self;
        rod->drag = 0.0;
        cst_step_frame frame = helix_step_frame(1e-3, way[k % 4].theta, 0.0, 0.0, 0.0);
        frame.iterated = way[k % 4].iterations > 1;
        double expected[6], found[6], works = 0.0, scheme = 0.0, size = 0.0;
        momenta(&helix, expected);
        const double before = rod_energy(&helix, &frame);
        for (int step = 0; step < 200; ++step) {
            double impulse[2][3], place[6];
            fill(impulse[0], 6, step % 20 == 0 ? 0.02 : 0.0, step);
            works += pushed_step(&helix, &frame, way[k % 4].iterations, impulse, place);
            for (int p = 0; p < 2; ++p) {
                cst_add3(1.0, impulse[p], expected);
                cst_add_cross3(place + 3 * p, impulse[p], expected + 3);
                size += sqrt(cst_dot3(impulse[p], impulse[p]));
            }
            cst_body_work work;
            helix.class->dynamics->work(helix.self, &work);
            works += work.viscosity + work.scheme;
            scheme += work.scheme;
        }
        momenta(&helix, found);
        const double unexplained = fabs(rod_energy(&helix, &frame) - before - works);
        print_message(
            "%s, theta %g, %d linearisations: impulses of %.2g N s, momentum off by %.2g, angular momentum by %.2g; energy "
            "%.3g J, by the scheme %.2g J, unexplained %.2g J\n",
            helix.class->name, way[k % 4].theta, way[k % 4].iterations, size, largest_difference(found, expected, 3),
            largest_difference(found + 3, expected + 3, 3), before, scheme, unexplained);
        assert_true(largest_difference(found, expected, 3) < 1e-13 * size);
        assert_true(unexplained < 1e-12);
        if (k % 4 == 0)
            assert_true(largest_difference(found + 3, expected + 3, 3) < 0.01 * size);
        rod_destroy(&helix);
    }
}

/* A bent, stiff fiber that spins freely for 1 s at 10 rad/s: the linearised step loses less than (omega dt)^2 of its
 * energy in all of that time, and gains no more than (omega dt)^4, what one step leaves out. Iterated it is implicit Euler, which loses omega^2 dt per second. */
static void spinning_freely(void **state)
{
    (void)state;
    const double stiff[3] = {1.3e-3, 1.6e-3, 1.6e-3};
    for (int k = 0; k < 2; ++k) {
        cst_fiber_def def = helix_definition(10, 0.4, 3.5e-3, stiff);
        def.clamped = false;
        def.radius = 1e-3;
        def.natural_curvature[1] = 4.0;
        def.angular_velocity[1] = 1.0;
        def.angular_velocity[2] = 10.0;
        cst_body_model helix = helix_create(&def);
        cst_step_frame frame = helix_step_frame(4e-3, 1.0, 0.0, 0.0, 0.0);
        frame.iterated = k == 1;
        const double before = rod_energy(&helix, &frame), turned = 10.0 * frame.dt;
        double momentum[6], after[6], most = before;
        momenta(&helix, momentum);
        for (int step = 0; step < 250; ++step) {
            rod_step(&helix, &frame, k == 0 ? 1 : 6, NULL);
            most = fmax(most, rod_energy(&helix, &frame));
        }
        momenta(&helix, after);
        const double lost = 1.0 - rod_energy(&helix, &frame) / before, off = fabs(after[5] / momentum[5] - 1.0);
        print_message("%s: %.2g of the energy lost, %.2g of the angular momentum; never gained more than %.2g\n",
                      k == 0 ? "linearised" : "iterated", lost, off, most / before - 1.0);
        assert_true(most - before < pow(turned, 4.0) * before);
        if (k == 0)
            assert_true(lost < turned * turned && off < turned * turned);
        else
            assert_true(lost < 100.0 * frame.dt);
        rod_destroy(&helix);
    }
}

/* A saved state continues with the same bits. */
static void saved_and_loaded(void **state)
{
    (void)state;
    cst_body_model a = curly(9, false, CST_FIBER_AUTO), b = curly(9, false, CST_FIBER_AUTO);
    cst_step_frame frame = helix_step_frame(1e-3, 1.0, 0.0, 0.0, -9.81), other = frame;
    double saved[6 * MAX + 18], end_a[6 * MAX + 18], end_b[6 * MAX + 18];
    assert_string_equal(a.class->name, "super-helix, sweep");
    for (int k = 0; k < 20; ++k)
        rod_step(&a, &frame, 1, NULL);
    a.class->state->save(a.self, saved);
    b.class->state->load(b.self, saved);
    for (int k = 0; k < 20; ++k) {
        rod_step(&a, &frame, 1, NULL);
        rod_step(&b, &other, 1, NULL);
    }
    a.class->state->save(a.self, end_a);
    b.class->state->save(b.self, end_b);
    assert_memory_equal(end_a, end_b, (size_t)a.class->state->size(a.self) * sizeof *end_a);
    rod_destroy(&a);
    rod_destroy(&b);
}

/* The sweep with small steps, where an inertia that is not kept symmetric breaks down: it must stay an inverse. */
static void sweep_with_small_steps(void **state)
{
    (void)state;
    const double hair[3] = {5.2e-9, 7.0e-9, 7.0e-9};
    cst_fiber_def def = helix_definition(32, 0.3, 6.5e-6, hair);
    double u[3 * MAX];
    fill(u, 96, 15.0, 0.4);
    def.curvature = u;
    def.radius = 4e-5;
    double x[2][DOFS_MAX], y[2][DOFS_MAX], product[2] = {0.0, 0.0};
    for (int is_free = 0; is_free < 2; ++is_free) {
        for (int k = 3; k < 7; ++k) {
            def.clamped = is_free == 0;
            cst_body_model helix = helix_create(&def);
            cst_step_frame frame = helix_step_frame(pow(10.0, -k), 1.0, 0.0, 0.0, 0.0);
            char message[256] = "";
            if (!helix.class->dynamics->assemble(helix.self, &frame, NULL, message, sizeof message))
                fail_msg("%s", message);
            for (int i = 0; i < 2; ++i) {
                fill(x[i], 9 * 32, 1.0, 0.3 + i);
                memcpy(y[i], x[i], sizeof y[i]);
                assert_true(helix.class->dynamics->solve(helix.self, y[i]));
            }
            double scale = 0.0;
            product[0] = product[1] = 0.0;
            for (int d = 0; d < 9 * 32; ++d) {
                product[0] += x[0][d] * y[1][d];
                product[1] += x[1][d] * y[0][d];
                scale += fabs(x[0][d] * y[1][d]);
            }
            print_message("dt 1e-%d s, %s: x.A^-1 y is y.A^-1 x to %.2g\n", k, is_free ? "free" : "clamped",
                          fabs(product[0] - product[1]) / scale);
            assert_true(fabs(product[0] - product[1]) < 1e-9 * scale);
            rod_destroy(&helix);
        }
    }
}

/* A curly hair that falls from level: iterated steps never have more energy than it began with. */
static void falling_hair(void **state)
{
    (void)state;
    const double hair[3] = {5.2e-9, 7.0e-9, 7.0e-9}, steps[3] = {2e-3, 4e-3, 1.1e-2};
    for (int k = 0; k < 6; ++k) {
        cst_fiber_def def = helix_definition(k < 3 ? 8 : 20, 0.3, 6.5e-6, hair);
        def.radius = 1e-3;
        def.natural_curvature[0] = 5.0;
        def.natural_curvature[1] = 20.0;
        def.viscosity = 1e-3;
        def.drag = 5e-6;
        cst_body_model helix = helix_create(&def);
        cst_step_frame frame = helix_step_frame(steps[k % 3], 1.0, 0.0, 0.0, -9.81);
        frame.iterated = true;
        cst_body_energy energy;
        const double before = rod_energy(&helix, &frame);
        double largest = 0.0, most = before;
        while (frame.time < 2.0) {
            rod_step(&helix, &frame, 4, NULL);
            helix.class->dynamics->energy(helix.self, frame.gravity, &energy);
            largest = fmax(largest, energy.kinetic);
            most = fmax(most, energy.kinetic + energy.elastic + energy.gravity);
        }
        print_message(
            "%d elements, dt %g s: kinetic energy up to %.2g J, %.2g at the end; energy never above the first by more than "
            "%.2g\n",
            def.elements, steps[k % 3], largest, energy.kinetic, most - before);
        assert_true(most - before < 0.02 * largest && energy.kinetic < 0.5 * largest);
        rod_destroy(&helix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planar_motion_is_the_super_circles),
                                       cmocka_unit_test(dense_is_sweep),
                                       cmocka_unit_test(jacobians),
                                       cmocka_unit_test(free_flight),
                                       cmocka_unit_test(newton_converges),
                                       cmocka_unit_test(works_of_a_moved_root),
                                       cmocka_unit_test(blows_change_the_momentum_by_their_impulses),
                                       cmocka_unit_test(spinning_freely),
                                       cmocka_unit_test(saved_and_loaded),
                                       cmocka_unit_test(sweep_with_small_steps),
                                       cmocka_unit_test(falling_hair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
