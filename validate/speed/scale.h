/* capstan-bench scale: how time and memory of a step grow with the number of fibers and contacts. What its sections share:
 * the study, a measured world, and the rows that all sections leave in one table (scale.csv). */
#ifndef CST_VALIDATE_SPEED_SCALE_H
#define CST_VALIDATE_SPEED_SCALE_H

#include <stdatomic.h>

#include "harness/validation.h"

enum { CST_SCALE_PHASES = sizeof(cst_step_seconds) / sizeof(double), CST_SCALE_ROWS_MAX = 128, CST_SCALE_STEPS_MAX = 64 };

extern const char *const cst_scale_phase_name[CST_SCALE_PHASES];

/* What a series of steps of one world took. */
typedef struct cst_scale_row {
    const char *section;
    char scene[48];
    int fibers, threads;
    int steps;                   /* measured */
    bool mean;                   /* the caller's: `seconds` and `phase` are means, with the steps that make new lists of pairs */
    double contacts, iterations; /* of a step, mean over the steps measured */
    int islands;                 /* of the last step */
    double seconds;              /* of a step, median: processor time with one thread, wall clock with more */
    double least;                /* of a step: the fastest one, same clock */
    double phase[CST_SCALE_PHASES]; /* s: the least wall clock of the steps, scaled if they sum up to more than `seconds` */
    double error;                   /* worst E */
    int missed;                     /* steps whose E missed the tolerance of the world */
    double bytes;                   /* held by the world from its allocator, after the last step */
    double peak_rss;                /* bytes: most that the process had in memory since the world was begun */
} cst_scale_row;

typedef struct cst_scale {
    cst_validation base;
    const char *only, *runs; /* a section's name; directory of finished runs; or NULL */
    int most;                /* fibers, or vertices */
    int least;               /* fibers, or vertices */
    cst_findings found;
    int rows;
    cst_scale_row row[CST_SCALE_ROWS_MAX];
} cst_scale;

/* A world whose memory is counted. It is not moved while the world lives: the allocator points to it. */
typedef struct cst_scale_world {
    cst_world *world;
    atomic_size_t held;
} cst_scale_world;

/* def's allocator is replaced. False: said. End it either way. */
bool cst_scale_world_begin(const cst_scale *about, cst_scale_world *it, cst_world_def def);
void cst_scale_world_end(cst_scale_world *it);

/* `cold` steps, then `warm` steps that are measured. Fills all of the row but section, scene and fibers. False: a step failed, said. */
bool cst_scale_measure(const cst_scale *about, cst_scale_world *it, int cold, int warm, cst_scale_row *row);

/* Puts the row into the table of all rows. Returns where it is. */
const cst_scale_row *cst_scale_keep(cst_scale *about, const cst_scale_row *row);

/* Slope of log y over log x, least squares; NaN with fewer than two points. */
double cst_scale_exponent(const double *x, const double *y, int count);

double cst_scale_detection(const cst_scale_row *row); /* s: all phases of detection */

/* Judged in a full run; noted in a quick one, whose times are too short to judge. */
void cst_scale_bound(cst_scale *about, double value, double bound, const char *figure);

/* A chart of two columns over each other, both logarithmic, with the line y proportional to x through the last point. */
typedef struct cst_scale_series {
    const char *name;
    const double *y; /* (count) NaN: left out */
} cst_scale_series;
bool cst_scale_chart(const cst_scale *about, const char *file, const char *title, const char *subtitle, const char *x_label,
                     const char *y_label, const double *x, int count, const cst_scale_series *series, int all_series,
                     const char *proportional);

/* Sections, one file each. False: could not be done, said. */
bool cst_scale_free(cst_scale *about);
bool cst_scale_contact(cst_scale *about);
bool cst_scale_galilean(cst_scale *about);
bool cst_scale_shares(cst_scale *about);
bool cst_scale_ties(cst_scale *about);
bool cst_scale_threads(cst_scale *about);
bool cst_scale_mixed(cst_scale *about);
bool cst_scale_sheets(cst_scale *about);
bool cst_scale_nodal(cst_scale *about);

#endif
