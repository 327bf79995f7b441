/* capstan-bench scale, section ties: fibers clamped to one rigid body against the same fibers and body untied. Twice: a comb of fibers
 * that touch nothing, and a mat of fibers that touch each other.
 *
 * Where ties are eliminated the time grows with the cube of the number of fibers. The section measures ever more of them and stops
 * before a step that would take more than a minute or a world of more than 8 GiB, by the growth so far; what it does not reach is
 * missed. */
#include <math.h>
#include <stdio.h>

#include "speed/scale_worlds.h"

enum { SIZES = 5, KINDS = 2 };

static const char *const kind_name[KINDS] = {"comb", "mat"};
static const double STEP_MOST = 60.0, BYTES_MOST = 8.0 * 1073741824.0;

typedef struct pair {
    int fibers;
    bool reached;
    cst_scale_row row[2]; /* untied, tied */
} pair;

static bool measure(cst_scale *about, int kind, int fibers, bool tied, cst_scale_row *row)
{
    cst_scale_world it;
    cst_scale_mat mat = {.loose = true, .fibers = fibers, .side = 0.02 * sqrt((double)fibers), .mass = 2.4e-3 * fibers};
    *row = (cst_scale_row){.section = "ties"};
    bool good = cst_scale_world_begin(about, &it, cst_scale_def()) &&
                (kind == 0 ? cst_scale_add_comb(about, &it, fibers) : cst_scale_add_mat(about, &it, &mat)) &&
                cst_scale_add_holder(about, &it, 0.5 * mat.side, 0.1 * mat.mass, tied) &&
                cst_scale_measure(about, &it, 2, fibers > 500 ? 3 : 5, row);
    cst_scale_world_end(&it);
    row->fibers = mat.fibers;
    snprintf(row->scene, sizeof row->scene, "%s of %d, %s", kind_name[kind], mat.fibers, tied ? "tied" : "untied");
    if (good)
        cst_scale_keep(about, row);
    return good;
}

/* Would the tied world of this size take too long, if it grew as between the two sizes before, or with the cube after the first? */
static bool too_large(const pair *before, int count, int fibers)
{
    if (count == 0)
        return false;
    const cst_scale_row *last = &before[count - 1].row[1], *other = &before[count > 1 ? count - 2 : 0].row[1];
    const double by = log((double)fibers / last->fibers);
    const double grown = log((double)last->fibers / other->fibers);
    const double time = count > 1 ? log(last->seconds / other->seconds) / grown : 3.0;
    const double memory = count > 1 ? log(last->bytes / other->bytes) / grown : 2.0;
    return last->seconds * exp(time * by) > STEP_MOST || last->bytes * exp(memory * by) > BYTES_MOST;
}

static void show(const pair *all, int count)
{
    static const char *const headings[] = {"fibers", "contacts", "tied",       "untied", "tied",          "tied over untied",
                                           "MiB",    "tied",     "iterations", "tied",   "worst E, tied", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < count; i++) {
        const cst_scale_row *untied = &all[i].row[0], *tied = &all[i].row[1];
        cst_table_cell(table, "%d", all[i].fibers);
        if (!all[i].reached) {
            cst_table_cell(table, "not reached");
            cst_table_row_end(table);
            continue;
        }
        cst_table_cell(table, "%.0f", untied->contacts);
        cst_table_cell(table, "%.0f", tied->contacts);
        cst_table_seconds(table, untied->seconds);
        cst_table_seconds(table, tied->seconds);
        cst_table_cell(table, "%.2f", tied->seconds / untied->seconds);
        cst_table_cell(table, "%.1f", untied->bytes / 1048576.0);
        cst_table_cell(table, "%.1f", tied->bytes / 1048576.0);
        cst_table_cell(table, "%.1f", untied->iterations);
        cst_table_cell(table, "%.1f", tied->iterations);
        cst_table_cell(table, "%.1e", tied->error);
    }
    cst_validation_print(table);
}

static bool draw(const cst_scale *about, int kind, const pair *all, int count)
{
    double fibers[SIZES], seconds[2][SIZES];
    int reached = 0;
    for (int i = 0; i < count; i++) {
        if (!all[i].reached)
            continue;
        fibers[reached] = all[i].fibers;
        for (int tied = 0; tied < 2; tied++)
            seconds[tied][reached] = all[i].row[tied].seconds;
        reached++;
    }
    char file[64], title[96];
    const cst_scale_series series[2] = {{"untied", seconds[0]}, {"tied", seconds[1]}};
    snprintf(file, sizeof file, "scale_ties_%s", kind_name[kind]);
    snprintf(title, sizeof title, "A %s of fibers clamped to one rigid body, and untied", kind_name[kind]);
    return cst_scale_chart(about, file, title, "one thread, processor time, median of warm steps", "fibers", "s per step", fibers,
                           reached, series, 2, "∝ fibers");
}

static void judge(cst_scale *about, int kind, const pair *at)
{
    char figure[96];
    const double ratio = at->reached ? at->row[1].seconds / at->row[0].seconds : HUGE_VAL;
    snprintf(figure, sizeof figure, "ties: %s of %d fibers, tied over untied", kind_name[kind], at->fibers);
    cst_scale_bound(about, ratio, 1.5, figure);
    if (at->reached)
        cst_validation_at_most(&about->base, at->row[1].error, 1e-6, "ties: %s of %d fibers, worst E tied", kind_name[kind],
                               at->fibers);
}

bool cst_scale_ties(cst_scale *about)
{
    static const int full[SIZES] = {60, 100, 225, 700, 2000}, quick[SIZES] = {4, 9, 0, 0, 0};
    bool good = true;
    for (int kind = 0; good && kind < KINDS; kind++) {
        pair all[SIZES];
        int count = 0;
        bool stopped = false;
        for (int i = 0; i < SIZES && good; i++) {
            const int fibers = about->base.quick ? quick[i] : full[i];
            if (fibers == 0 || fibers > about->most || fibers < about->least)
                continue;
            pair *at = all + count;
            stopped = stopped || too_large(all, count, fibers);
            *at = (pair){.fibers = fibers, .reached = !stopped};
            good = stopped || (measure(about, kind, fibers, false, at->row) && measure(about, kind, fibers, true, at->row + 1));
            count++;
        }
        if (!good)
            return false;
        show(all, count);
        for (int i = 0; i < count; i++)
            if (about->base.quick || all[i].fibers == 225 || all[i].fibers == 2000)
                judge(about, kind, all + i);
        good = draw(about, kind, all, count);
    }
    return good;
}
