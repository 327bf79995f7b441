#include "run/outcome.h"

#include <string.h>

#include "files/whole_file.h"
#include "write/file_write.h"
#include "write/json_write.h"

const char *cst_outcome_state_name(cst_outcome_state state)
{
    static const char *const names[] = {"running", "finished", "interrupted", "failed"};
    return names[state];
}

static void put_totals(cst_json_writer *json, const cst_run_totals *totals)
{
    cst_json_real(json, "time", totals->time);
    cst_json_integer(json, "steps", totals->steps);
    cst_json_integer(json, "frames", totals->frames);
    cst_json_integer(json, "contacts_max", totals->contacts_max);
    cst_json_real(json, "nu_max", totals->nu_max);
    cst_json_integer(json, "iterations", totals->iterations);
    cst_json_integer(json, "retries", totals->retries);
    cst_json_real(json, "worst_error", totals->worst_error);
    cst_json_integer(json, "worst_step", totals->worst_step);
    cst_json_integer(json, "steps_over_tolerance", totals->missed);
    cst_json_integer(json, "steps_not_converged", totals->unconverged);
    cst_json_real(json, "deepest_penetration", totals->deepest_penetration);
    cst_json_integer(json, "steps_with_crossings", totals->crossed);
    cst_json_integer(json, "crossings_max", totals->crossings_max);
    cst_json_text(json, "first_crossing", totals->crossing);
    cst_json_real(json, "worst_imbalance", totals->worst_imbalance);
    cst_json_object(json, "energy");
    cst_json_real(json, "kinetic", totals->energy.kinetic);
    cst_json_real(json, "elastic", totals->energy.elastic);
    cst_json_real(json, "gravity", totals->energy.gravity);
    cst_json_real(json, "friction", totals->energy.friction);
    cst_json_real(json, "unexplained", totals->energy.unexplained);
    cst_json_real(json, "moved", totals->energy.moved);
    cst_json_real(json, "unexplained_most", totals->unexplained);
    cst_json_real(json, "unexplained_in_step", totals->unexplained_in_step);
    cst_json_integer(json, "unexplained_step", totals->unexplained_step);
    cst_json_real(json, "unexplained_time", totals->unexplained_time);
    cst_json_boolean(json, "explained", !cst_run_unexplained(totals));
    cst_json_object_end(json);
    cst_json_real(json, "wall_seconds", totals->seconds);
}

static bool write_once(const cst_run_directory *directory, const cst_outcome *outcome, char *message, size_t message_size)
{
    cst_file_write file;
    if (!cst_file_write_begin(&file, directory->outcome, message, message_size))
        return false;
    cst_json_writer json = cst_json_begin(file.to);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "state", cst_outcome_state_name(outcome->state));
    cst_json_text(&json, "reason", outcome->reason);
    cst_json_text(&json, "title", outcome->title);
    cst_json_text(&json, "version", CAPSTAN_VERSION);
    cst_json_real(&json, "duration", outcome->duration);
    cst_json_real(&json, "tolerance", outcome->tolerance);
    cst_json_integer(&json, "threads", outcome->threads);
    cst_json_array(&json, "warnings");
    for (int i = 0; i < outcome->warnings; i++)
        cst_json_text(&json, NULL, outcome->warning[i]);
    cst_json_array_end(&json);
    put_totals(&json, outcome->totals);
    cst_json_real(&json, "saved_time", outcome->saved_time);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    return cst_file_write_commit(&file, message, message_size);
}

bool cst_outcome_says(const cst_run_directory *directory, cst_outcome_state state)
{
    enum { MOST = 1 << 20 };
    cst_arena scratch;
    cst_arena_begin(&scratch, NULL);
    cst_fault fault = cst_fault_begin(directory->outcome, NULL, 0);
    char *text = NULL;
    size_t size;
    bool says = false;
    if (cst_whole_file_read(MOST, &scratch, &text, &size, &fault)) {
        /* write_once writes the key "state" first */
        const char *key = strstr(text, "\"state\":"), *value = key ? strchr(key + 8, '"') : NULL;
        const char *name = cst_outcome_state_name(state);
        says = value && strncmp(value + 1, name, strlen(name)) == 0;
    }
    cst_arena_end(&scratch);
    return says;
}

bool cst_outcome_write(const cst_run_directory *directory, const cst_outcome *outcome, char *message, size_t message_size)
{
    if (write_once(directory, outcome, message, message_size))
        return true;
    cst_run_directory_release(directory);
    return write_once(directory, outcome, message, message_size);
}
