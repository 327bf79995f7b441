/* capstan groom SCENE --out FILE: writes the initial fibers of a scene as strands to a file. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/scene_faults.h"
#include "groom/strand_write.h"
#include "scene/scene_data.h"

static const cst_command command = {
    .name = "capstan groom",
    .usage = "SCENE --out FILE [options]",
    .about = "Writes the fibers of a scene, as they are laid at its start, as strands.",
    .more = "FILE.hair (Yuksel), FILE.usda (USD BasisCurves), FILE.obj (line elements) or FILE.csv, in metres with z\n"
            "up. A generator of the type \"strands\" reads them (docs/hair.md).",
    .ending = "Exit status: 0 written, 2 a bad scene, or the file could not be written.\n"
              "\n"
              "Examples:\n"
              "  capstan groom scenes/hair/wisp.json --out wisp.hair\n"
              "  capstan groom scenes/hair/curly.json --samples 16 --out curly.usda"};

/* Collects the polylines of all rods and fibers. */
static bool collect(const cst_scene *scene, const cst_world *world, int samples, cst_strand_file *out, cst_fault *fault)
{
    const int bodies = cst_world_bodies(world);
    for (int i = 1; i <= bodies; i++) {
        if (!cst_is_slender(&scene->names.body[i - 1]))
            continue;
        const int room = cst_world_draw_body(world, (cst_body_id)i, samples, NULL, NULL, NULL).vertices;
        double *x = CST_TAKE(&out->arena, double, 3 * (size_t)room), *radius = CST_TAKE(&out->arena, double, room);
        if (!x || !radius)
            return cst_fault_memory(fault);
        const cst_drawing drawn = cst_world_draw_body(world, (cst_body_id)i, samples, x, radius, NULL);
        for (int k = 0; k < drawn.vertices; k++)
            if (!cst_strands_add(out, x + 3 * k, radius[k], fault))
                return false;
        if (!cst_strands_close(out, fault))
            return false;
    }
    return true;
}

static int write_strands(const cst_scene *scene, const char *path, int samples, char *message, size_t size)
{
    cst_world *world = cst_scene_world(scene, 1, message, size);
    if (!world)
        return CST_EXIT_BAD;
    cst_strand_file strands = {.strands = 0};
    cst_fault fault = cst_fault_begin(path, message, size);
    cst_arena_begin(&strands.arena, NULL);
    bool good = collect(scene, world, samples, &strands, &fault);
    if (good && strands.strands == 0)
        good = cst_fault_set(&fault, "the scene has no fibers");
    good = good && cst_strand_file_write(path, &strands, message, size);
    if (good)
        printf("wrote %s: %d strands, %d points\n", path, strands.strands, strands.points);
    cst_strand_file_free(&strands);
    cst_world_free(world);
    return good ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

int cst_command_groom(int argc, char **argv)
{
    cst_text_list set = {.count = 0};
    const char *out = NULL;
    int samples = 8, code = CST_EXIT_BAD;
    const cst_option table[] = {
        cst_option_text("out", &out, "FILE", "where to; its ending tells the format: .hair, .usda, .obj, .csv"),
        cst_option_integer("samples", &samples, "N", 1, 1000, "points for each element (8)"),
        cst_option_list("set", &set, "KEY=VALUE", "change the scene before: generators.hair.count=100"),
    };
    char message[512] = "";
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands != 1 || !out) {
        fprintf(stderr, "capstan groom: expected one scene and --out FILE\nTry: capstan groom --help\n");
        return CST_EXIT_BAD;
    }
    cst_scene *scene = cst_scene_read_file(argv[0], set.text, set.count, NULL);
    code = CST_EXIT_BAD;
    if (!scene)
        snprintf(message, sizeof message, "out of memory");
    else if (cst_scene_faults(scene, NULL) > 0)
        cst_print_faults(stderr, "capstan groom", scene);
    else
        code = write_strands(scene, out, samples, message, sizeof message);
    if (message[0] && code != CST_EXIT_SOLVED)
        fprintf(stderr, "capstan groom: %s\n", message);
    cst_scene_free(scene);
    return code;
}
