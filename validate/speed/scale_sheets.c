/* capstan-bench scale, sections sheets and nodal.
 *
 * sheets: a square of cloth of 0.5 m, cut ever finer, is thrown at 1 m/s on a ball of 0.15 m and measured 24 to 34 ms after it met it: exponent of processor time over vertices,
 * us per vertex and step, the same bits with two threads and after a save and a load half way.
 *
 * nodal: one step of such a cloth on a ball of 0.5 m, with a thousand contacts, from zero impulses: the nodal form against the explicit W of the same problem. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "cli/progress.h"
#include "cloth/sheet_shapes.h"
#include "harness/cpu_clock.h"
#include "speed/scale_worlds.h"

enum { COLD = 12, WARM = 5 };

static const double SIDE = 0.5, BALL = 0.15, LARGE_BALL = 0.5, THICKNESS = 1e-3, SPEED = 1.0; /* SI */

static cst_world_def world_def(int threads)
{
    cst_world_def def = cst_scale_def();
    def.time_step.dt = 2e-3;
    def.time_step.adaptive = false;
    def.friction.threads = threads;
    return def;
}

/* About as stiff as gray interlock of Wang et al. 2011 at small strains, alike along both threads. */
static cst_fabric cotton(void)
{
    cst_fabric fabric = {.density = 0.187, .thickness = THICKNESS, .bending = CST_BENDING_QUADRATIC, .damping = 1e-3};
    const double stretching[4] = {30.0, -10.0, 30.0, 37.0};
    memcpy(fabric.stretching[0], stretching, sizeof stretching);
    for (int row = 0; row < CST_BEND_ROWS; row++)
        fabric.bend[row][0] = 5e-6;
    return fabric;
}

/* A cloth of `cells` x `cells` squares just above the ball, a little off its middle. */
static bool add_cloth(const cst_scale *about, cst_scale_world *to, int cells, double radius, int *vertices)
{
    char message[512] = "out of memory";
    const int both[2] = {cells, cells};
    cst_arena arena;
    cst_sheet_shape shape;
    cst_sheet_def cloth = cst_sheet_def_default();
    cst_obstacle_def ball = cst_obstacle_def_default();
    cst_arena_begin(&arena, NULL);
    bool good = cst_sheet_rectangle(SIDE, SIDE, both, CST_CUT_CROSSED, &arena, &shape);
    if (good) {
        for (int i = 0; i < shape.nodes; i++) {
            shape.position[3 * i] -= 0.48 * SIDE;
            shape.position[3 * i + 1] -= 0.47 * SIDE;
            shape.position[3 * i + 2] = radius + 0.55 * THICKNESS;
        }
        cst_sheet_shape_use(&shape, &cloth);
        cloth.fabric = cotton();
        cloth.velocity[2] = -SPEED;
        ball.shape = CST_OBSTACLE_SPHERE;
        ball.radius = radius;
        good = cst_world_add_sheet(to->world, &cloth, message, sizeof message) &&
               cst_world_add_obstacle(to->world, &ball, message, sizeof message);
        *vertices = shape.nodes;
    }
    cst_arena_end(&arena);
    return good || cst_validation_fault(&about->base, "%s", message);
}

static bool checksum_of(const cst_scale *about, const cst_world *world, void **state, size_t *size, uint64_t *sum)
{
    *size = cst_world_save(world, NULL, 0);
    *state = malloc(*size);
    if (!*state)
        return cst_validation_fault(&about->base, "out of memory");
    cst_world_save(world, *state, *size);
    *sum = cst_checksum(0, *state, *size);
    return true;
}

static bool go(const cst_scale *about, cst_scale_world *it, int steps)
{
    cst_step_report report;
    for (int i = 0; i < steps; i++)
        if (cst_world_step(it->world, &report) > CST_TOLERANCE_MISSED)
            return cst_validation_fault(&about->base, "at %g s: %s", report.time, report.message);
    return !cst_interrupted();
}

/* The state after some steps, with one thread, with two, and saved and loaded into a new world half way. */
static bool compare_bits(cst_scale *about, int cells)
{
    enum { HALF = 5, RUNS = 3 };
    uint64_t sum[RUNS];
    bool good = true;
    for (int k = 0; good && k < RUNS; k++) {
        cst_scale_world it;
        void *state = NULL;
        size_t size = 0;
        int vertices;
        good = cst_scale_world_begin(about, &it, world_def(k == 1 ? 2 : 1)) && add_cloth(about, &it, cells, BALL, &vertices) &&
               go(about, &it, HALF);
        if (good && k == 2) {
            char message[512];
            good = checksum_of(about, it.world, &state, &size, sum + k);
            cst_scale_world_end(&it);
            good = good && cst_scale_world_begin(about, &it, world_def(1)) && add_cloth(about, &it, cells, BALL, &vertices) &&
                   (cst_world_load(it.world, state, size, message, sizeof message) ||
                    cst_validation_fault(&about->base, "%s", message));
            free(state);
        }
        good = good && go(about, &it, HALF) && checksum_of(about, it.world, &state, &size, sum + k);
        if (good)
            free(state);
        cst_scale_world_end(&it);
    }
    if (!good)
        return false;
    cst_validation_at_most(&about->base, sum[1] != sum[0], 0.0, "sheets: other bits with two threads");
    cst_validation_at_most(&about->base, sum[2] != sum[0], 0.0, "sheets: other bits after a save and a load");
    return true;
}

static double phases(const cst_scale_row *row, int from, int to)
{
    double sum = 0.0;
    for (int k = from; k <= to; k++)
        sum += row->phase[k];
    return sum;
}

bool cst_scale_sheets(cst_scale *about)
{
    enum { SIZES = 5, ASSEMBLE = 2, FREE = 3, TRACK = 5, SETUP = 7, JUDGE = 9 };
    static const int full[SIZES] = {31, 54, 99, 172, 315}, quick[2] = {12, 17};
    static const char *const headings[] = {"vertices",      "contacts",       "iterations", "step",
                                           "us per vertex", "assemble, free", "detect",     "track",
                                           "friction",      "worst E",        NULL};
    const int sizes = about->base.quick ? 2 : SIZES, *cells = about->base.quick ? quick : full;
    double x[SIZES], y[SIZES], worst = 0.0;
    int count = 0;
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int i = 0; good && i < sizes; i++) {
        cst_scale_world it;
        cst_scale_row row = {.section = "sheets"};
        if ((cells[i] + 1) * (cells[i] + 1) > about->most)
            break;
        if ((cells[i] + 1) * (cells[i] + 1) < about->least)
            continue;
        good = cst_scale_world_begin(about, &it, world_def(1)) && add_cloth(about, &it, cells[i], BALL, &row.fibers) &&
               cst_scale_measure(about, &it, COLD, WARM, &row);
        cst_scale_world_end(&it);
        if (!good)
            break;
        snprintf(row.scene, sizeof row.scene, "cloth of %d vertices", row.fibers);
        cst_scale_keep(about, &row);
        x[count] = row.fibers;
        y[count++] = row.seconds;
        worst = fmax(worst, row.error);
        cst_table_cell(table, "%d", row.fibers);
        cst_table_cell(table, "%.1f", row.contacts);
        cst_table_cell(table, "%.1f", row.iterations);
        cst_table_seconds(table, row.seconds);
        cst_table_cell(table, "%.1f", 1e6 * row.seconds / row.fibers);
        cst_table_seconds(table, phases(&row, ASSEMBLE, FREE));
        cst_table_seconds(table, cst_scale_detection(&row));
        cst_table_seconds(table, phases(&row, TRACK, TRACK));
        cst_table_seconds(table, phases(&row, SETUP, JUDGE));
        cst_table_cell(table, "%.1e", row.error);
    }
    cst_validation_print(table);
    if (!good || count < 2)
        return good;
    cst_validation_at_most(&about->base, worst, 1e-6, "sheets: worst E");
    cst_scale_bound(about, cst_scale_exponent(x, y, count), 1.2, "sheets: exponent of a step over vertices");
    return compare_bits(about, cells[0]);
}

/* ------------------------------------------------------------------------------------------------------------------ nodal */

typedef struct form_times {
    int least;                   /* contacts: of a problem that is worth comparing */
    int contacts, nodes;         /* of the one that was; 0: none yet */
    double seconds[2], error[2]; /* nodal, explicit */
    int iterations[2];
    double apart; /* largest difference of a velocity over the velocity scale */
} form_times;

static void compare_forms(void *user, const cst_body_problem *problem, const double *r)
{
    form_times *times = user;
    (void)r;
    if (times->contacts > 0 || problem->contacts < times->least)
        return;
    const size_t size = 3 * (size_t)problem->contacts, dofs = (size_t)problem->body[0].size;
    double *v = calloc(2 * dofs, sizeof *v), *impulse = malloc(size * sizeof *impulse), *u = malloc(size * sizeof *u),
           scale = 1.0;
    for (int form = 0; v && impulse && u && form < 2; form++) {
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        options.form = form == 0 ? CST_FORM_MIXED : CST_FORM_EXPLICIT;
        options.tolerance = 1e-6;
        options.threads = 1;
        memset(impulse, 0, size * sizeof *impulse);
        const double began = cst_cpu_seconds();
        cst_friction_solve_bodies(problem, &options, impulse, u, v + (size_t)form * dofs, &report);
        times->seconds[form] = cst_cpu_seconds() - began;
        times->error[form] = report.residual.error;
        times->iterations[form] = report.iterations;
        scale = report.residual.velocity_scale;
    }
    for (size_t k = 0; v && k < dofs; k++)
        times->apart = fmax(times->apart, fabs(v[k] - v[dofs + k]) / scale);
    times->contacts = problem->contacts;
    times->nodes = (int)(dofs / 3);
    free(v);
    free(impulse);
    free(u);
}

bool cst_scale_nodal(cst_scale *about)
{
    enum { MOST_STEPS = 60 };
    static const char *const headings[] = {"form", "nodes", "contacts", "iterations", "time", "E", NULL};
    form_times times = {.least = about->base.quick ? 100 : 1000};
    const int cells = about->base.quick ? 15 : 30;
    cst_scale_world it;
    int vertices;
    bool good = cst_scale_world_begin(about, &it, world_def(1)) && add_cloth(about, &it, cells, LARGE_BALL, &vertices);
    if (good)
        cst_world_watch_friction(it.world, compare_forms, &times);
    for (int i = 0; good && i < MOST_STEPS && times.contacts == 0; i++)
        good = go(about, &it, 1);
    cst_scale_world_end(&it);
    if (!good)
        return false;
    if (times.contacts == 0)
        return cst_validation_fault(&about->base, "no step had %d contacts", times.least);
    cst_table *table = cst_validation_table(headings);
    for (int form = 0; form < 2; form++) {
        cst_table_cell(table, "%s", form == 0 ? "nodal" : "explicit W");
        cst_table_cell(table, "%d", times.nodes);
        cst_table_cell(table, "%d", times.contacts);
        cst_table_cell(table, "%d", times.iterations[form]);
        cst_table_seconds(table, times.seconds[form]);
        cst_table_cell(table, "%.1e", times.error[form]);
    }
    cst_validation_print(table);
    cst_validation_at_most(&about->base, times.error[0], 1e-6, "nodal: E");
    cst_validation_note(&about->base, times.error[1], "nodal: E of the explicit W");
    cst_validation_note(&about->base, times.apart, "nodal: largest difference of velocities over V");
    cst_validation_note(&about->base, times.seconds[1] / times.seconds[0], "nodal: times as fast as the explicit W");
    return true;
}
