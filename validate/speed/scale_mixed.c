/* capstan-bench scale, section mixed: one body of nodes far from many fibers. Each is an island of its own, so both together should
 * cost the sum of both alone. */
#include <stdio.h>

#include "speed/scale_worlds.h"

enum { CASES = 3 };

static bool measure(cst_scale *about, int fibers, int elements, const char *name, cst_scale_row *row)
{
    cst_scale_world it;
    cst_scale_mat mat = {.fibers = fibers};
    *row = (cst_scale_row){.section = "mixed"};
    snprintf(row->scene, sizeof row->scene, "%s", name);
    const bool good = cst_scale_world_begin(about, &it, cst_scale_def()) &&
                      (fibers == 0 || cst_scale_add_mat(about, &it, &mat)) &&
                      (elements == 0 || cst_scale_add_nodal(about, &it, elements, mat.side + 1.0)) &&
                      cst_scale_measure(about, &it, 3, about->base.quick ? 3 : 11, row);
    row->fibers = cst_world_bodies(it.world);
    cst_scale_world_end(&it);
    if (good)
        cst_scale_keep(about, row);
    return good;
}

bool cst_scale_mixed(cst_scale *about)
{
    static const char *const headings[] = {"world", "bodies", "contacts", "islands", "iterations", "step", "worst E", NULL};
    const int fibers = about->base.quick ? 16 : 500, elements = about->base.quick ? 16 : 200;
    const struct {
        const char *name;
        int fibers, elements;
    } of[CASES] = {{"fibers alone", fibers, 0}, {"rod of nodes alone", 0, elements}, {"both, far apart", fibers, elements}};
    cst_scale_row row[CASES];
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int i = 0; good && i < CASES; i++) {
        good = measure(about, of[i].fibers, of[i].elements, of[i].name, row + i);
        if (!good)
            break;
        cst_table_cell(table, "%s", row[i].scene);
        cst_table_cell(table, "%d", row[i].fibers);
        cst_table_cell(table, "%.1f", row[i].contacts);
        cst_table_cell(table, "%d", row[i].islands);
        cst_table_cell(table, "%.1f", row[i].iterations);
        cst_table_seconds(table, row[i].seconds);
        cst_table_cell(table, "%.1e", row[i].error);
    }
    cst_validation_print(table);
    if (!good)
        return false;
    cst_validation_at_most(&about->base, row[2].error, 1e-6, "mixed: worst E");
    cst_scale_bound(about, row[2].seconds / (row[0].seconds + row[1].seconds), 1.2,
                    "mixed: both together over the sum of both alone");
    return true;
}
