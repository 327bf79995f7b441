/* capstan-bench scale, section free: hair without contact. The number of hairs on one head grows; nothing touches, and a step should
 * cost each hair the same. Time of a step, nanoseconds per hair and phase, memory, and their exponents over the number. */
#include <math.h>
#include <stdio.h>

#include "speed/scale_worlds.h"

enum { SIZES = 5 };

typedef struct sizes {
    int count;
    double fibers[SIZES], seconds[SIZES], bytes[SIZES], peak[SIZES];
    const cst_scale_row *row[SIZES];
} sizes;

static bool measure(cst_scale *about, int hairs, sizes *to)
{
    cst_scale_world it;
    cst_scale_row row = {.section = "free", .fibers = hairs};
    const int warm = hairs >= 30000 ? 3 : 5;
    snprintf(row.scene, sizeof row.scene, "%d hairs", hairs);
    const bool good = cst_scale_world_begin(about, &it, cst_scale_def()) && cst_scale_add_hair(about, &it, hairs) &&
                      cst_scale_measure(about, &it, 2, warm, &row);
    cst_scale_world_end(&it);
    if (!good)
        return false;
    const int at = to->count++;
    to->fibers[at] = hairs;
    to->seconds[at] = row.seconds;
    to->bytes[at] = row.bytes;
    to->peak[at] = row.peak_rss;
    to->row[at] = cst_scale_keep(about, &row);
    return true;
}

static void show(const sizes *all)
{
    static const char *const headings[] = {"hairs", "step", "per hair", "held", "per hair", "peak of process", "contacts", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < all->count; i++) {
        cst_table_cell(table, "%.0f", all->fibers[i]);
        cst_table_seconds(table, all->seconds[i]);
        cst_table_seconds(table, all->seconds[i] / all->fibers[i]);
        cst_table_cell(table, "%.1f MiB", all->bytes[i] / 1048576.0);
        cst_table_cell(table, "%.0f B", all->bytes[i] / all->fibers[i]);
        cst_table_cell(table, "%.1f MiB", all->peak[i] / 1048576.0);
        cst_table_cell(table, "%.0f", all->row[i]->contacts);
    }
    cst_validation_print(table);
}

/* Nanoseconds per hair, a row for each phase. */
static void show_phases(const sizes *all)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "ns per hair", CST_ALIGN_LEFT);
    for (int i = 0; i < all->count; i++)
        cst_table_column(table, all->row[i]->scene, CST_ALIGN_RIGHT);
    for (int k = 0; k < CST_SCALE_PHASES; k++) {
        cst_table_cell(table, "%s", cst_scale_phase_name[k]);
        for (int i = 0; i < all->count; i++)
            cst_table_cell(table, "%.0f", 1e9 * all->row[i]->phase[k] / all->fibers[i]);
    }
    cst_validation_print(table);
}

static bool draw(const cst_scale *about, const sizes *all)
{
    double phase[CST_SCALE_PHASES][SIZES], held[SIZES], peak[SIZES];
    cst_scale_series line[CST_SCALE_PHASES], memory[2] = {{"held by the world", held}, {"peak of the process", peak}};
    int lines = 0;
    for (int i = 0; i < all->count; i++) {
        held[i] = all->bytes[i];
        peak[i] = all->peak[i];
    }
    for (int k = 0; k < CST_SCALE_PHASES; k++) {
        double largest = 0.0;
        for (int i = 0; i < all->count; i++) {
            phase[k][i] = 1e9 * all->row[i]->phase[k] / all->fibers[i];
            largest = fmax(largest, all->row[i]->phase[k] / all->seconds[i]);
        }
        if (largest > 0.01) /* the others would only crowd the chart; they are in the table */
            line[lines++] = (cst_scale_series){cst_scale_phase_name[k], phase[k]};
    }
    const cst_scale_series time[1] = {{"one step", all->seconds}};
    return cst_scale_chart(about, "scale_free_time", "Hair without contact: time of a step",
                           "5 super-helix elements each; one thread, processor time, median of warm steps", "hairs", "s per step",
                           all->fibers, all->count, time, 1, "∝ hairs") &&
           cst_scale_chart(about, "scale_free_phases", "Hair without contact: where the time goes",
                           "phases that take more than 1 % of a step; level lines scale", "hairs", "ns per hair", all->fibers,
                           all->count, line, lines, NULL) &&
           cst_scale_chart(about, "scale_free_memory", "Hair without contact: memory", NULL, "hairs", "bytes", all->fibers,
                           all->count, memory, 2, "∝ hairs");
}

static void judge(cst_scale *about, const sizes *all)
{
    double contacts = 0.0;
    for (int i = 0; i < all->count; i++)
        contacts = fmax(contacts, all->row[i]->contacts);
    cst_validation_at_most(&about->base, contacts, 0.0, "free: contacts, most");
    cst_scale_bound(about, cst_scale_exponent(all->fibers, all->seconds, all->count), 1.05, "free: exponent of time over hairs");
    cst_scale_bound(about, cst_scale_exponent(all->fibers, all->bytes, all->count), 1.05, "free: exponent of memory held over hairs");
    if (all->count > 0 && all->fibers[all->count - 1] >= 100000)
        cst_scale_bound(about, all->peak[all->count - 1] / 1073741824.0, 6.0, "free: GiB at the peak, 100000 hairs");
}

bool cst_scale_free(cst_scale *about)
{
    static const int full[SIZES] = {1000, 3000, 10000, 30000, 100000}, quick[SIZES] = {50, 150, 0, 0, 0};
    sizes all = {0};
    bool good = true;
    for (int i = 0; i < SIZES && good; i++) {
        const int hairs = about->base.quick ? quick[i] : full[i];
        if (hairs > 0 && hairs <= about->most)
            good = measure(about, hairs, &all);
    }
    if (!good)
        return false;
    show(&all);
    show_phases(&all);
    judge(about, &all);
    return draw(about, &all);
}
