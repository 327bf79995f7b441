/* capstan-bench NAME: is the physics right, and how fast is it? Measurements one can repeat, apart from the product. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "benches.h"
#include "cli/progress.h"

typedef struct bench {
    const char *name;
    const char *about;
    int (*run)(int argc, char **argv);
} bench;

static const bench physics[] = {
    {"physics", "all of these: ours, reference, error, tolerance, pass or not", cst_bench_physics},
    {"scenes", "scenes whose outcome is known (listed below)", cst_bench_scenes},
    {"cantilever", "a rod under its weight against the elastica", cst_bench_cantilever},
    {"vibration", "free vibration against beam theory, space and time apart", cst_bench_vibration},
    {"slide", "rods on inclines against the closed form; energies of a fall add up", cst_bench_slide},
    {"spin", "rods that spin, fly and fall: energy and momentum, all models", cst_bench_spin},
    {"stick-slip", "a rod pushed on a plane until its tip slips, against the elastica", cst_bench_stick_slip},
    {"three-point", "a curved rod pushed down between two supports with friction, against the elastica", cst_bench_three_point},
    {"capstan", "a rod around a cylinder until it slips, against the elastic capstan", cst_bench_capstan},
    {"snap-fit", "an open arc pushed over a cylinder and pulled off, against the elastica", cst_bench_snap_fit},
    {"confined", "an elastica squeezed between two walls, against its closed forms", cst_bench_confined},
    {"high-order", "contact with arcs against contact with their chords: errors over elements and time", cst_bench_high_order},
    {"models", "the models of fibers on two common scenes: agreement when refined, cost of a step", cst_bench_models},
    {"sheets", "sheets: a heavy strip, measured fabrics in tension, a hanging square on finer meshes", cst_bench_sheets},
    {"fibers", "fibers and rigid bodies in space against theory: buckling, twist, helices, capstan, friction", cst_bench_fibers},
};

static const bench worlds[] = {
    {"random", "random worlds with the default settings: not finite, crashes, energy gained, passed through, tolerance",
     cst_bench_random},
};

static const bench solvers[] = {
    {"demo", "a few seconds: every solver on problems made here", cst_bench_demo},
    {"solvers", "local and global solvers, assembly of W, Siconos if installed: tables, CSV, charts", cst_bench_solvers},
    {"table2", "Table 2 and figure 11 of the paper on hair, on dumped problems: local solvers, fail-safe, four-sided cone",
     cst_bench_table2},
    {"steps", "dumped one-step problems from a warm start: solver by form, time to E, cost of a sweep", cst_bench_steps},
    {"families", "the hardest generated families: share solved, and time", cst_bench_families},
    {"stones", "card houses, arches, walls and stacks step by step: steps missed, and time", cst_bench_stones},
    {"peers", "the published problems next to what other solvers did on them", cst_bench_peers},
    {"rodpile", "hair-like assemblies next to so-bogus' figures", cst_bench_rodpile},
    {"threads", "one thread against several on one problem: speed-up, same bits", cst_bench_threads},
    {"local", "the local solvers on random contacts of every family: failures, residual, time", cst_bench_local},
};

static const bench detection[] = {
    {"arcs", "nearest points of arcs in the plane against brute force; time of a pair and of a detection", cst_bench_arcs},
    {"curves", "nearest points of helices in space against brute force; time of whole scenes", cst_bench_curves},
    {"hair-detection", "how time, pairs and memory of detection grow with the number of hairs", cst_bench_hair_detection},
};

static const bench speed[] = {
    {"rod-steps", "time of a step over the number of elements, both formulations", cst_bench_rod_steps},
    {"planar", "steps and contacts per second of 19 planar scenes, auto next to projected Gauss-Seidel", cst_bench_planar},
    {"table1", "Table I of the paper on fiber assemblies: Newton and auto, side by side", cst_bench_table1},
    {"scale", "how a step grows with fibers, contacts and threads: exponents, shares, speed-up, memory", cst_bench_scale},
    {"page", "a made-up run of many fibers, to measure capstan view and its page with", cst_bench_page},
};

static const struct {
    const char *title;
    const bench *bench;
    int count;
} groups[] = {
    {"Physics, against references", physics, sizeof physics / sizeof *physics},
    {"Random worlds", worlds, sizeof worlds / sizeof *worlds},
    {"Friction solvers", solvers, sizeof solvers / sizeof *solvers},
    {"Detection of contacts", detection, sizeof detection / sizeof *detection},
    {"Speed", speed, sizeof speed / sizeof *speed},
};

enum { GROUPS = sizeof groups / sizeof *groups, BENCHES_MAX = 64 };

static void list(FILE *to)
{
    fputs("Usage: capstan-bench NAME [arguments]\n", to);
    for (int g = 0; g < GROUPS; g++) {
        fprintf(to, "\n%s:\n", groups[g].title);
        for (int i = 0; i < groups[g].count; i++)
            fprintf(to, "  %-14s %s\n", groups[g].bench[i].name, groups[g].bench[i].about);
    }
    fputs("\nFigures of scenes/*.json that capstan-bench scenes looks at, and what they should be:\n", to);
    cst_bench_scenes_list(to);
    fputs("\ncapstan-bench NAME --help says more about each.\n", to);
}

static int unknown(const char *name)
{
    const char *names[BENCHES_MAX];
    int count = 0;
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < groups[g].count && count < BENCHES_MAX; i++)
            names[count++] = groups[g].bench[i].name;
    const char *near = cst_nearest_name(name, names, count);
    fprintf(stderr, "capstan-bench: unknown benchmark \"%s\"", name);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fputs("\nTry: capstan-bench list\n", stderr);
    return CST_EXIT_BAD;
}

static int run(const char *name, int argc, char **argv)
{
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < groups[g].count; i++)
            if (strcmp(name, groups[g].bench[i].name) == 0)
                return groups[g].bench[i].run(argc, argv);
    return unknown(name);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        list(stderr);
        return CST_EXIT_BAD;
    }
    if (strcmp(argv[1], "list") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        list(stdout);
        return CST_EXIT_SOLVED;
    }
    cst_interrupt_install();
    int code = run(argv[1], argc - 2, argv + 2);
    return cst_interrupted() ? CST_EXIT_INTERRUPTED : code;
}
