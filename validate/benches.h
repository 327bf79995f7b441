/* What `capstan-bench` can run. Each gets what follows its name and returns the exit code (cli/progress.h). */
#ifndef CST_VALIDATE_BENCHES_H
#define CST_VALIDATE_BENCHES_H

#include <stdio.h>

/* physics/ */
int cst_bench_physics(int argc, char **argv); /* all of the others here */
int cst_bench_scenes(int argc, char **argv);
void cst_bench_scenes_list(FILE *to);
int cst_bench_cantilever(int argc, char **argv);
int cst_bench_vibration(int argc, char **argv);
int cst_bench_slide(int argc, char **argv);
int cst_bench_spin(int argc, char **argv);
int cst_bench_stick_slip(int argc, char **argv);
int cst_bench_three_point(int argc, char **argv);
int cst_bench_capstan(int argc, char **argv);
int cst_bench_snap_fit(int argc, char **argv);
int cst_bench_confined(int argc, char **argv);
int cst_bench_high_order(int argc, char **argv);
int cst_bench_models(int argc, char **argv);
int cst_bench_fibers(int argc, char **argv);
int cst_bench_sheets(int argc, char **argv);

/* worlds/ */
int cst_bench_random(int argc, char **argv);

/* solvers/ */
int cst_bench_demo(int argc, char **argv);
int cst_bench_solvers(int argc, char **argv);
int cst_bench_table2(int argc, char **argv);
int cst_bench_steps(int argc, char **argv);
int cst_bench_families(int argc, char **argv);
int cst_bench_stones(int argc, char **argv);
int cst_bench_peers(int argc, char **argv);
int cst_bench_rodpile(int argc, char **argv);
int cst_bench_threads(int argc, char **argv);
int cst_bench_local(int argc, char **argv);

/* detection/ */
int cst_bench_arcs(int argc, char **argv);
int cst_bench_curves(int argc, char **argv);
int cst_bench_hair_detection(int argc, char **argv);

/* speed/ */
int cst_bench_rod_steps(int argc, char **argv);
int cst_bench_planar(int argc, char **argv);
int cst_bench_table1(int argc, char **argv);
int cst_bench_scale(int argc, char **argv);
int cst_bench_page(int argc, char **argv);

#endif
