/* capstan-bench scale, section galilean: physics does not know absolute speed, and neither should the cost of a step. Parallel fibers
 * fly together, apart and touching, at four speeds; and a mat of hair in contact is at rest, or turns with what it is
 * clamped to. */
#include <math.h>
#include <stdio.h>

#include "speed/scale_worlds.h"

enum { SPEEDS = 4, BUNDLES = 2 };

static const double speed_of[SPEEDS] = {0.0, 0.5, 2.0, 20.0}; /* m/s */

/* Between centres, of fibers of radius 1 mm: a radius apart, and touching. */
static const struct {
    const char *name;
    double spacing;
} bundle[BUNDLES] = {{"apart", 3e-3}, {"touching", 2e-3}};

static bool fly(cst_scale *about, int kind, int at, cst_scale_row *row)
{
    cst_scale_world it;
    cst_world_def def = cst_scale_def();
    def.gravity[2] = 0.0;
    const int rows = about->base.quick ? 4 : 10;
    *row = (cst_scale_row){.section = "galilean", .fibers = rows * rows};
    snprintf(row->scene, sizeof row->scene, "%s at %g m/s", bundle[kind].name, speed_of[at]);
    const bool good = cst_scale_world_begin(about, &it, def) &&
                      cst_scale_add_bundle(about, &it, rows, bundle[kind].spacing, speed_of[at]) &&
                      cst_scale_measure(about, &it, 3, about->base.quick ? 5 : 15, row);
    cst_scale_world_end(&it);
    if (good)
        cst_scale_keep(about, row);
    return good;
}

static bool flights(cst_scale *about, int kind)
{
    static const char *const headings[] = {"bundle", "contacts", "step", "iterations", "worst E", NULL};
    cst_scale_row row[SPEEDS];
    double fewest = HUGE_VAL, most = 0.0, fastest = HUGE_VAL, slowest = 0.0;
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int i = 0; good && i < SPEEDS; i++) {
        good = fly(about, kind, i, row + i);
        if (!good)
            break;
        fewest = fmin(fewest, row[i].contacts);
        most = fmax(most, row[i].contacts);
        fastest = fmin(fastest, row[i].seconds);
        slowest = fmax(slowest, row[i].seconds);
        cst_table_cell(table, "%s", row[i].scene);
        cst_table_cell(table, "%.1f", row[i].contacts);
        cst_table_seconds(table, row[i].seconds);
        cst_table_cell(table, "%.1f", row[i].iterations);
        cst_table_cell(table, "%.1e", row[i].error);
    }
    cst_validation_print(table);
    if (!good)
        return false;
    char figure[96];
    snprintf(figure, sizeof figure, "galilean: %s, time at the slowest speed over the fastest", bundle[kind].name);
    cst_validation_at_most(&about->base, most - fewest, 0.0, "galilean: %s, contacts, most minus fewest", bundle[kind].name);
    cst_scale_bound(about, slowest / fastest, 1.2, figure);
    return true;
}

/* A mat of hair, clamped to something that turns. */
static bool turn(cst_scale *about, double turning, cst_scale_row *row)
{
    cst_scale_world it;
    cst_scale_mat mat = {.turning = turning, .fibers = about->base.quick ? 30 : 500};
    *row = (cst_scale_row){.section = "galilean"};
    const bool good = cst_scale_world_begin(about, &it, cst_scale_def()) && cst_scale_add_mat(about, &it, &mat) &&
                      cst_scale_measure(about, &it, 3, about->base.quick ? 3 : 11, row);
    row->fibers = mat.fibers;
    snprintf(row->scene, sizeof row->scene, "hair turning at %g rad/s", turning);
    cst_scale_world_end(&it);
    if (good)
        cst_scale_keep(about, row);
    return good;
}

static bool heads(cst_scale *about)
{
    enum { HEADS = 2 };
    static const double turning[HEADS] = {0.0, 2.0};
    static const char *const headings[] = {"hair", "contacts", "step", "per contact", "iterations", "worst E", NULL};
    cst_scale_row row[HEADS];
    double each[HEADS];
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int i = 0; good && i < HEADS; i++) {
        good = turn(about, turning[i], row + i);
        if (!good)
            break;
        each[i] = row[i].seconds / row[i].contacts;
        cst_table_cell(table, "%s", row[i].scene);
        cst_table_cell(table, "%.1f", row[i].contacts);
        cst_table_seconds(table, row[i].seconds);
        cst_table_seconds(table, each[i]);
        cst_table_cell(table, "%.1f", row[i].iterations);
        cst_table_cell(table, "%.1e", row[i].error);
    }
    cst_validation_print(table);
    if (good)
        cst_scale_bound(about, each[1] / each[0], 1.2, "galilean: time per contact, hair that turns over hair at rest");
    return good;
}

bool cst_scale_galilean(cst_scale *about)
{
    bool good = true;
    for (int kind = 0; good && kind < BUNDLES; kind++)
        good = flights(about, kind);
    return good && heads(about);
}
