/* capstan-bench rod-steps: how long a step of one rod takes, over its number of elements, in both formulations.
 *
 * A clamped rod swings under gravity and touches nothing. Twice: the rod alone, through the interface of bodies (place, assemble,
 * solve, finish), which is what the bounds are on; and cst_world_step with all that it does besides (the search for contacts of
 * the rod with itself, energies and their budget, the report). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "harness/validation.h"
#include "rod/super_circle.h"

enum { FORMULATIONS = 2, SIZES_MAX = 40 };

static const char *const formulation_name[FORMULATIONS] = {"chained", "mixed"};

typedef struct study {
    cst_validation base;
    int sizes, elements[SIZES_MAX];
    double seconds[FORMULATIONS][SIZES_MAX]; /* per step of the rod; NaN: not measured */
    double world[SIZES_MAX];                 /* per step of a world with the mixed rod */
} study;

static cst_rod_def define(int formulation, int elements)
{
    cst_rod_def rod = cst_rod_def_default();
    rod.formulation = formulation == 0 ? CST_ROD_CHAINED : CST_ROD_MIXED;
    rod.elements = elements;
    rod.length = 1;
    rod.radius = 0.1 / elements; /* thinner than elements are long: an element has few others near it */
    rod.mass_per_length = 0.1;
    rod.bending_stiffness = 1e-2;
    rod.clamped = true;
    return rod;
}

static const double dt = 1e-3;

/* What is stepped: a rod on its own, or a world with it. */
typedef struct stepped {
    cst_body_model rod;
    double *v; /* (dofs) of the rod */
    cst_step_frame frame;
    cst_world *world; /* or NULL: the rod alone */
    char message[256];
} stepped;

static bool step_rod(stepped *it)
{
    const cst_body_class *class = it->rod.class;
    void *self = it->rod.self;
    if (!class->dynamics->place(self, &it->frame, NULL) ||
        !class->dynamics->assemble(self, &it->frame, NULL, it->message, sizeof it->message))
        return false;
    memcpy(it->v, class->dynamics->rhs(self), (size_t) class->dynamics->dofs(self) * sizeof(double));
    if (!class->dynamics->solve(self, it->v))
        return false;
    class->dynamics->finish(self, &it->frame, it->v);
    it->frame.time += dt;
    return true;
}

static bool step(stepped *it)
{
    if (!it->world)
        return step_rod(it);
    cst_step_report report;
    if (cst_world_step(it->world, &report) == CST_SOLVED)
        return true;
    snprintf(it->message, sizeof it->message, "%s", report.message);
    return false;
}

/* Best of a few batches, each of about the same time: other work on the machine only ever adds. */
static bool time_steps(const study *about, stepped *it, double *seconds)
{
    bool good = true;
    *seconds = HUGE_VAL;
    int batch = 1, batches = about->base.quick ? 3 : 7;
    for (int k = -2; good && k < batches; k++) { /* the first ones warm up and say how many steps make a batch */
        double began = cst_cpu_seconds();
        for (int i = 0; good && i < batch; i++)
            good = step(it);
        double each = (cst_cpu_seconds() - began) / batch;
        if (k < 0) {
            batch = (int)fmax(1, fmin(20000, (about->base.quick ? 0.005 : 0.03) / fmax(each, 1e-7)));
            continue;
        }
        *seconds = fmin(*seconds, each);
        if (each * batch > 0.3)
            break;
    }
    return good;
}

static bool time_rod(const study *about, int formulation, int elements, double *seconds)
{
    stepped it = {.frame = {.dim = 2, .dt = dt, .theta = 1, .gravity = {0, -9.81, 0}}, .message = "out of memory"};
    const cst_rod_def def = define(formulation, elements);
    bool made = cst_super_circle_create(&def, NULL, &it.rod, it.message, sizeof it.message);
    it.v = made ? malloc((size_t)it.rod.class->dynamics->dofs(it.rod.self) * sizeof(double)) : NULL;
    bool good = it.v && time_steps(about, &it, seconds);
    free(it.v);
    if (made)
        it.rod.class->destroy(it.rod.self);
    return good || cst_validation_fault(&about->base, "%s, n %d: %s", formulation_name[formulation], elements, it.message);
}

static bool time_world(const study *about, int elements, double *seconds)
{
    stepped it = {.message = "out of memory"};
    const cst_rod_def rod = define(1, elements);
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = dt;
    it.world = cst_world_new(&def, it.message, sizeof it.message);
    bool good = it.world && cst_world_add_rod(it.world, &rod, it.message, sizeof it.message) && time_steps(about, &it, seconds);
    cst_world_free(it.world);
    return good || cst_validation_fault(&about->base, "world, n %d: %s", elements, it.message);
}

/* Slope of log seconds over log n, least squares, from n = 100 on. */
static double exponent(const double *seconds, const study *about)
{
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < about->sizes; i++) {
        if (about->elements[i] < 100 || isnan(seconds[i]))
            continue;
        double a = log(about->elements[i]), b = log(seconds[i]);
        count++;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

/* Where chained becomes slower than mixed, for good. */
static double crossing(const study *about)
{
    double at = NAN;
    for (int i = 1; i < about->sizes; i++) {
        double before = log(about->seconds[0][i - 1] / about->seconds[1][i - 1]);
        double now = log(about->seconds[0][i] / about->seconds[1][i]);
        if (before <= 0 && now > 0)
            at = about->elements[i - 1] * pow((double)about->elements[i] / about->elements[i - 1], -before / (now - before));
    }
    return at;
}

static double microseconds_each(const study *about, int elements)
{
    for (int i = 0; i < about->sizes; i++)
        if (about->elements[i] == elements)
            return 1e6 * about->seconds[1][i] / elements;
    return NAN;
}

static bool show(const study *about)
{
    static const char *const headings[] = {
        "n", "chained", "mixed", "mixed per element", "chained / mixed", "world, mixed", "per element", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < about->sizes; i++) {
        cst_table_cell(table, "%d", about->elements[i]);
        cst_table_seconds(table, about->seconds[0][i]);
        cst_table_seconds(table, about->seconds[1][i]);
        cst_table_seconds(table, about->seconds[1][i] / about->elements[i]);
        cst_validation_cell(table, "%.2f", about->seconds[0][i] / about->seconds[1][i]);
        cst_table_seconds(table, about->world[i]);
        cst_table_seconds(table, about->world[i] / about->elements[i]);
    }
    cst_validation_print(table);
    if (!about->base.out)
        return true;
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = "Time of a step of one rod",
                                              .subtitle = "a swinging rod that touches nothing; one thread, best of several",
                                              .x = {.label = "elements n", .logarithmic = true},
                                              .y = {.label = "seconds per step", .logarithmic = true}});
    for (int f = 0; f < FORMULATIONS; f++) {
        int series = cst_chart_series(chart, &(cst_series_style){.name = formulation_name[f],
                                                                 .line = CST_LINE_SOLID,
                                                                 .marker = f == 0 ? CST_MARKER_CIRCLE : CST_MARKER_SQUARE});
        for (int i = 0; i < about->sizes; i++)
            if (!isnan(about->seconds[f][i]))
                cst_chart_point(chart, series, about->elements[i], about->seconds[f][i]);
    }
    int world = cst_chart_series(
        chart, &(cst_series_style){.name = "world with it, mixed", .line = CST_LINE_DOTTED, .marker = CST_MARKER_TRIANGLE});
    for (int i = 0; i < about->sizes; i++)
        cst_chart_point(chart, world, about->elements[i], about->world[i]);
    int linear = cst_chart_series(chart, &(cst_series_style){.name = "∝ n", .line = CST_LINE_DASHED, .colour = 9});
    double scale = about->seconds[1][about->sizes - 1] / about->elements[about->sizes - 1];
    cst_chart_point(chart, linear, about->elements[0], scale * about->elements[0]);
    cst_chart_point(chart, linear, about->elements[about->sizes - 1], scale * about->elements[about->sizes - 1]);
    bool written = cst_chart_files_write(chart, about->base.out, "rod_steps");
    cst_chart_free(chart);
    return written;
}

int cst_bench_rod_steps(int argc, char **argv)
{
    static const char what[] = "Time of a step of one rod over its number of elements, chained and mixed.";
    static const int sizes[] = {2,   4,   8,    12,   16,   24,   32,    48,    64,    100,   128,
                                256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 100000};
    study about = {.sizes = 0};
    int code;
    if (!cst_validation_begin(&about.base, argc, argv, "rod-steps", what, &code))
        return code;
    bool quick = about.base.quick;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (quick && sizes[i] > 4096)
            break;
        int at = about.sizes++;
        about.elements[at] = sizes[i];
        about.seconds[0][at] = NAN;
        bool dense = sizes[i] <= (quick ? 128 : 1024); /* a dense step of more would take seconds */
        if (cst_interrupted() || (dense && !time_rod(&about, 0, sizes[i], &about.seconds[0][at])) ||
            !time_rod(&about, 1, sizes[i], &about.seconds[1][at]) || !time_world(&about, sizes[i], &about.world[at]))
            return cst_validation_abandon(&about.base);
    }
    if (!show(&about))
        return cst_validation_abandon(&about.base);
    int largest = about.elements[about.sizes - 1];
    if (quick) { /* times of a few milliseconds on a busy machine: nothing is asked of them */
        cst_validation_note(&about.base, exponent(about.seconds[1], &about), "exponent of mixed from n = 100 to n = %d", largest);
        cst_validation_note(&about.base, microseconds_each(&about, 1024), "mixed, microseconds per element at n = 1024");
    } else {
        cst_validation_at_most(&about.base, exponent(about.seconds[1], &about), 1.05, "exponent of mixed from n = 100 to n = %d",
                               largest);
        cst_validation_at_most(&about.base, microseconds_each(&about, 1024), 0.24, "mixed, microseconds per element at n = 1024");
    }
    cst_validation_note(&about.base, exponent(about.seconds[0], &about), "exponent of chained from n = 100 on");
    cst_validation_note(&about.base, crossing(&about), "chained is slower than mixed from n");
    cst_validation_note(&about.base, exponent(about.world, &about), "exponent of a world's step from n = 100 to n = %d", largest);
    return cst_validation_end(&about.base);
}
