/* capstan-bench scale, section threads: one thread against two on the same steps of the same mat. Wall clock, the least of several
 * steps of each, taken in turn; the states must be the same to the bit. By Amdahl's law a phase that is S times as fast with p
 * threads has the serial share
 *
 *     f = (p / S - 1) / (p - 1)
 *
 * A machine with other work shows less than it could: how much of its processors others took meanwhile is said, and the speed-up is
 * judged only if that was less than a tenth of one processor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "speed/scale_worlds.h"

enum { THREADS = 2, COLD = 3 };

/* Seconds that all processors together were busy since the machine started; NaN where that is not known. */
static double busy_seconds(void)
{
    double user = NAN, nice = NAN, system = NAN;
    FILE *stat = fopen("/proc/stat", "r");
    if (!stat || fscanf(stat, "cpu %lf %lf %lf", &user, &nice, &system) != 3)
        user = NAN;
    if (stat)
        fclose(stat);
    return (user + nice + system) / (double)sysconf(_SC_CLK_TCK);
}

static double load_average(void)
{
    double load = NAN;
    FILE *from = fopen("/proc/loadavg", "r");
    if (!from || fscanf(from, "%lf", &load) != 1)
        load = NAN;
    if (from)
        fclose(from);
    return load;
}

static bool state_checksum(const cst_scale *about, const cst_scale_world *it, uint64_t *out)
{
    const size_t size = cst_world_save(it->world, NULL, 0);
    void *state = malloc(size);
    if (!state)
        return cst_validation_fault(&about->base, "out of memory");
    cst_world_save(it->world, state, size);
    *out = cst_checksum(0, state, size);
    free(state);
    return true;
}

typedef struct comparison {
    cst_scale_row row[THREADS]; /* with 1 thread, with 2 */
    double load, others;        /* load average before; processors that others used, in the mean */
    uint64_t checksum[THREADS];
} comparison;

static bool step(const cst_scale *about, cst_scale_world *it, bool measured, cst_scale_row *row)
{
    cst_step_report report;
    if (cst_world_step(it->world, &report) > CST_TOLERANCE_MISSED)
        return cst_validation_fault(&about->base, "at %g s: %s", report.time, report.message);
    if (!measured)
        return !cst_interrupted();
    row->steps++;
    row->contacts = fmin(row->contacts, report.contacts); /* a mat that sags loses some */
    row->iterations = report.iterations;
    row->islands = report.islands;
    row->error = fmax(row->error, report.residual.error);
    row->seconds = fmin(row->seconds, report.seconds_total);
    row->least = row->seconds;
    for (int k = 0; k < CST_SCALE_PHASES; k++)
        row->phase[k] = fmin(row->phase[k], ((const double *)&report.seconds)[k]);
    return !cst_interrupted();
}

static bool run(cst_scale *about, cst_scale_world *it, int fibers, comparison *out)
{
    const int steps = about->base.quick ? 3 : 9;
    bool good = true;
    for (int t = 0; good && t < THREADS; t++) {
        cst_world_def def = cst_scale_def();
        cst_scale_mat mat = {.fibers = fibers};
        def.friction.threads = t + 1;
        good = cst_scale_world_begin(about, it + t, def) && cst_scale_add_mat(about, it + t, &mat);
        out->row[t] = (cst_scale_row){
            .section = "threads", .fibers = mat.fibers, .threads = t + 1, .seconds = HUGE_VAL, .contacts = HUGE_VAL};
        snprintf(out->row[t].scene, sizeof out->row[t].scene, "mat of %d, %d thread%s", mat.fibers, t + 1, t ? "s" : "");
        for (int k = 0; k < CST_SCALE_PHASES; k++)
            out->row[t].phase[k] = HUGE_VAL;
    }
    out->load = load_average();
    const double busy = busy_seconds(), own = cst_cpu_seconds(), began = cst_clock_seconds();
    for (int i = -COLD; good && i < steps; i++)
        for (int t = 0; good && t < THREADS; t++)
            good = step(about, it + t, i >= 0, out->row + t);
    out->others = (busy_seconds() - busy - (cst_cpu_seconds() - own)) / (cst_clock_seconds() - began);
    for (int t = 0; good && t < THREADS; t++) {
        out->row[t].bytes = (double)atomic_load(&it[t].held);
        good = state_checksum(about, it + t, out->checksum + t);
        cst_scale_keep(about, out->row + t);
    }
    return good;
}

static double serial_share(double one, double several)
{
    return fmin(1.0, fmax(0.0, (THREADS * several / one - 1.0) / (THREADS - 1.0)));
}

static void show(const comparison *of)
{
    static const char *const headings[] = {"share of the step", "1 thread", "2 threads", "speed-up", "serial share", NULL};
    cst_table *table = cst_table_new();
    cst_table_column(table, "phase", CST_ALIGN_LEFT);
    for (int i = 0; headings[i]; i++)
        cst_table_column(table, headings[i], CST_ALIGN_RIGHT);
    for (int k = 0; k <= CST_SCALE_PHASES; k++) {
        const bool all = k == CST_SCALE_PHASES;
        const double one = all ? of->row[0].seconds : of->row[0].phase[k], two = all ? of->row[1].seconds : of->row[1].phase[k];
        if (all)
            cst_table_rule(table);
        cst_table_cell(table, "%s", all ? "step" : cst_scale_phase_name[k]);
        cst_table_cell(table, "%.1f%%", 100.0 * one / of->row[0].seconds);
        cst_table_seconds(table, one);
        cst_table_seconds(table, two);
        cst_table_cell(table, "%.2f", one / two);
        cst_table_cell(table, "%.0f%%", 100.0 * serial_share(one, two));
    }
    cst_validation_print(table);
}

bool cst_scale_threads(cst_scale *about)
{
    static const double IDLE = 0.1; /* processors that others use */
    cst_scale_world it[THREADS] = {0};
    comparison all = {0};
    const bool good = run(about, it, about->base.quick ? 60 : 3000, &all);
    for (int t = 0; t < THREADS; t++)
        cst_scale_world_end(it + t);
    if (!good)
        return false;
    show(&all);
    const double speed_up = all.row[0].seconds / all.row[1].seconds;
    cst_validation_note(&about->base, all.load, "threads: load average before");
    cst_validation_note(&about->base, all.others, "threads: processors taken by others meanwhile");
    if (about->base.quick)
        cst_validation_note(&about->base, all.row[0].contacts, "threads: contacts, fewest");
    else
        cst_validation_between(&about->base, all.row[0].contacts, 5000.0, HUGE_VAL, "threads: contacts, fewest");
    cst_validation_at_most(&about->base, all.checksum[0] == all.checksum[1] ? 0.0 : 1.0, 0.0, "threads: states that differ");
    cst_validation_note(&about->base, serial_share(all.row[0].seconds, all.row[1].seconds), "threads: Amdahl's serial share");
    if (about->base.quick)
        cst_validation_note(&about->base, speed_up, "threads: speed-up with two");
    else if (all.others < IDLE)
        cst_validation_between(&about->base, speed_up, 1.6, HUGE_VAL, "threads: speed-up with two");
    else
        cst_validation_note(&about->base, speed_up, "threads: speed-up with two, not judged: the machine had other work");
    return true;
}
