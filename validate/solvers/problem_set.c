#include "solvers/problem_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static void problem_free(cst_set_problem *problem)
{
    if (!problem)
        return;
    cst_assembled_free(problem->assembled);
    cst_generated_free(problem->generated);
    cst_problem_file_free(problem->file);
    free(problem->guess);
    free(problem->velocity);
    free(problem);
}

/* Takes the problem over, whatever comes of it. */
static bool adopt(cst_problem_set *set, cst_set_problem *problem, char *message, size_t message_size)
{
    size_t entries = (size_t)problem->explicit_form.dim * (size_t)problem->explicit_form.contacts + 1;
    problem->guess = calloc(entries, sizeof(double));
    problem->velocity = calloc(entries, sizeof(double));
    if (set->count == set->room) {
        int room = set->room ? 2 * set->room : 32;
        cst_set_problem **grown = realloc(set->list, (size_t)room * sizeof(cst_set_problem *));
        if (grown) {
            set->list = grown;
            set->room = room;
        }
    }
    if (!problem->guess || !problem->velocity || set->count == set->room) {
        snprintf(message, message_size, "out of memory");
        problem_free(problem);
        return false;
    }
    set->list[set->count++] = problem;
    return true;
}

bool cst_problem_set_add_file(cst_problem_set *set, const cst_input *input, bool bodies, char *message, size_t message_size)
{
    cst_set_problem *problem = calloc(1, sizeof *problem);
    if (!problem) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    snprintf(problem->name, sizeof problem->name, "%s", input->name);
    problem->file = cst_problem_file_read(input->path, NULL, message, message_size);
    if (!problem->file || !cst_problem_file_condense(problem->file, message, message_size)) {
        problem_free(problem);
        return false;
    }
    if (bodies && problem->file->has_global &&
        cst_problem_file_bodies(problem->file, &problem->file_bodies, message, message_size))
        problem->bodies = &problem->file_bodies;
    problem->explicit_form = problem->file->local;
    return adopt(set, problem, message, message_size);
}

bool cst_problem_set_add_files(cst_problem_set *set, int count, char **path, bool bodies, char *message, size_t message_size)
{
    cst_inputs inputs;
    bool read = cst_inputs_gather(&inputs, count, path, message, message_size);
    for (int i = 0; read && i < inputs.count; i++)
        read = cst_problem_set_add_file(set, &inputs.file[i], bodies, message, message_size);
    cst_inputs_free(&inputs);
    return read;
}

int cst_problem_set_start_warm(cst_problem_set *set)
{
    int warm = 0;
    for (int i = 0; i < set->count; i++) {
        cst_set_problem *problem = set->list[i];
        problem->start = problem->file ? problem->file->guess : NULL;
        warm += problem->start != NULL;
    }
    return warm;
}

bool cst_problem_set_add_generated(cst_problem_set *set, const char *family, uint64_t seed,
                                   const cst_family_parameters *parameters, char *message, size_t message_size)
{
    const cst_family_def *maker = cst_family_find(family);
    cst_set_problem *problem = calloc(1, sizeof *problem);
    if (problem && maker)
        problem->generated = maker->make(seed, parameters, NULL);
    if (!problem || !problem->generated) {
        snprintf(message, message_size, maker ? "%s: out of memory" : "%s: no such family", family);
        problem_free(problem);
        return false;
    }
    snprintf(problem->name, sizeof problem->name, "%s", problem->generated->name);
    problem->bodies = &problem->generated->problem;
    problem->assembled = cst_friction_assemble(problem->bodies, NULL, &problem->explicit_form, message, message_size);
    if (!problem->assembled) {
        problem_free(problem);
        return false;
    }
    return adopt(set, problem, message, message_size);
}

bool cst_problem_set_add_mixture(cst_problem_set *set, int count, char *message, size_t message_size)
{
    for (int i = 0; i < count; i++) {
        cst_rng rng;
        cst_rng_seed(&rng, (uint64_t)i, 1);
        cst_family_parameters parameters = cst_family_parameters_default();
        bool rods = i % 2 == 0;
        parameters.contacts = rods ? 20 + cst_rng_integer(&rng, 41) : 20 + cst_rng_integer(&rng, 26);
        if (rods) {
            parameters.mu = cst_rng_range(&rng, 0.1, 0.8);
            parameters.nu = i % 4 == 0 ? 0.5 : 1;
        }
        if (!cst_problem_set_add_generated(set, rods ? "rods" : "grains", (uint64_t)i + 1, &parameters, message, message_size))
            return false;
    }
    return true;
}

void cst_problem_set_free(cst_problem_set *set)
{
    for (int i = 0; i < set->count; i++)
        problem_free(set->list[i]);
    free(set->list);
    *set = (cst_problem_set){0};
}
