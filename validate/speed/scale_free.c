/* capstan-bench scale, section free: hair without contact. The number of hairs on one head grows; nothing touches, and a step should
 * cost each hair the same. Time of a step, nanoseconds per hair and phase, memory, and their exponents over the number.
 *
 * The hair is the same for all numbers: as thin as the largest number needs. A second, shorter series has hairs that are as thick as their
 * number allows. How finely detection cuts a hair goes by its radius (20 to 35 segments), so that there the work of a hair is not the same. */
#include <math.h>
#include <stdio.h>

#include "speed/scale_worlds.h"

enum { SIZES = 5, COLD = 4, WARM = 16 }; /* steps; the first few make new lists of pairs more often */

/* All sizes are measured ROUNDS times, one size after the other in each round, and the least time of each size counts. Other work on
 * the machine slows memory down by up to 40 % for seconds at a time, as long as the steps of one size take: of single rounds on one
 * build, the exponent was 0.98, 1.01, 1.07 and 1.09. */
enum { ROUNDS = 4 };

/* Hairs of a series, and how many its thinnest are made for; 0: each as thick as its number allows. */
typedef struct series {
    const char *name;
    int hairs[SIZES], quick[SIZES];
    int dense, quick_dense;
} series;

static const series same_hair = {"same hair", {1000, 3000, 10000, 30000, 100000}, {50, 150}, 100000, 150};
static const series thinning_hair = {"thinning hair", {1000, 3000, 10000}, {50, 150}, 0, 0};

typedef struct sizes {
    const series *of;
    int count;
    double fibers[SIZES], seconds[SIZES], bytes[SIZES], peak[SIZES];
    const cst_scale_row *row[SIZES];
} sizes;

static bool measure(cst_scale *about, const series *of, int hairs, cst_scale_row *least)
{
    cst_scale_world it;
    cst_scale_row row = {.section = "free", .fibers = hairs, .mean = true};
    const int dense = about->base.quick ? of->quick_dense : of->dense;
    snprintf(row.scene, sizeof row.scene, "%s, %d", of->name, hairs);
    const bool good = cst_scale_world_begin(about, &it, cst_scale_def()) &&
                      cst_scale_add_hair(about, &it, hairs, dense > 0 ? dense : hairs) &&
                      cst_scale_measure(about, &it, COLD, WARM, &row);
    cst_scale_world_end(&it);
    if (good && (least->fibers == 0 || row.seconds < least->seconds))
        *least = row;
    return good;
}

static void take(cst_scale *about, const cst_scale_row *row, sizes *to)
{
    const int at = to->count++;
    to->fibers[at] = row->fibers;
    to->seconds[at] = row->seconds;
    to->bytes[at] = row->bytes;
    to->peak[at] = row->peak_rss;
    to->row[at] = cst_scale_keep(about, row);
}

static void show(const sizes *all)
{
    const char *const headings[] = {all->of->name, "step", "per hair", "held", "per hair", "peak of process", "contacts", NULL};
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
                           "5 super-helix elements each; one thread, processor time, mean of warm steps, least of 4 rounds",
                           "hairs", "s per step", all->fibers, all->count, time, 1, "∝ hairs") &&
           cst_scale_chart(about, "scale_free_phases", "Hair without contact: where the time goes",
                           "phases that take more than 1 % of a step; level lines scale", "hairs", "ns per hair", all->fibers,
                           all->count, line, lines, NULL) &&
           cst_scale_chart(about, "scale_free_memory", "Hair without contact: memory", NULL, "hairs", "bytes", all->fibers,
                           all->count, memory, 2, "∝ hairs");
}

static void judge(cst_scale *about, const sizes *all)
{
    double contacts = 0.0;
    char figure[96];
    for (int i = 0; i < all->count; i++)
        contacts = fmax(contacts, all->row[i]->contacts);
    snprintf(figure, sizeof figure, "free, %s: contacts, most", all->of->name);
    cst_validation_at_most(&about->base, contacts, 0.0, "%s", figure);
    snprintf(figure, sizeof figure, "free, %s: exponent of time over hairs", all->of->name);
    const double time = cst_scale_exponent(all->fibers, all->seconds, all->count);
    const double memory = cst_scale_exponent(all->fibers, all->bytes, all->count);
    if (all->of != &same_hair) { /* not the same work for each hair */
        cst_validation_note(&about->base, time, "%s", figure);
        return;
    }
    cst_scale_bound(about, time, 1.05, figure);
    snprintf(figure, sizeof figure, "free, %s: exponent of memory held over hairs", all->of->name);
    cst_scale_bound(about, memory, 1.05, figure);
    if (all->count > 0 && all->fibers[all->count - 1] >= 100000)
        cst_scale_bound(about, all->peak[all->count - 1] / 1073741824.0, 6.0, "free: GiB at the peak, 100000 hairs");
}

static bool measure_series(cst_scale *about, const series *of, sizes *all)
{
    cst_scale_row least[SIZES] = {0};
    bool good = true;
    *all = (sizes){.of = of};
    for (int round = 0; round < (about->base.quick ? 1 : ROUNDS); round++)
        for (int i = 0; i < SIZES && good; i++) {
            const int hairs = about->base.quick ? of->quick[i] : of->hairs[i];
            if (hairs >= about->least && hairs > 0 && hairs <= about->most)
                good = measure(about, of, hairs, least + i);
        }
    if (!good)
        return false;
    for (int i = 0; i < SIZES; i++)
        if (least[i].fibers > 0)
            take(about, least + i, all);
    show(all);
    show_phases(all);
    judge(about, all);
    return true;
}

bool cst_scale_free(cst_scale *about)
{
    sizes all, thinning;
    return measure_series(about, &same_hair, &all) && measure_series(about, &thinning_hair, &thinning) && draw(about, &all);
}
