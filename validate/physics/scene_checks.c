/* capstan-bench scenes: scenes of scenes/ whose outcome has a closed form or an independently computed value. One row of the table is
 * one figure: the scene, the probe and what is taken of it, the reference and its source, the tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "cli/progress.h"
#include "cli/scene_faults.h"
#include "harness/bench_data.h"
#include "harness/validation.h"
#include "scene/scene.h"

typedef enum quantity { X, Y, SPEED, FY, UNEXPLAINED } quantity;

/* What is taken of a quantity over time: its last value, the largest magnitude, the mean, largest less least, cycles per second. */
typedef enum extractor { LAST, LARGEST, MEAN, RANGE, FREQUENCY } extractor;

typedef struct scene_check {
    const char *scene; /* of scenes/ */
    bool quick;        /* takes a second or less */
    const char *figure;
    const char *probe;
    quantity of;
    extractor take;
    double from; /* s */
    double reference;
    const char *source;
    bool relative; /* the tolerance is a share of the reference */
    double tolerance;
} scene_check;

/* Rows of one scene follow each other: it is run once. */
static const scene_check table[] = {
    {"planar/cantilever", true, "tip x, of the length", "tip", X, LAST, 0, 0.65635376, "heavy elastica, Gamma = 10", false, 5e-4},
    {"planar/cantilever", true, "tip y, of the length", "tip", Y, LAST, 0, -0.70019972, "heavy elastica, Gamma = 10", false,
     5e-4},
    {"planar/cantilever", true, "way of the tip at rest, m", "tip", Y, RANGE, 0, 0, "statics", false, 1e-9},
    {"planar/incline", true, "speed after 1 s, mu < tan 20deg, m/s", "slide", SPEED, LAST, 0, 1.5115406840,
     "g (sin a - mu cos a) t", true, 1e-6},
    {"planar/incline", true, "speed, mu > tan 20deg, m/s", "stick", SPEED, LARGEST, 0.1, 0, "Coulomb", false, 1e-8},
    {"planar/pendulum", false, "frequency of a bar let go level, Hz", "tip", X, FREQUENCY, 0, 0.51724097,
     "1 / (1.18034 x 2 pi sqrt(2 L / 3 g))", true, 1e-3},
    {"planar/vibration", false, "frequency, L = 1 m, Hz", "short", Y, FREQUENCY, 0, 1.7806083, "Euler and Bernoulli", true, 0.01},
    {"planar/vibration", false, "frequency, L = 2 m, Hz", "long", Y, FREQUENCY, 0, 0.4451521, "Euler and Bernoulli", true, 0.01},
    {"planar/capstan", false, "2 % below: way after 0.6 s, mu = 0.1, m", "start_holds_10", Y, RANGE, 0.6, 0,
     "elastic capstan holds", false, 1e-5},
    {"planar/capstan", false, "2 % below: way after 0.6 s, mu = 0.5, m", "start_holds_50", Y, RANGE, 0.6, 0,
     "elastic capstan holds", false, 1e-5},
    {"fibers/capstan", false, "force that holds 1 N over two turns, N", "guide", FY, MEAN, 0.5, -10.2482,
     "exp(4 pi mu R / (R + r))", true, 0.02},
    {"fibers/fall", false, "energy unexplained, J", "energy", UNEXPLAINED, LARGEST, 0, 0, "conservation of energy", false, 1e-9},
};

enum { CHECKS = sizeof table / sizeof *table };

typedef struct series {
    double *time, *value;
    int count, room;
} series;

static double sample(const cst_world *world, const cst_probe *probe, quantity of)
{
    double a[3] = {0}, b[3] = {0}, angle = 0;
    cst_energies energy = {0};
    switch (probe->kind) {
    case CST_PROBE_POSITION:
        cst_world_place(world, &probe->place, a, &angle, b);
        break;
    case CST_PROBE_OBSTACLE_FORCE:
        cst_world_obstacle_force(world, probe->obstacle, a);
        break;
    case CST_PROBE_CONSTRAINT_FORCE:
        cst_world_constraint_force(world, probe->constraint, a, b);
        break;
    case CST_PROBE_ROOT_FORCE:
        cst_world_root_force(world, probe->place.body, a, b);
        break;
    case CST_PROBE_HANDLE_FORCE:
        cst_world_handle_force(world, probe->place.body, probe->handle, a);
        break;
    case CST_PROBE_ENERGY:
        cst_world_energies(world, &energy);
        break;
    }
    switch (of) {
    case X:
        return a[0];
    case Y:
    case FY:
        return a[1];
    case SPEED:
        return sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    case UNEXPLAINED:
        break;
    }
    return energy.unexplained;
}

static bool append(series *to, double time, double value)
{
    if (to->count == to->room) {
        const int room = to->room ? 2 * to->room : 1024;
        double *times = realloc(to->time, (size_t)room * sizeof *times);
        to->time = times ? times : to->time;
        double *values = realloc(to->value, (size_t)room * sizeof *values);
        to->value = values ? values : to->value;
        if (!times || !values)
            return false;
        to->room = room;
    }
    to->time[to->count] = time;
    to->value[to->count++] = value;
    return true;
}

/* Between the first and the last upward crossing of the mean; NaN without a full cycle. */
static double frequency_of(const series *of, double mean)
{
    double first = NAN, last = NAN;
    int crossings = 0;
    for (int i = 1; i < of->count; i++) {
        const double before = of->value[i - 1] - mean, after = of->value[i] - mean;
        if (before >= 0 || after < 0)
            continue;
        last = of->time[i - 1] - before * (of->time[i] - of->time[i - 1]) / (after - before);
        first = crossings++ ? first : last;
    }
    return crossings > 1 ? (crossings - 1) / (last - first) : NAN;
}

static double extract(const series *of, extractor take)
{
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0;
    for (int i = 0; i < of->count; i++) {
        low = fmin(low, of->value[i]);
        high = fmax(high, of->value[i]);
        sum += of->value[i];
    }
    if (of->count == 0)
        return NAN;
    switch (take) {
    case LAST:
        return of->value[of->count - 1];
    case LARGEST:
        return fmax(fabs(low), fabs(high));
    case MEAN:
        return sum / of->count;
    case RANGE:
        return high - low;
    case FREQUENCY:
        break;
    }
    return frequency_of(of, sum / of->count);
}

static const cst_probe *find_probe(const cst_scene *scene, const char *name)
{
    const cst_probe *probe;
    const int count = cst_scene_probes(scene, &probe);
    for (int i = 0; i < count; i++)
        if (strcmp(probe[i].name, name) == 0)
            return &probe[i];
    return NULL;
}

/* The scene to its end, every step seen by the rows first .. first + count. */
static bool run_world(const cst_validation *about, cst_world *world, const cst_scene *scene, int first, int count, series *seen)
{
    const cst_scene_run *plan = cst_scene_run_settings(scene);
    char message[512];
    int iterations;
    if (plan->equilibrium_first && !cst_world_find_equilibrium(world, 1e-10, &iterations, message, sizeof message))
        return cst_validation_fault(about, "%s: %s", table[first].scene, message);
    for (;;) {
        const double time = cst_world_time(world);
        for (int k = 0; k < count; k++) {
            const scene_check *row = &table[first + k];
            const cst_probe *probe = find_probe(scene, row->probe);
            if (!probe)
                return cst_validation_fault(about, "%s: there is no probe %s", row->scene, row->probe);
            if (time >= row->from && !append(&seen[k], time, sample(world, probe, row->of)))
                return cst_validation_fault(about, "out of memory");
        }
        cst_step_report report;
        if (time >= plan->duration * (1 - 1e-9) || cst_interrupted())
            return true;
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
            return cst_validation_fault(about, "%s: at %g s: %s", table[first].scene, time, report.message);
    }
}

static bool run_scene(cst_validation *about, int first, int count)
{
    char local[128], path[1200], message[512] = "out of memory";
    snprintf(local, sizeof local, "../scenes/%s.json", table[first].scene);
    if (!cst_bench_data_find(local, path, sizeof path))
        return cst_validation_fault(about, "scenes/%s.json is not there", table[first].scene);
    cst_scene *scene = cst_scene_read_file(path, NULL, 0, NULL);
    if (scene && cst_scene_faults(scene, NULL) > 0)
        cst_print_faults(stderr, "capstan-bench scenes", scene);
    const bool sound = scene && cst_scene_faults(scene, NULL) == 0;
    cst_world *world = sound ? cst_scene_world(scene, 1, message, sizeof message) : NULL;
    series seen[CHECKS] = {0};
    bool ok = world ? run_world(about, world, scene, first, count, seen) : cst_validation_fault(about, "%s", message);
    for (int k = 0; k < count; k++) {
        const scene_check *row = &table[first + k];
        if (ok)
            cst_validation_compare(about, extract(&seen[k], row->take), row->reference, row->relative, row->tolerance,
                                   "%s: %s (%s)", row->scene, row->figure, row->source);
        free(seen[k].time);
        free(seen[k].value);
    }
    cst_world_free(world);
    cst_scene_free(scene);
    return ok;
}

void cst_bench_scenes_list(FILE *to)
{
    for (int i = 0; i < CHECKS; i++)
        fprintf(to, "  %-18s %-42s %12.7g within %g%s: %s\n", table[i].scene, table[i].figure, table[i].reference,
                table[i].relative ? 100 * table[i].tolerance : table[i].tolerance, table[i].relative ? " %" : "",
                table[i].source);
}

int cst_bench_scenes(int argc, char **argv)
{
    static const char what[] = "Scenes whose outcome is known: each figure beside its reference.";
    cst_validation about;
    int code;
    if (!cst_validation_begin(&about, argc, argv, "scenes", what, &code))
        return code;
    bool ok = true;
    for (int i = 0, count; i < CHECKS && ok && !cst_interrupted(); i += count) {
        count = 1;
        while (i + count < CHECKS && strcmp(table[i].scene, table[i + count].scene) == 0)
            count++;
        ok = (about.quick && !table[i].quick) || run_scene(&about, i, count);
    }
    return ok ? cst_validation_end(&about) : cst_validation_abandon(&about);
}
