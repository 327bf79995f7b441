/* Rigid bodies in space with friction against closed forms (validate/reference/README.md): blocks and balls on inclines, balls that land or
 * start spinning, pucks pushed across an incline, and Coulomb's oscillator. Accelerations are constant between events, so velocities
 * are exact but for the step in which an event falls; places and times of events are off by the order of dt.
 *
 * The oscillator is a thin block on a plane, pulled by a straight fiber without mass to speak of, whose stretch is the spring
 * (EA / l = k, l the length of its free edge). It starts unstretched and a force k x0 pulls the block: so it is x0 away from where the
 * spring balances that force, and the fiber is taut all the time. Inclines and directions are turned about z: no axis is special. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "math/vector3.h"
#include "physics/fibers.h"

enum { LEVELS = 3 };

static const double HEADING = 0.7, RADIUS = 0.1, THIN = 1e-4;
static const char BLOCK[] = "block on an incline", BALL[] = "ball on an incline", SPIN[] = "spinning ball", PUCK[] = "puck",
                  OSCILLATOR[] = "Coulomb oscillator";

/* Axes of an incline through the origin: down it, across it, out of it. */
typedef struct incline {
    double down[3], across[3], out[3];
} incline;

static incline incline_of(double degrees)
{
    const double alpha = degrees * acos(-1.0) / 180, c = cos(HEADING), s = sin(HEADING);
    return (incline){.down = {c * cos(alpha), s * cos(alpha), -sin(alpha)},
                     .across = {-s, c, 0},
                     .out = {c * sin(alpha), s * sin(alpha), cos(alpha)}};
}

static cst_world *world_on(const incline *axes, double mu, double dt, double theta, double gravity, char *message,
                           size_t message_size)
{
    cst_world_def def = cst_world_def_default(3);
    def.gravity[2] = -gravity;
    def.time_step.dt = dt;
    def.time_step.theta = theta;
    def.friction_coefficient = mu;
    def.friction.threads = 1;
    cst_world *world = cst_world_new(&def, message, message_size);
    cst_obstacle_def plane = cst_obstacle_def_default();
    plane.shape = CST_OBSTACLE_PLANE;
    memcpy(plane.normal, axes->out, sizeof plane.normal);
    if (world && cst_world_add_obstacle(world, &plane, message, message_size))
        return world;
    cst_world_free(world);
    return NULL;
}

static cst_rigid_def body_on(const incline *axes, cst_rigid_shape shape, double height)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = shape;
    def.mass = 1;
    for (int k = 0; k < 3; k++) {
        def.position[k] = height * axes->out[k];
        def.frame[3 * k] = axes->down[k];
        def.frame[3 * k + 1] = axes->across[k];
        def.frame[3 * k + 2] = axes->out[k];
    }
    return def;
}

/* Thin: friction below its centre does not tip it. */
static cst_rigid_def block_on(const incline *axes)
{
    cst_rigid_def def = body_on(axes, CST_RIGID_BOX, THIN);
    memcpy(def.size, (const double[3]){0.2, 0.15, THIN}, sizeof def.size);
    return def;
}

/* k = I / (m R^2) */
static cst_rigid_def ball_on(const incline *axes, double k, double height)
{
    cst_rigid_def def = body_on(axes, CST_RIGID_SPHERE, RADIUS + height);
    def.radius = RADIUS;
    memset(def.inertia_matrix, 0, sizeof def.inertia_matrix);
    for (int i = 0; i < 3; i++)
        def.inertia_matrix[4 * i] = k * def.mass * RADIUS * RADIUS;
    return def;
}

static bool step(cst_world *world, cst_step_report *report, char *message, size_t message_size)
{
    const cst_status status = cst_world_step(world, report);
    if (status == CST_SOLVED && report->residual.error <= 1e-7 && !cst_interrupted())
        return true;
    snprintf(message, message_size, "E %.1e, %.200s", report->residual.error, report->message);
    return false;
}

static cst_theory_row *add(cst_theory *about, const char *line, double dt, double value, double reference, double scale)
{
    cst_theory_row *row = cst_theory_add(about, line, "", 0, value, reference);
    if (row) {
        row->dt = dt;
        row->error = fabs(value - reference) / scale;
    }
    return row;
}

/* ------------------------------------------------------------------------------------------------------------------- inclines */

static bool run_inclines(cst_theory *about, const cst_csv_file *table, bool balls, char *message, size_t message_size)
{
    const double dt = 1e-3, g = 9.81, run = 20 * dt;
    for (int i = 0; i < table->rows; i++) {
        const double degrees = cst_csv_number(table, i, "alpha_deg"), mu = cst_csv_number(table, i, "mu");
        const double k = balls ? cst_csv_number(table, i, "k=I/(mR^2)") : 0,
                     mu_c = tan(degrees * acos(-1.0) / 180) * (balls ? k / (1 + k) : 1);
        /* On the threshold itself rounding decides. */
        if (fabs(mu - mu_c) < 1e-6 || degrees != 30 || (balls && k != 0.4) || (about->base.quick && mu > 0.25))
            continue;
        const double exact = cst_csv_number(table, i, balls ? "a_cm" : "acceleration_g9.81"),
                     turning = balls ? cst_csv_number(table, i, "R*angular_acc") : 0;
        const incline axes = incline_of(degrees);
        cst_world *world = world_on(&axes, mu, dt, 1, g, message, message_size);
        const cst_rigid_def def = balls ? ball_on(&axes, k, 0) : block_on(&axes);
        cst_step_report report;
        bool good = world && cst_world_add_rigid(world, &def, message, message_size);
        for (int n = 0; good && n < 20; n++)
            good = step(world, &report, message, message_size);
        double velocity[3] = {0}, turn[3] = {0};
        if (good)
            cst_world_place_space(world, &(cst_place){.body = 1}, NULL, NULL, velocity, turn);
        cst_world_free(world);
        cst_theory_row *row = good ? add(about, balls ? BALL : BLOCK, dt, cst_dot3(velocity, axes.down) / run, exact, g) : NULL;
        if (!row)
            return false;
        snprintf(row->of, sizeof row->of, "30 degrees, mu %g: acceleration", mu);
        if (!balls)
            continue;
        row = add(about, BALL, dt, RADIUS * cst_dot3(turn, axes.across) / run, turning, g);
        if (!row)
            return false;
        snprintf(row->of, sizeof row->of, "30 degrees, mu %g: R x spin-up", mu);
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- spinning balls */

/* Time from touching to rolling, and the speed then. */
static bool spin(const cst_csv_file *table, int i, double dt, double *time, double *speed, char *message, size_t message_size)
{
    const incline axes = incline_of(0);
    const double height = cst_csv_number(table, i, "drop_height_e0");
    cst_world *world = world_on(&axes, cst_csv_number(table, i, "mu"), dt, 1, 9.81, message, message_size);
    cst_rigid_def def = ball_on(&axes, cst_csv_number(table, i, "k"), height);
    for (int n = 0; n < 3; n++) {
        def.velocity[n] = cst_csv_number(table, i, "v0") * axes.down[n];
        def.spin[n] = cst_csv_number(table, i, "R_omega0") / RADIUS * axes.across[n];
    }
    bool good = world && cst_world_add_rigid(world, &def, message, message_size);
    double touched = height > 0 ? -1 : 0, velocity[3];
    *time = -1;
    while (good && *time < 0) {
        cst_step_report report;
        good = step(world, &report, message, message_size) && report.time < 20;
        if (good && touched < 0 && report.sticking + report.sliding > 0)
            touched = report.time;
        if (good && touched >= 0 && report.sticking > 0)
            *time = report.time - touched;
    }
    if (good) {
        cst_world_place_space(world, &(cst_place){.body = 1}, NULL, NULL, velocity, NULL);
        *speed = cst_dot3(velocity, axes.down);
    }
    cst_world_free(world);
    return good;
}

static bool run_spin(cst_theory *about, const cst_csv_file *table, char *message, size_t message_size)
{
    double late = 0, off = 0;
    for (int i = 0; i < table->rows; i++) {
        const double height = cst_csv_number(table, i, "drop_height_e0"),
                     rolling = cst_csv_number(table, i, "time_from_impact_to_rolling");
        if (cst_csv_number(table, i, "k") != 0.4 || cst_csv_number(table, i, "mu") != 0.2 || height > 0.1 ||
            cst_csv_number(table, i, "R_omega0") > (about->base.quick ? 1.5 : 5.5))
            continue;
        for (int level = about->base.quick ? LEVELS - 1 : 0; level < LEVELS; level++) {
            const double dt = ldexp(4e-3, -level), final = cst_csv_number(table, i, "v_final");
            double time, speed;
            if (!spin(table, i, dt, &time, &speed, message, message_size))
                return false;
            char of[64];
            snprintf(of, sizeof of, "R w %g, v %g, drop %g", cst_csv_number(table, i, "R_omega0"), cst_csv_number(table, i, "v0"),
                     height);
            cst_theory_row *row = add(about, SPIN, dt, time, rolling, 1);
            if (!row)
                return false;
            snprintf(row->of, sizeof row->of, "%.40s: s to roll", of);
            late = fmax(late, row->error / dt);
            row->finest = level == LEVELS - 1; /* events fall on whole steps: no order from one to the next */
            if (!row->finest)
                continue;
            row = add(about, SPIN, dt, speed, final, 1);
            if (!row)
                return false;
            snprintf(row->of, sizeof row->of, "%.40s: speed", of);
            off = fmax(off, row->error);
        }
    }
    cst_validation_at_most(&about->base, off, 1e-8, "spinning ball: |final speed - theory|, m/s, largest");
    cst_validation_at_most(&about->base, late, 2, "spinning ball: |time until it rolls - theory| / dt, largest");
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------------- puck */

static bool slide(const cst_csv_file *table, int i, double dt, double *across, double *error, char *message, size_t message_size)
{
    const incline axes = incline_of(cst_csv_number(table, i, "alpha_deg"));
    cst_world *world = world_on(&axes, cst_csv_number(table, i, "mu"), dt, 1, 9.81, message, message_size);
    cst_rigid_def def = block_on(&axes);
    memcpy(def.velocity, axes.across, sizeof def.velocity);
    bool good = world && cst_world_add_rigid(world, &def, message, message_size);
    const double until = cst_csv_number(table, i, "t_report(stop time or 2.0)");
    cst_step_report report;
    while (good && cst_world_time(world) < until - 0.5 * dt)
        good = step(world, &report, message, message_size);
    double x[3] = {0};
    if (good)
        cst_world_place_space(world, &(cst_place){.body = 1}, x, NULL, NULL, NULL);
    cst_world_free(world);
    *across = cst_dot3(x, axes.across);
    *error = hypot(*across - cst_csv_number(table, i, "x_transverse"),
                   cst_dot3(x, axes.down) - cst_csv_number(table, i, "y_downslope"));
    return good;
}

static bool run_puck(cst_theory *about, const cst_csv_file *table, char *message, size_t message_size)
{
    double low = HUGE_VAL, high = -HUGE_VAL, worst = 0;
    for (int i = about->base.quick ? table->rows - 2 : 0; i < table->rows; i++) {
        cst_theory_row *before = NULL;
        for (int level = about->base.quick ? 1 : 0; level < LEVELS; level++) {
            const double dt = ldexp(4e-3, -level);
            double across, error;
            if (!slide(table, i, dt, &across, &error, message, message_size))
                return false;
            cst_theory_row *row = add(about, PUCK, dt, across, cst_csv_number(table, i, "x_transverse"), 1);
            if (!row)
                return false;
            snprintf(row->of, sizeof row->of, "mu / tan alpha %g: place, m", cst_csv_number(table, i, "mu/tan(alpha)"));
            row->error = error;
            cst_theory_refine(before, row, 2);
            before = row;
            if (level == LEVELS - 1) {
                low = fmin(low, row->order);
                high = fmax(high, row->order);
                worst = fmax(worst, error);
            }
        }
    }
    cst_validation_note(&about->base, worst, "puck: error of the place at the finest dt, m, largest");
    cst_validation_between(&about->base, low, 0.8, 2.2, "puck: order in dt at the finest, lowest");
    cst_validation_between(&about->base, high, 0.8, 2.2, "puck: order in dt at the finest, highest");
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- oscillator */

/* Compares turning points until it stays where it is; the place where it stops. */
static bool oscillate(const cst_csv_file *table, int i, double dt, double *stop, double *error, int *half_cycles, char *message,
                      size_t message_size)
{
    const incline axes = incline_of(0);
    const double x0 = cst_csv_number(table, i, "x0");
    cst_world *world = world_on(&axes, cst_csv_number(table, i, "mu(g=m=k=1)"), dt, 0.5, 1, message, message_size);
    const cst_rigid_def block = block_on(&axes);
    cst_fiber_def spring = cst_fiber_def_default();
    spring.model = CST_FIBER_DISCRETE_ROD;
    spring.elements = 2; /* the clamp holds the first edge, half of it beyond; the second is the spring */
    spring.length = 4.5;
    spring.stretching_stiffness = spring.length / 1.5;
    spring.bending_stiffness[0] = spring.bending_stiffness[1] = spring.twisting_stiffness = 1e-3;
    spring.mass_per_length = 1e-8;
    spring.radius = 1e-3;
    spring.clamped = true;
    for (int k = 0; k < 3; k++) {
        spring.position[k] = THIN * axes.out[k] - spring.length * axes.down[k];
        spring.frame[3 * k] = axes.down[k];
        spring.frame[3 * k + 1] = axes.across[k];
        spring.frame[3 * k + 2] = axes.out[k];
    }
    cst_constraint_def pin = cst_constraint_def_default();
    pin.a = (cst_place){.body = 2, .at_end = true};
    pin.b = (cst_place){.body = 1};
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = 1};
    for (int k = 0; k < 3; k++)
        load.force[k] = x0 * axes.down[k];
    bool good = world && cst_world_add_rigid(world, &block, message, message_size) &&
                cst_world_add_fiber(world, &spring, message, message_size) &&
                cst_world_set_apart(world, (cst_party){.body = 2}, (cst_party){.obstacle = 1}, message, message_size) &&
                cst_world_set_apart(world, (cst_party){.body = 2}, (cst_party){.body = 1}, message, message_size) &&
                cst_world_add_constraint(world, &pin, message, message_size) &&
                cst_world_add_load(world, &load, message, message_size);
    const double until = cst_csv_number(table, i, "stop_time") + 2;
    const char *turning = cst_csv_field(table, i, "turning_points");
    double before = 0, x = -x0;
    *error = 0;
    *half_cycles = 0;
    while (good && cst_world_time(world) < until) {
        cst_step_report report;
        double place[3], velocity[3];
        good = step(world, &report, message, message_size);
        if (!good)
            break;
        cst_world_place_space(world, &(cst_place){.body = 1}, place, NULL, velocity, NULL);
        const double v = cst_dot3(velocity, axes.down), last = x;
        x = cst_dot3(place, axes.down) - x0;
        const bool stopped = fabs(v) < 1e-7;
        if (fabs(before) >= 1e-7 && (stopped || v * before < 0) && turning) { /* mirrored: it starts at -x0 */
            const double exact = strtod(turning, NULL);
            const double there = stopped ? x : before > 0 ? fmax(x, last) : fmin(x, last);
            *error = fmax(*error, fabs(-there - exact));
            turning = strchr(turning, ';') ? strchr(turning, ';') + 1 : NULL;
            ++*half_cycles;
        }
        before = v;
    }
    *stop = -x;
    cst_world_free(world);
    return good;
}

static bool run_oscillator(cst_theory *about, const cst_csv_file *table, char *message, size_t message_size)
{
    double over = 0, low = HUGE_VAL, high = -HUGE_VAL;
    int wrong = 0;
    for (int i = 0; i < table->rows; i++) {
        const double mu = cst_csv_number(table, i, "mu(g=m=k=1)"), x0 = cst_csv_number(table, i, "x0");
        if (mu < 0.04 || x0 > 1.5 || (about->base.quick && mu < 0.12))
            continue;
        cst_theory_row *before = NULL;
        double first = NAN;
        for (int level = 0; level < LEVELS; level++) {
            const double dt = ldexp(0.04, -2 * level); /* of a period of 2 pi */
            double stop, error;
            int half_cycles;
            if (!oscillate(table, i, dt, &stop, &error, &half_cycles, message, message_size))
                return false;
            cst_theory_row *row = add(about, OSCILLATOR, dt, stop, cst_csv_number(table, i, "x_stop"), 1);
            if (!row)
                return false;
            snprintf(row->of, sizeof row->of, "mu %g, x0 %g: stops at", mu, x0);
            row->error = error; /* of all turning points */
            cst_theory_refine(before, row, 4);
            before = row;
            first = level == 0 ? error : first;
            over = fmax(over, error / dt);
            wrong += half_cycles != (int)cst_csv_number(table, i, "n_half_cycles");
            if (level == LEVELS - 1) {
                low = fmin(low, 0.25 * log2(first / error));
                high = fmax(high, 0.25 * log2(first / error));
            }
        }
    }
    cst_validation_at_most(&about->base, wrong, 0, "Coulomb oscillator: cases with another number of half cycles than theory");
    cst_validation_at_most(&about->base, over, 1, "Coulomb oscillator: error of turning points / (dt x 1 m/s), largest");
    cst_validation_between(&about->base, low, 0.8, 2.2, "Coulomb oscillator: order in dt, lowest");
    cst_validation_between(&about->base, high, 0.8, 2.2, "Coulomb oscillator: order in dt, highest");
    return true;
}

bool cst_theory_rigid(cst_theory *about)
{
    static const char *const file[] = {"block_incline.csv", "rolling_incline.csv", "spin_drop.csv", "puck_incline_transverse.csv",
                                       "coulomb_oscillator.csv"};
    bool good = true;
    for (int k = 0; good && k < 5; k++) {
        cst_csv_file table;
        char message[256] = "no room";
        good = cst_validation_reference(&about->base, &table, file[k]);
        if (good) {
            good = k < 2    ? run_inclines(about, &table, k == 1, message, sizeof message)
                   : k == 2 ? run_spin(about, &table, message, sizeof message)
                   : k == 3 ? run_puck(about, &table, message, sizeof message)
                            : run_oscillator(about, &table, message, sizeof message);
            if (!good)
                cst_validation_fault(&about->base, "%s: %s", file[k], message);
        }
        cst_csv_file_free(&table);
    }
    if (good) {
        cst_validation_at_most(&about->base, cst_theory_worst(about, BLOCK, NULL), 1e-6,
                               "%s: |acceleration - theory| / g, largest", BLOCK);
        cst_validation_at_most(&about->base, cst_theory_worst(about, BALL, NULL), 1e-6,
                               "%s: |acceleration - theory| / g, largest", BALL);
    }
    return good;
}
