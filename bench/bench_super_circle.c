/* Time of a step of a planar rod against its number of elements, for both formulations.
 *
 *     bench_super_circle [--csv FILE]
 *
 * A clamped rod of 1 m swings under gravity; a step is assemble, solve and finish, without contact. Processor time, least of
 * several rounds. Prints the exponent of time ~ n^p of the mixed formulation from 100 to 100 000 elements, and where it becomes
 * faster than the chained one. The CSV has the columns formulation, elements, seconds_per_step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rod/super_circle.h"

enum { ROUNDS = 7 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* one thread: not disturbed by other processes */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(const char *why)
{
    fprintf(stderr, "bench_super_circle: %s\n", why);
    exit(1);
}

static double seconds_per_step(cst_rod_formulation formulation, int elements)
{
    cst_rod_def def = {.formulation = formulation,
                       .elements = elements,
                       .length = 1.0,
                       .radius = 0.001,
                       .mass_per_length = 0.1,
                       .bending_stiffness = 0.01,
                       .natural_curvature = 1.0,
                       .viscosity = 1e-4,
                       .drag = 0.01,
                       .clamped = true};
    char message[256];
    cst_body_model rod;
    if (!cst_super_circle_create(&def, NULL, &rod, message, sizeof message))
        give_up(message);
    int dofs = rod.class->dofs(rod.self);
    double *v = malloc((size_t)dofs * sizeof *v);
    if (!v)
        give_up("out of memory");
    cst_step_frame frame = {.dim = 2, .dt = 1e-3, .theta = 1.0, .gravity = {0.0, -9.81, 0.0}};

    /* A round takes a few milliseconds, or one step. */
    double work = formulation == CST_ROD_CHAINED ? 400.0 * elements + pow(elements, 3) / 3.0 : 800.0 * elements;
    int steps = (int)fmax(1.0, 8e6 / work);
    double least = INFINITY;
    for (int round = 0; round <= ROUNDS; ++round) { /* the first one warms up */
        double start = now();
        for (int k = 0; k < steps; ++k) {
            if (!rod.class->place(rod.self, &frame, NULL) ||
                !rod.class->assemble(rod.self, &frame, NULL, message, sizeof message))
                give_up("the rod could not be assembled");
            memcpy(v, rod.class->rhs(rod.self), (size_t)dofs * sizeof *v);
            if (!rod.class->solve(rod.self, v))
                give_up("the rod could not be solved");
            rod.class->finish(rod.self, &frame, v);
            frame.time += frame.dt;
        }
        if (round > 0)
            least = fmin(least, (now() - start) / steps);
    }
    free(v);
    rod.class->destroy(rod.self);
    return least;
}

/* Slope of log time over log n by least squares, from `from` elements on. */
static double exponent(const int *elements, const double *seconds, int count, int from)
{
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; ++i) {
        if (elements[i] < from)
            continue;
        double x = log(elements[i]), y = log(seconds[i]);
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

int main(int argc, char **argv)
{
    static const int chained[] = {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512};
    static const int mixed[] = {1,   2,   4,   6,   8,    12,   16,   24,    32,    48,    64,
                                100, 128, 256, 512, 1024, 2048, 4096, 10000, 20000, 50000, 100000};
    enum { CHAINED = sizeof chained / sizeof *chained, MIXED = sizeof mixed / sizeof *mixed };
    double chained_seconds[CHAINED], mixed_seconds[MIXED];
    FILE *csv = NULL;
    if (argc == 3 && strcmp(argv[1], "--csv") == 0)
        csv = fopen(argv[2], "w");
    if (argc != 1 && !csv)
        give_up(argc == 3 ? "cannot write the CSV file" : "usage: bench_super_circle [--csv FILE]");

    printf("%10s %16s %16s %22s\n", "elements", "chained (us)", "mixed (us)", "mixed (us/element)");
    int c = 0;
    double crossing = NAN;
    for (int i = 0; i < MIXED; ++i) {
        mixed_seconds[i] = seconds_per_step(CST_ROD_MIXED, mixed[i]);
        printf("%10d ", mixed[i]);
        if (c < CHAINED && chained[c] == mixed[i]) {
            chained_seconds[c] = seconds_per_step(CST_ROD_CHAINED, chained[c]);
            printf("%16.2f ", 1e6 * chained_seconds[c]);
            double ratio = log(chained_seconds[c] / mixed_seconds[i]);
            double before = c > 0 ? log(chained_seconds[c - 1] / mixed_seconds[i - 1]) : ratio;
            if (before <= 0.0 && ratio > 0.0) /* between this row and the last */
                crossing = chained[c - 1] * pow((double)chained[c] / chained[c - 1], before / (before - ratio));
            ++c;
        } else {
            printf("%16s ", "");
        }
        printf("%16.2f %22.4f\n", 1e6 * mixed_seconds[i], 1e6 * mixed_seconds[i] / mixed[i]);
    }
    printf("\nexponent of mixed from 100 to 100000 elements: %.3f\n", exponent(mixed, mixed_seconds, MIXED, 100));
    printf("exponent of chained from 64 elements on: %.2f\n", exponent(chained, chained_seconds, CHAINED, 64));
    if (!isnan(crossing))
        printf("mixed is faster than chained from about %.1f elements on\n", crossing);
    if (csv) {
        fprintf(csv, "formulation,elements,seconds_per_step\n");
        for (int i = 0; i < CHAINED; ++i)
            fprintf(csv, "chained,%d,%.6g\n", chained[i], chained_seconds[i]);
        for (int i = 0; i < MIXED; ++i)
            fprintf(csv, "mixed,%d,%.6g\n", mixed[i], mixed_seconds[i]);
        if (fclose(csv) != 0)
            give_up("the CSV file could not be written");
    }
    return 0;
}
