/* capstan-bench sheets: sheets against what is known of them.
 *
 *     strip    a strip clamped at one end under its own weight against the heavy elastica, every bending model on two unlike meshes
 *     tension  strips of measured fabrics pulled along, across and between their threads against the table of measurements
 *     hang     a square hung by two corners against itself with edges of half the length, on two unlike meshes */
#include "physics/sheets.h"

#include <math.h>
#include <string.h>

#include "benches.h"
#include "cli/progress.h"

bool cst_sheet_trial_begin(const cst_validation *about, cst_sheet_trial *trial, double dt, const double *gravity)
{
    char message[256] = "";
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = dt;
    memcpy(def.gravity, gravity, sizeof def.gravity);
    *trial = (cst_sheet_trial){.world = cst_world_new(&def, message, sizeof message), .def = cst_sheet_def_default()};
    cst_arena_begin(&trial->arena, NULL);
    return trial->world || cst_validation_fault(about, "%s", message);
}

bool cst_sheet_trial_rest(const cst_validation *about, cst_sheet_trial *trial, double still, int steps)
{
    char message[256] = "out of memory";
    double speed = HUGE_VAL;
    cst_step_report report;
    trial->body = trial->arena.failed ? 0 : cst_world_add_sheet(trial->world, &trial->def, message, sizeof message);
    const size_t dofs = 3 * (size_t)trial->def.nodes;
    double *state = trial->body ? CST_TAKE(&trial->arena, double, 2 * dofs) : NULL;
    if (!state)
        return cst_validation_fault(about, "%s", message);
    for (int i = 0; i < steps && speed > still && !cst_interrupted(); i++) {
        if (cst_world_step(trial->world, &report) != CST_SOLVED)
            return cst_validation_fault(about, "step %d: %s", i, report.message);
        speed = 0.0;
        cst_world_body_state(trial->world, trial->body, state);
        for (size_t k = dofs; k < 2 * dofs; k++)
            speed = fmax(speed, fabs(state[k]));
    }
    trial->x = state;
    return speed <= still || cst_validation_fault(about, "it still moves at %g m/s after %d steps", speed, steps);
}

void cst_sheet_trial_end(cst_sheet_trial *trial)
{
    cst_world_free(trial->world);
    cst_arena_end(&trial->arena);
}

int cst_bench_sheets(int argc, char **argv)
{
    cst_validation about;
    int code;
    if (!cst_validation_begin(
            &about, argc, argv, "sheets",
            "Sheets against what is known: a heavy strip against the elastica, fabrics in tension against their\n"
            "measurements, a hanging square against itself with finer triangles.",
            &code))
        return code;
    if (!cst_sheets_strip(&about) || !cst_sheets_tension(&about) || !cst_sheets_hang(&about))
        return cst_validation_abandon(&about);
    return cst_validation_end(&about);
}
