/* A clamped fiber under its own weight, in no direction in particular, against the planar elastica
 *
 *     theta'' = -Gamma (1 - s) cos theta,   theta(0) = 0,  theta'(1) = 0,    Gamma = w L^3 / EI
 *
 * (L = EI = 1). The plane it bends in is neither one of the axes nor one of the section's. Error: distance of the tip over L. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart_files.h"
#include "cli/progress.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "physics/fibers.h"

static const char LINE[] = "cantilever";

static bool solve(cst_fiber_model model, int elements, double gamma, const double *exact, double *tip_down, double *error,
                  char *message, size_t message_size)
{
    const double turn[3] = {0.7, -0.4, 1.1};
    double R[9], down[3], tip[3] = {0};
    cst_rotation_vector_exp(turn, R);
    for (int k = 0; k < 3; k++) /* columns: along, across, across */
        down[k] = 0.6 * R[3 * k + 1] - 0.8 * R[3 * k + 2];
    cst_world_def def = cst_world_def_default(3);
    memcpy(def.gravity, down, sizeof down);
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.model = model;
    fiber.elements = elements;
    fiber.length = fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 1;
    fiber.twisting_stiffness = 2.0 / 3.0;
    fiber.mass_per_length = gamma;
    fiber.radius = 1e-3;
    fiber.clamped = true;
    memcpy(fiber.frame, R, sizeof R);
    cst_world *world = cst_world_new(&def, message, message_size);
    const cst_body_id body = world ? cst_world_add_fiber(world, &fiber, message, message_size) : 0;
    const bool found = body && cst_world_find_equilibrium(world, 1e-10, NULL, message, message_size);
    if (found)
        cst_world_place_space(world, &(cst_place){.body = body, .at_end = true}, tip, NULL, NULL, NULL);
    cst_world_free(world);
    double off[3];
    for (int k = 0; k < 3; k++)
        off[k] = tip[k] - exact[0] * R[3 * k] - exact[1] * down[k];
    *tip_down = cst_dot3(tip, down);
    *error = sqrt(cst_dot3(off, off));
    return found;
}

static bool chart(const cst_theory *about)
{
    cst_chart *errors = cst_chart_new(&(cst_chart_definition){.title = "Clamped fiber under its weight, bent in any direction",
                                                              .subtitle = "distance of the tip from the planar elastica, Γ = 10",
                                                              .x = {.label = "elements n", .logarithmic = true},
                                                              .y = {.label = "tip error / L", .logarithmic = true}});
    for (int m = 0; m < CST_THEORY_MODELS; m++) {
        const int series = cst_chart_series(
            errors, &(cst_series_style){.name = cst_theory_model_name[m], .line = CST_LINE_SOLID, .marker = CST_MARKER_CIRCLE});
        for (int i = 0; i < about->rows; i++)
            if (about->row[i].line == LINE && about->row[i].x == 10 && about->row[i].model == cst_theory_model_name[m])
                cst_chart_point(errors, series, about->row[i].elements, about->row[i].error);
    }
    const bool written = cst_chart_files_write(errors, about->base.out, "fibers_cantilever");
    cst_chart_free(errors);
    return written;
}

static bool run(cst_theory *about, const cst_csv_file *table, int finest)
{
    for (int m = 0; m < CST_THEORY_MODELS; m++)
        for (int i = 0; i < table->rows; i++) {
            const double gamma = cst_csv_number(table, i, "Gamma"), decade = log10(gamma);
            const double exact[2] = {cst_csv_number(table, i, "x_tip_over_L"), cst_csv_number(table, i, "y_tip_over_L_down")};
            if (decade < -1.001 || decade > 2.001 || fabs(decade - round(decade)) > 1e-9 ||
                (about->base.quick && fabs(decade - 1) > 1e-9))
                continue;
            cst_theory_row *before = NULL;
            for (int n = finest / (about->base.quick ? 2 : 8); n <= finest; n *= 2) {
                double down, error;
                char message[256] = "";
                if (cst_interrupted() || !solve(cst_theory_model[m], n, gamma, exact, &down, &error, message, sizeof message))
                    return cst_validation_fault(&about->base, "cantilever, %s, Gamma %g, n %d: %s", cst_theory_model_name[m],
                                                gamma, n, message);
                cst_theory_row *row = cst_theory_add(about, LINE, cst_theory_model_name[m], n, down, exact[1]);
                if (!row)
                    return false;
                snprintf(row->of, sizeof row->of, "Gamma %g: sag", gamma);
                row->x = gamma;
                row->error = error;
                cst_theory_refine(before, row, 2);
                before = row;
            }
        }
    return true;
}

bool cst_theory_cantilever(cst_theory *about)
{
    const int finest = about->base.quick ? 32 : 64;
    cst_csv_file table;
    const bool good = cst_validation_reference(&about->base, &table, "cantilever_k0_0.csv") && run(about, &table, finest);
    cst_csv_file_free(&table);
    for (int m = 0; good && m < CST_THEORY_MODELS; m++) {
        double low, high;
        cst_theory_orders(about, LINE, cst_theory_model_name[m], &low, &high);
        cst_validation_between(&about->base, low, 1.9, 2.2, "cantilever, %s: order at n = %d, lowest", cst_theory_model_name[m],
                               finest);
        cst_validation_between(&about->base, high, 1.9, 2.2, "cantilever, %s: order at n = %d, highest", cst_theory_model_name[m],
                               finest);
    }
    return good && (!about->base.out || chart(about));
}
