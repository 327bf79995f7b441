/* capstan-bench scale, section contact: fibers in contact, as densely at any number. A mat of hair in two layers grows in area; each
 * fiber keeps its number of contacts, and a step should cost each contact the same. */
#include <math.h>
#include <stdio.h>

#include "speed/scale_worlds.h"

/* The bounds of time are judged from CROWD_FIRST to CROWD_LAST (500 to 20,000 fibers) and over all sizes. */
enum { SIZES = 7, CROWD_FIRST = 1, CROWD_LAST = 5, COLD = 3, WARM = 5 };

typedef struct sizes {
    int count;
    double contacts[SIZES], seconds[SIZES], iterations[SIZES], mebibytes[SIZES];
    const cst_scale_row *row[SIZES];
} sizes;

/* As in scale_free.c: all sizes are measured ROUNDS times, one size after the other in each round, and the least time of each size
 * counts, because other work on the machine slows memory down for seconds at a time. */
enum { ROUNDS = 4 };

static bool measure(cst_scale *about, int fibers, cst_scale_row *least)
{
    cst_scale_world it;
    cst_scale_mat mat = {.fibers = fibers};
    cst_scale_row row = {.section = "contact"};
    const bool good = cst_scale_world_begin(about, &it, cst_scale_def()) && cst_scale_add_mat(about, &it, &mat) &&
                      cst_scale_measure(about, &it, COLD, WARM, &row);
    cst_scale_world_end(&it);
    row.fibers = mat.fibers;
    snprintf(row.scene, sizeof row.scene, "mat of %d", mat.fibers);
    if (good && (least->fibers == 0 || row.seconds < least->seconds))
        *least = row;
    return good;
}

static void take(cst_scale *about, const cst_scale_row *row, sizes *to)
{
    const int at = to->count++;
    to->contacts[at] = row->contacts;
    to->seconds[at] = row->seconds;
    to->iterations[at] = row->iterations;
    to->mebibytes[at] = row->bytes / 1048576.0;
    to->row[at] = cst_scale_keep(about, row);
}

static void show(const sizes *all)
{
    static const char *const headings[] = {"fibers",      "contacts",  "per fiber", "islands", "iterations", "step",
                                           "per contact", "detection", "held",      "worst E", NULL};
    cst_table *table = cst_validation_table(headings);
    for (int i = 0; i < all->count; i++) {
        const cst_scale_row *row = all->row[i];
        cst_table_cell(table, "%d", row->fibers);
        cst_table_cell(table, "%.0f", row->contacts);
        cst_table_cell(table, "%.2f", row->contacts / row->fibers);
        cst_table_cell(table, "%d", row->islands);
        cst_table_cell(table, "%.1f", row->iterations);
        cst_table_seconds(table, row->seconds);
        cst_table_seconds(table, row->seconds / row->contacts);
        cst_table_cell(table, "%.1f%%", 100.0 * cst_scale_detection(row) / row->seconds);
        cst_table_cell(table, "%.1f MiB", row->bytes / 1048576.0);
        cst_table_cell(table, "%.1e", row->error);
    }
    cst_validation_print(table);
}

/* Microseconds per contact, a row for each phase. */
static void show_phases(const sizes *all)
{
    cst_table *table = cst_table_new();
    cst_table_column(table, "us per contact", CST_ALIGN_LEFT);
    for (int i = 0; i < all->count; i++)
        cst_table_column(table, all->row[i]->scene, CST_ALIGN_RIGHT);
    for (int k = 0; k < CST_SCALE_PHASES; k++) {
        cst_table_cell(table, "%s", cst_scale_phase_name[k]);
        for (int i = 0; i < all->count; i++)
            cst_table_cell(table, "%.3f", 1e6 * all->row[i]->phase[k] / all->contacts[i]);
    }
    cst_validation_print(table);
}

static bool draw(const cst_scale *about, const sizes *all)
{
    double phase[CST_SCALE_PHASES][SIZES];
    cst_scale_series line[CST_SCALE_PHASES];
    int lines = 0;
    for (int k = 0; k < CST_SCALE_PHASES; k++) {
        double largest = 0.0;
        for (int i = 0; i < all->count; i++) {
            phase[k][i] = 1e6 * all->row[i]->phase[k] / all->contacts[i];
            largest = fmax(largest, all->row[i]->phase[k] / all->seconds[i]);
        }
        if (largest > 0.01) /* the others would only crowd the chart; they are in the table */
            line[lines++] = (cst_scale_series){cst_scale_phase_name[k], phase[k]};
    }
    const cst_scale_series time[1] = {{"one step", all->seconds}}, iterations[1] = {{"iterations", all->iterations}},
                           memory[1] = {{"memory", all->mebibytes}};
    return cst_scale_chart(about, "scale_contact_time", "Fibers in contact, equally dense: time of a step",
                           "a mat of two layers that cross and sag; one thread, least of 4 rounds, E <= 1e-6", "contacts",
                           "s per step", all->contacts, all->count, time, 1, "∝ contacts") &&
           cst_scale_chart(about, "scale_contact_memory", "Fibers in contact, equally dense: memory of the world", NULL,
                           "contacts", "MiB", all->contacts, all->count, memory, 1, "∝ contacts") &&
           cst_scale_chart(about, "scale_contact_phases", "Fibers in contact, equally dense: where the time goes",
                           "phases that take more than 1 % of a step; level lines scale", "contacts", "us per contact",
                           all->contacts, all->count, line, lines, NULL) &&
           cst_scale_chart(about, "scale_contact_iterations",
                           "Fibers in contact, equally dense: iterations of friction in a step", NULL, "contacts", "iterations",
                           all->contacts, all->count, iterations, 1, NULL);
}

static void judge(cst_scale *about, const sizes *all)
{
    double error = 0.0, fewest = HUGE_VAL, most = 0.0;
    for (int i = 0; i < all->count; i++) {
        const double each = all->contacts[i] / all->row[i]->fibers;
        error = fmax(error, all->row[i]->error);
        fewest = fmin(fewest, each);
        most = fmax(most, each);
    }
    cst_validation_at_most(&about->base, error, 1e-6, "contact: worst E");
    if (all->count > CROWD_LAST)
        cst_scale_bound(about,
                        cst_scale_exponent(all->contacts + CROWD_FIRST, all->seconds + CROWD_FIRST, CROWD_LAST - CROWD_FIRST + 1),
                        1.1, "contact: exponent of time over contacts, 500 to 20,000 fibers");
    cst_scale_bound(about, cst_scale_exponent(all->contacts, all->seconds, all->count), 1.1,
                    "contact: exponent of time over contacts, all sizes");
    cst_validation_note(&about->base, cst_scale_exponent(all->contacts, all->mebibytes, all->count),
                        "contact: exponent of memory over contacts, all sizes");
    cst_validation_note(&about->base, most / fewest, "contact: contacts per fiber, most over fewest");
    cst_validation_note(&about->base, cst_scale_exponent(all->contacts, all->iterations, all->count),
                        "contact: exponent of iterations over contacts");
}

bool cst_scale_contact(cst_scale *about)
{
    static const int full[SIZES] = {100, 500, 1250, 3000, 8000, 20000, 100000}, quick[SIZES] = {30, 90};
    sizes all = {0};
    cst_scale_row least[SIZES] = {0};
    bool good = true;
    for (int round = 0; round < (about->base.quick ? 1 : ROUNDS); round++)
        for (int i = 0; i < SIZES && good; i++) {
            const int fibers = about->base.quick ? quick[i] : full[i];
            if (fibers >= about->least && fibers > 0 && fibers <= about->most)
                good = measure(about, fibers, least + i);
        }
    if (!good)
        return false;
    for (int i = 0; i < SIZES; i++)
        if (least[i].fibers > 0)
            take(about, least + i, &all);
    show(&all);
    show_phases(&all);
    judge(about, &all);
    return draw(about, &all);
}
