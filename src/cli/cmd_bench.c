/* capstan bench NAME: measurements one can repeat. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/progress.h"

static const struct {
    const char *name;
    const char *about;
    int (*run)(int argc, char **argv);
} benches[] = {
    {"demo", "a few seconds: every solver on problems made here", cst_bench_demo},
    {"solvers", "local and global solvers, assembly of W, Siconos if installed: tables, CSV, charts", cst_bench_solvers},
    {"families", "the hardest generated families: share solved, and time", cst_bench_families},
    {"peers", "the published problems next to what other solvers did on them", cst_bench_peers},
    {"rodpile", "hair-like assemblies next to so-bogus' figures", cst_bench_rodpile},
    {"threads", "one thread against several on one problem: speed-up, same bits", cst_bench_threads},
    {"cantilever", "a rod under its weight against the elastica", cst_bench_cantilever},
    {"vibration", "free vibration against beam theory, space and time apart", cst_bench_vibration},
    {"slide", "rods on inclines against the closed form; energies of a fall add up", cst_bench_slide},
    {"stick-slip", "a rod pushed on a plane until its tip slips, against the elastica", cst_bench_stick_slip},
    {"three-point", "a curved rod pushed down between two supports with friction, against the elastica", cst_bench_three_point},
    {"capstan", "a rod around a cylinder until it slips, against the elastic capstan", cst_bench_capstan},
    {"snap-fit", "an open arc pushed over a cylinder and pulled off, against the elastica", cst_bench_snap_fit},
    {"confined", "an elastica squeezed between two walls, against its closed forms", cst_bench_confined},
    {"rod-steps", "time of a step over the number of elements, both formulations", cst_bench_rod_steps},
    {"high-order", "contact with arcs against contact with their chords: errors over elements and time", cst_bench_high_order},
    {"models", "the models of fibers on two common scenes: agreement when refined, cost of a step", cst_bench_models},
    {"fibers", "fibers and rigid bodies in space against theory: buckling, twist, helices, capstan, friction", cst_bench_fibers},
    {"planar", "steps and contacts per second of every planar scene, auto next to projected Gauss-Seidel", cst_bench_planar},
    {"table1", "Table I of the paper on fiber assemblies: Newton and auto, side by side", cst_bench_table1},
};

enum { BENCHES = sizeof benches / sizeof benches[0] };

static void list(FILE *to)
{
    fputs("Usage: capstan bench NAME [arguments]\n\nBenchmarks:\n", to);
    for (int i = 0; i < BENCHES; i++)
        fprintf(to, "  %-11s %s\n", benches[i].name, benches[i].about);
    fputs("\ncapstan bench NAME --help says more about each.\n", to);
}

int cst_command_bench(int argc, char **argv)
{
    if (argc == 0) {
        list(stderr);
        return CST_EXIT_BAD;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        list(stdout);
        return CST_EXIT_SOLVED;
    }
    const char *names[BENCHES];
    for (int i = 0; i < BENCHES; i++) {
        names[i] = benches[i].name;
        if (strcmp(argv[0], names[i]) != 0)
            continue;
        cst_interrupt_install();
        int code = benches[i].run(argc - 1, argv + 1);
        return cst_interrupted() ? CST_EXIT_INTERRUPTED : code;
    }
    const char *near = cst_nearest_name(argv[0], names, BENCHES);
    fprintf(stderr, "capstan bench: unknown benchmark \"%s\"", argv[0]);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fputs("\nTry: capstan bench --help\n", stderr);
    return CST_EXIT_BAD;
}
