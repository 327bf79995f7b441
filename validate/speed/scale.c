/* capstan-bench scale: how a step grows with fibers, contacts and threads. Nine sections, one file each (scale_*.c); all that
 * they measured is in one table, scale.csv, what is asked of it in scale_findings.csv. */
#include "speed/scale.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "benches.h"
#include "cli/progress.h"
#include "write/directory.h"

static const struct {
    const char *name, *title;
    bool (*run)(cst_scale *about);
} section[] = {
    {"free", "Hair without contact", cst_scale_free},
    {"contact", "Fibers in contact, equally dense", cst_scale_contact},
    {"galilean", "The same at any speed", cst_scale_galilean},
    {"detection", "Detection's share of the step", cst_scale_shares},
    {"ties", "Fibers tied to one rigid body", cst_scale_ties},
    {"threads", "One thread against two", cst_scale_threads},
    {"mixed", "One body of nodes far from many fibers", cst_scale_mixed},
    {"sheets", "A cloth thrown on a ball, ever finer", cst_scale_sheets},
    {"nodal", "The nodal form against the explicit W", cst_scale_nodal},
};

enum { SECTIONS = sizeof section / sizeof section[0] };

static const char what[] = "How time and memory of a step grow with fibers, contacts and threads.";
static const char more[] =
    "Sections, all or one by --only:\n"
    "  free       hair without contact, 1,000 to 100,000: exponents of time and memory, ns per hair and phase, 6 GiB\n"
    "  contact    mats of 100 to 100,000 fibers, equally dense: exponents of time and memory over contacts, iterations\n"
    "  galilean   parallel fibers at 0 to 20 m/s, hair clamped to what turns: same contacts, same time\n"
    "  detection  detection's share of the step on shipped scenes\n"
    "  ties       225 and 2,000 fibers clamped to one rigid body against the same untied\n"
    "  threads    one thread against two: speed-up, same bits, Amdahl's serial share\n"
    "  mixed      one body of nodes far from 500 fibers against both alone\n"
    "  sheets     a cloth of 1,000 to 100,000 vertices thrown on a ball: exponent of time over vertices, same bits\n"
    "  nodal      a step of a cloth with 1,000 contacts: the nodal form against the explicit W\n"
    "Times are of the processor, medians of warm steps (free: means), except those of threads (wall clock, least).\n"
    "Exits with 1 if a figure misses its bound. --quick judges no times.";

static bool write_rows(const cst_scale *about)
{
    static const char *const header[] = {"section",
                                         "scene",
                                         "fibers",
                                         "threads",
                                         "steps",
                                         "contacts",
                                         "islands",
                                         "iterations",
                                         "seconds",
                                         "least",
                                         "E",
                                         "missed",
                                         "bytes_held",
                                         "peak_rss",
                                         "begin_s",
                                         "place_s",
                                         "assemble_s",
                                         "free_motion_s",
                                         "detect_s",
                                         "track_s",
                                         "rows_s",
                                         "friction_setup_s",
                                         "friction_solve_s",
                                         "friction_judge_s",
                                         "apply_s",
                                         "detect_end_s",
                                         "end_s",
                                         "finish_s",
                                         "energy_s",
                                         "other_s",
                                         NULL};
    cst_file_write file;
    cst_csv csv;
    if (!cst_validation_csv_begin(&about->base, &file, &csv, "scale", header))
        return false;
    for (int i = 0; i < about->rows; i++) {
        const cst_scale_row *row = about->row + i;
        cst_csv_text(&csv, row->section);
        cst_csv_text(&csv, row->scene);
        cst_csv_integer(&csv, row->fibers);
        cst_csv_integer(&csv, row->threads);
        cst_csv_integer(&csv, row->steps);
        cst_csv_real(&csv, row->contacts);
        cst_csv_integer(&csv, row->islands);
        cst_csv_real(&csv, row->iterations);
        cst_csv_real(&csv, row->seconds);
        cst_csv_real(&csv, row->least);
        cst_csv_real(&csv, row->error);
        cst_csv_integer(&csv, row->missed);
        cst_csv_real(&csv, row->bytes);
        cst_csv_real(&csv, row->peak_rss);
        for (int k = 0; k < CST_SCALE_PHASES; k++)
            cst_csv_real(&csv, row->phase[k]);
        cst_csv_row_end(&csv);
    }
    return cst_validation_csv_end(&about->base, &file);
}

static bool write_findings(const cst_scale *about)
{
    char message[512] = "out of memory";
    char *path = cst_path_join(about->base.out, "scale_findings", ".csv");
    const bool written = path && cst_findings_write(&about->found, path, message, sizeof message);
    free(path);
    return written || cst_validation_fault(&about->base, "%s", message);
}

static bool known(const cst_scale *about)
{
    const char *names[SECTIONS];
    bool found = !about->only;
    for (int i = 0; i < SECTIONS; i++) {
        names[i] = section[i].name;
        found = found || strcmp(about->only, names[i]) == 0;
    }
    if (found)
        return true;
    const char *near = cst_nearest_name(about->only, names, SECTIONS);
    return cst_validation_fault(&about->base, "no section \"%s\"%s%s%s", about->only, near ? "; did you mean " : "",
                                near ? near : "", near ? "?" : "");
}

static int run(cst_scale *about)
{
    bool good = true;
    for (int i = 0; i < SECTIONS && !cst_interrupted(); i++) {
        if (about->only && strcmp(about->only, section[i].name) != 0)
            continue;
        printf("%s (%s)\n", section[i].title, section[i].name);
        good = section[i].run(about) && good;
        putchar('\n');
        fflush(stdout);
    }
    good = good && (!about->base.out || (write_rows(about) && write_findings(about)));
    return good ? cst_validation_end(&about->base) : cst_validation_abandon(&about->base);
}

int cst_bench_scale(int argc, char **argv)
{
    cst_scale *about = calloc(1, sizeof *about);
    int code = CST_EXIT_BAD;
    if (!about)
        return code;
    about->most = INT_MAX;
    const cst_option options[] = {
        cst_option_text("only", &about->only, "SECTION", "one section"),
        cst_option_integer("most", &about->most, "FIBERS", 1, INT_MAX, "leave out sizes of more fibers, or vertices"),
        cst_option_integer("least", &about->least, "FIBERS", 1, INT_MAX, "leave out sizes of fewer fibers, or vertices"),
        cst_option_text("runs", &about->runs, "DIR", "detection: go on from the finished runs DIR/SCENE.run"),
    };
    if (cst_validation_begin_with(&about->base, argc, argv, "scale", what, more, options, CST_OPTION_COUNT_OF(options), &code)) {
        about->base.keep = &about->found;
        if (known(about))
            code = run(about);
        else
            code = cst_validation_abandon(&about->base);
    }
    cst_findings_free(&about->found);
    free(about);
    return code;
}
