#include "cli/run_charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *title, *subtitle, *label;
    bool logarithmic, whole;
} frame_of[CST_RUN_CHARTS] = {
    [CST_RUN_ENERGIES] = {"Energies", "gravity relative to the first step", "energy (J)", false, false},
    [CST_RUN_WORKS] = {"Works since the start", "positive: given to the bodies", "work (J)", false, false},
    [CST_RUN_UNEXPLAINED] = {"Energy that the works do not account for", NULL, "energy (J)", false, false},
    [CST_RUN_CONTACTS] = {"Contacts", NULL, "contacts", false, true},
    [CST_RUN_RESIDUAL] = {"How far the Coulomb law is from being met", "steps with contacts", "E", true, false},
    [CST_RUN_ITERATIONS] = {"Iterations", NULL, "per step", false, true},
    [CST_RUN_DT] = {"Time step", NULL, "dt (s)", false, false},
    [CST_RUN_PENETRATION] = {"Penetration and drift of constraints", NULL, "length (m)", false, false},
};

/* An energy with an arbitrary zero (gravity energy, total energy) is plotted as the difference from its value at the first
 * step. */
static const struct {
    cst_run_chart chart;
    const char *column, *name;
    cst_line line;
    int colour;
    /* `unless_flat`: if true, the curve is not drawn if all its values equal the number `flat` */
    bool step, thick, relative, unless_flat;
    double flat;
} series_of[] = {
    {CST_RUN_ENERGIES, "energy_kinetic", "kinetic", CST_LINE_SOLID, 1, false, false, false, false, 0},
    {CST_RUN_ENERGIES, "energy_elastic", "elastic", CST_LINE_SOLID, 2, false, false, false, false, 0},
    {CST_RUN_ENERGIES, "energy_gravity", "gravity", CST_LINE_SOLID, 3, false, false, true, false, 0},
    {CST_RUN_ENERGIES, "total", "total", CST_LINE_SOLID, 10, false, true, true, false, 0},
    {CST_RUN_WORKS, "work_loads", "loads", CST_LINE_SOLID, 1, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_constraints", "constraints", CST_LINE_SOLID, 5, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_normal", "normal impulses", CST_LINE_SOLID, 3, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_friction", "friction", CST_LINE_SOLID, 2, false, true, false, true, 0},
    {CST_RUN_WORKS, "work_viscosity", "viscosity", CST_LINE_DASHED, 4, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_drag", "drag", CST_LINE_DASHED, 6, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_scheme", "time stepping", CST_LINE_DOTTED, 8, false, false, false, true, 0},
    {CST_RUN_WORKS, "work_forgotten", "forgotten", CST_LINE_DOTTED, 9, false, false, false, true, 0},
    {CST_RUN_UNEXPLAINED, "energy_unexplained", "unexplained", CST_LINE_SOLID, 10, false, false, false, false, 0},
    {CST_RUN_CONTACTS, "contacts", "all", CST_LINE_SOLID, 10, true, false, false, false, 0},
    {CST_RUN_CONTACTS, "sticking", "sticking", CST_LINE_SOLID, 1, true, false, false, false, 0},
    {CST_RUN_CONTACTS, "sliding", "sliding", CST_LINE_SOLID, 2, true, false, false, false, 0},
    {CST_RUN_RESIDUAL, "error", "E", CST_LINE_SOLID, 1, false, false, false, false, 0},
    {CST_RUN_ITERATIONS, "iterations", "friction solver", CST_LINE_SOLID, 1, true, false, false, false, 0},
    {CST_RUN_ITERATIONS, "newton_iterations", "Newton of the step", CST_LINE_SOLID, 2, true, false, false, true, 1},
    {CST_RUN_DT, "dt", "dt", CST_LINE_SOLID, 1, true, false, false, false, 0},
    {CST_RUN_PENETRATION, "penetration", "penetration", CST_LINE_SOLID, 2, false, false, false, true, 0},
    {CST_RUN_PENETRATION, "constraint_error", "constraints", CST_LINE_SOLID, 1, false, false, false, true, 0},
};

enum { SERIES = sizeof series_of / sizeof series_of[0] };

static bool read_column(cst_cache *cache, const char *name, double *out, double *scratch)
{
    if (strcmp(name, "total") != 0)
        return cst_cache_step_column(cache, name, out);
    static const char *const part[] = {"energy_elastic", "energy_gravity"};
    bool good = cst_cache_step_column(cache, "energy_kinetic", out);
    for (int k = 0; good && k < 2; k++) {
        good = cst_cache_step_column(cache, part[k], scratch);
        for (int64_t i = 0; good && i < cst_cache_about(cache)->steps; i++)
            out[i] += scratch[i];
    }
    return good;
}

static bool flat(const double *value, int64_t count, double at)
{
    for (int64_t i = 0; i < count; i++)
        if (value[i] != at)
            return false;
    return true;
}

static bool add_series(cst_run_charts *charts, int which, const double *time, const double *value, int64_t steps,
                       const cst_run_chart_style *view)
{
    cst_run_chart of = series_of[which].chart;
    if (series_of[which].unless_flat && flat(value, steps, series_of[which].flat))
        return true;
    if (!charts->chart[of])
        charts->chart[of] = cst_chart_new(&(cst_chart_definition){
            .title = frame_of[of].title,
            .subtitle = frame_of[of].subtitle,
            .x = {.label = "time (s)", .tight = true, .low = view->from, .high = view->to},
            .y = {.label = frame_of[of].label, .logarithmic = frame_of[of].logarithmic, .whole = frame_of[of].whole},
            .width = view->width,
            .height = view->height});
    int series = cst_chart_series(charts->chart[of], &(cst_series_style){.name = series_of[which].name,
                                                                         .line = series_of[which].line,
                                                                         .step = series_of[which].step,
                                                                         .thick = series_of[which].thick,
                                                                         .colour = series_of[which].colour});
    double offset = series_of[which].relative ? value[0] : 0;
    for (int64_t i = 0; i < steps; i++)
        cst_chart_point(charts->chart[of], series, time[i], value[i] - offset);
    return series >= 0;
}

bool cst_run_charts_make(cst_run_charts *charts, cst_cache *cache, const cst_run_chart_style *view, char *message,
                         size_t message_size)
{
    *charts = (cst_run_charts){0};
    const cst_cache_info *info = cst_cache_about(cache);
    size_t bytes = (size_t)info->steps * sizeof(double);
    double *time = malloc(bytes), *value = malloc(bytes), *scratch = malloc(bytes);
    bool memory = time && value && scratch;
    bool read = memory && cst_cache_step_column(cache, "time", time);
    for (int i = 0; read && memory && i < SERIES; i++) {
        read = read_column(cache, series_of[i].column, value, scratch);
        memory = !read || add_series(charts, i, time, value, info->steps, view);
    }
    cst_chart *residual = charts->chart[CST_RUN_RESIDUAL];
    if (read && memory) {
        int series = cst_chart_series(residual, &(cst_series_style){.name = "tolerance", .line = CST_LINE_DASHED, .colour = 9});
        cst_chart_point(residual, series, time[0], info->tolerance);
        cst_chart_point(residual, series, time[info->steps - 1], info->tolerance);
    }
    if (!memory)
        snprintf(message, message_size, "out of memory");
    else if (!read)
        snprintf(message, message_size, "%s", cst_cache_message(cache));
    free(time);
    free(value);
    free(scratch);
    return memory && read;
}

void cst_run_charts_free(cst_run_charts *charts)
{
    for (int i = 0; i < CST_RUN_CHARTS; i++)
        cst_chart_free(charts->chart[i]);
}
