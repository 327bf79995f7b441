/* What is the same in all sections of capstan-bench scale: counted memory, measured steps, fitted exponents, charts. */
#define _DEFAULT_SOURCE /* madvise, in base/page_advice.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/page_advice.h"
#include "cli/chart_files.h"
#include "cli/progress.h"
#include "harness/cpu_clock.h"
#include "speed/scale.h"

const char *const cst_scale_phase_name[CST_SCALE_PHASES] = {
    "begin",          "place",          "assemble",       "free motion", "detect",     "track",  "rows",   "friction setup",
    "friction solve", "friction judge", "apply contacts", "detect end",  "end motion", "finish", "energy", "other"};

/* ---------------------------------------------------------------------------------------------------------------- memory */

/* As the library's own allocator does it (base/arena.c): the pages of large blocks matter to what is measured. */
static const size_t LARGE_BYTES = (size_t)1 << 23;

static void *acquire(void *user, size_t bytes)
{
    cst_scale_world *of = user;
    void *memory = bytes < LARGE_BYTES ? malloc(bytes) : cst_large_block(bytes);
    if (memory)
        atomic_fetch_add(&of->held, bytes);
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    cst_scale_world *of = user;
    atomic_fetch_sub(&of->held, bytes);
    free(memory);
}

/* Linux: what the process has had in memory at most; NaN elsewhere. */
static double peak_rss(void)
{
    char line[128];
    double kilobytes = NAN;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtod(line + 6, NULL);
    if (status)
        fclose(status);
    return 1024.0 * kilobytes;
}

static void forget_peak(void)
{
    FILE *refs = fopen("/proc/self/clear_refs", "w");
    if (refs) {
        fputs("5", refs);
        fclose(refs);
    }
}

bool cst_scale_world_begin(const cst_scale *about, cst_scale_world *it, cst_world_def def)
{
    char message[512] = "";
    memset(it, 0, sizeof *it);
    forget_peak();
    def.friction.allocator = (cst_allocator){.acquire = acquire, .release = release, .user = it};
    it->world = cst_world_new(&def, message, sizeof message);
    return it->world || cst_validation_fault(&about->base, "%s", message);
}

void cst_scale_world_end(cst_scale_world *it)
{
    cst_world_free(it->world);
    it->world = NULL;
}

/* ----------------------------------------------------------------------------------------------------------------- steps */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare);
    return count == 0 ? NAN : count % 2 ? value[count / 2] : 0.5 * (value[count / 2 - 1] + value[count / 2]);
}

static double mean_of(const double *value, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += value[i];
    return count == 0 ? NAN : sum / count;
}

static bool one_step(const cst_scale *about, cst_scale_world *it, cst_step_report *report, double *cpu)
{
    const double began = cst_cpu_seconds();
    const cst_status status = cst_world_step(it->world, report);
    *cpu = cst_cpu_seconds() - began;
    if (cst_interrupted())
        return false;
    return status <= CST_TOLERANCE_MISSED || cst_validation_fault(&about->base, "at %g s: %s", report->time, report->message);
}

/* Wall clock of phases that other work on the machine has made longer than the step took: scaled to it. */
static void scale_phases(cst_scale_row *row)
{
    double sum = 0.0;
    for (int k = 0; k < CST_SCALE_PHASES; k++)
        sum += row->phase[k];
    for (int k = 0; k < CST_SCALE_PHASES && sum > row->seconds; k++)
        row->phase[k] *= row->seconds / sum;
}

bool cst_scale_measure(const cst_scale *about, cst_scale_world *it, int cold, int warm, cst_scale_row *row)
{
    double seconds[CST_SCALE_STEPS_MAX];
    const cst_world_def *def = cst_world_definition(it->world);
    row->threads = def->friction.threads;
    row->steps = warm < CST_SCALE_STEPS_MAX ? warm : CST_SCALE_STEPS_MAX;
    row->least = HUGE_VAL;
    for (int k = 0; k < CST_SCALE_PHASES; k++)
        row->phase[k] = row->mean ? 0.0 : HUGE_VAL;
    for (int i = -cold; i < row->steps; i++) {
        cst_step_report report;
        double cpu;
        if (!one_step(about, it, &report, &cpu))
            return false;
        if (i < 0)
            continue;
        seconds[i] = row->threads > 1 ? report.seconds_total : cpu;
        row->least = fmin(row->least, seconds[i]);
        for (int k = 0; k < CST_SCALE_PHASES; k++) {
            const double phase = ((const double *)&report.seconds)[k];
            row->phase[k] = row->mean ? row->phase[k] + phase / row->steps : fmin(row->phase[k], phase);
        }
        row->contacts += (double)report.contacts / row->steps;
        row->iterations += (double)report.iterations / row->steps;
        row->islands = report.islands;
        row->error = fmax(row->error, report.residual.error);
        row->missed += !(report.residual.error <= def->friction.tolerance);
    }
    row->seconds = row->mean ? mean_of(seconds, row->steps) : median(seconds, row->steps);
    scale_phases(row);
    row->bytes = (double)atomic_load(&it->held);
    row->peak_rss = peak_rss();
    return true;
}

const cst_scale_row *cst_scale_keep(cst_scale *about, const cst_scale_row *row)
{
    const int at = about->rows < CST_SCALE_ROWS_MAX ? about->rows++ : CST_SCALE_ROWS_MAX - 1;
    about->row[at] = *row;
    return about->row + at;
}

double cst_scale_detection(const cst_scale_row *row)
{
    const cst_step_seconds *seconds = (const cst_step_seconds *)row->phase;
    return seconds->detect + seconds->track + seconds->detect_end;
}

double cst_scale_exponent(const double *x, const double *y, int count)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        if (!(x[i] > 0) || !(y[i] > 0))
            continue;
        const double a = log(x[i]), b = log(y[i]);
        n++;
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return n < 2 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void cst_scale_bound(cst_scale *about, double value, double bound, const char *figure)
{
    if (about->base.quick)
        cst_validation_note(&about->base, value, "%s", figure);
    else
        cst_validation_at_most(&about->base, value, bound, "%s", figure);
}

/* Colours come round again after so many series; the marker is then another one. */
static cst_marker marker_of(int series)
{
    return (cst_marker)(1 + (series + series / CST_CHART_COLOURS) % CST_MARKER_CROSS);
}

bool cst_scale_chart(const cst_scale *about, const char *file, const char *title, const char *subtitle, const char *x_label,
                     const char *y_label, const double *x, int count, const cst_scale_series *series, int all_series,
                     const char *proportional)
{
    if (!about->base.out)
        return true;
    cst_chart *chart = cst_chart_new(&(cst_chart_definition){.title = title,
                                                             .subtitle = subtitle,
                                                             .x = {.label = x_label, .logarithmic = true},
                                                             .y = {.label = y_label, .logarithmic = true}});
    for (int s = 0; s < all_series; s++) {
        const int line =
            cst_chart_series(chart, &(cst_series_style){.name = series[s].name, .line = CST_LINE_SOLID, .marker = marker_of(s)});
        for (int i = 0; i < count; i++)
            cst_chart_point(chart, line, x[i], series[s].y[i]);
    }
    if (proportional && count > 0) {
        const int line = cst_chart_series(chart, &(cst_series_style){.name = proportional, .line = CST_LINE_DASHED, .colour = 9});
        cst_chart_point(chart, line, x[0], series[0].y[count - 1] * x[0] / x[count - 1]);
        cst_chart_point(chart, line, x[count - 1], series[0].y[count - 1]);
    }
    const bool written = cst_chart_files_write(chart, about->base.out, file);
    cst_chart_free(chart);
    return written;
}
