#include "scene/generate_strands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "groom/strand_file_fit.h"
#include "scene/check.h"
#include "scene/define_space.h"
#include "scene/generate_hair.h"
#include "scene/load_files.h"
#include "scene/values.h"

bool cst_is_strands(const cst_json *generator)
{
    const char *type = generator->role ? cst_get_text(generator, "type") : NULL;
    return type && strcmp(type, "strands") == 0;
}

void cst_check_strands(cst_json *generator, cst_mistakes *mistakes)
{
    cst_json *fiber = cst_given(cst_given(generator, "of"), "fiber");
    if (!fiber || !fiber->role) {
        cst_mistake_in(mistakes, generator, "of", "strands are made of fibers: expected {\"fiber\": {...}}");
        return;
    }
    cst_check_placed_by_generator(fiber, "strands lie where their file says", mistakes);
    if (cst_given(generator, "scalp") && !cst_get_bool(fiber, "clamped"))
        cst_mistake_in(mistakes, fiber, "clamped",
                       "is missing: what moves with a scalp is held by its root; expected \"clamped\": true");
}

/* Returns the transform from the axes of the strand file (y or z upwards) to the axes of the world (z upwards). */
static cst_strand_placing placing_of(const cst_json *generator)
{
    static const double z_up[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, y_up[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    cst_strand_placing placing = {.scale = cst_get_real(generator, "scale")};
    cst_get_vector(generator, "center", placing.position);
    memcpy(placing.R, cst_get_choice(generator, "up") == 0 ? z_up : y_up, sizeof placing.R);
    return placing;
}

static bool fit_all(const cst_json *generator, const cst_strand_file *file, int count, int elements, cst_arena *arena,
                    cst_strand *strand, char *why, size_t size)
{
    const cst_strand_placing placing = placing_of(generator);
    const bool widths = cst_get_bool(generator, "widths");
    for (int i = 0; i < count; i++) {
        double error;
        if (!cst_strand_of_file(file, i, elements, &placing, widths, arena, strand + i, &error)) {
            if (isnan(error))
                snprintf(why, size, "strand %d of the file has no length", i + 1);
            return false;
        }
        if (widths && !(strand[i].radius > 0.0)) {
            snprintf(why, size, "strand %d of the file has no width: expected \"widths\": false", i + 1);
            return false;
        }
    }
    return true;
}

const cst_strand *cst_scene_read_strands(const cst_scene *scene, const cst_json *generator, cst_arena *arena, char *why,
                                         size_t size)
{
    const cst_json *fiber = cst_given(cst_given(generator, "of"), "fiber");
    const int count = (int)cst_get_integer(generator, "count"), elements = (int)cst_get_integer(fiber, "elements");
    const char *path = cst_path_beside(scene->name, cst_get_text(generator, "file"), arena);
    cst_strand *strand = CST_TAKE(arena, cst_strand, count);
    double *curvature = CST_TAKE(arena, double, 3 * (size_t)count * (size_t)elements);
    cst_strand_file file;
    snprintf(why, size, "out of memory");
    if (arena->failed || !cst_strand_file_read(path, &arena->allocator, &file, why, size))
        return NULL;
    snprintf(why, size, "out of memory");
    for (int i = 0; i < count; i++)
        strand[i].curvature = curvature + 3 * (size_t)i * (size_t)elements;
    bool good = count <= file.strands;
    if (!good)
        snprintf(why, size, "%s has %d strands: expected a count of at most as many", path, file.strands);
    good = good && fit_all(generator, &file, count, elements, arena, strand, why, size);
    cst_strand_file_free(&file);
    return good ? strand : NULL;
}
