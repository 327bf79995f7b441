/* A benchmark that holds Capstan against known physics: its options, its reference data, and what it found, each figure beside its
 * bound. It succeeds if all bounds are met.
 *
 *     cst_validation about;
 *     int code;
 *     if (!cst_validation_begin(&about, argc, argv, "cantilever", "A clamped rod ...", &code))
 *         return code;
 *     cst_validation_at_most(&about, error, 1e-6, "acceleration error, largest");
 *     return cst_validation_end(&about);
 */
#ifndef CST_VALIDATE_HARNESS_VALIDATION_H
#define CST_VALIDATE_HARNESS_VALIDATION_H

#include <stdbool.h>

#include "capstan/capstan.h"
#include "cli/arguments.h"
#include "cli/csv_read.h"
#include "harness/findings.h"
#include "write/csv.h"
#include "write/file_write.h"
#include "write/table.h"

typedef struct cst_validation {
    const char *name;
    bool quick;      /* a few seconds: for tests */
    const char *out; /* directory for CSV and charts, or NULL */
    cst_table *findings;
    cst_findings *keep; /* gets every judged figure as well; or NULL */
    bool met;           /* all bounds so far */
} cst_validation;

/* Options --quick and --out. false: *code is the exit code (help was asked for, or an option was wrong). */
bool cst_validation_begin(cst_validation *about, int argc, char **argv, const char *name, const char *what, int *code);

enum { CST_VALIDATION_MORE_MAX = 8 };

/* The same with options of its own; more: text of the help after the first line. */
bool cst_validation_begin_with(cst_validation *about, int argc, char **argv, const char *name, const char *what, const char *more,
                               const cst_option *option, int options, int *code);

void cst_validation_at_most(cst_validation *about, double value, double bound, const char *figure, ...)
    __attribute__((format(printf, 4, 5)));
void cst_validation_between(cst_validation *about, double value, double low, double high, const char *figure, ...)
    __attribute__((format(printf, 5, 6)));

/* Ours beside its reference: |ours - reference|, as a share of it if relative, at most the tolerance. */
void cst_validation_compare(cst_validation *about, double ours, double reference, bool relative, double tolerance,
                            const char *figure, ...) __attribute__((format(printf, 6, 7)));

/* A figure that nothing is asked of. */
void cst_validation_note(cst_validation *about, double value, const char *figure, ...) __attribute__((format(printf, 3, 4)));

/* From now on every judged figure goes to `to` as well, and studies print nothing themselves; NULL: as at first. */
void cst_validation_listen(cst_findings *to);

/* Prints the findings and frees them. The exit code: solved, or missed. */
int cst_validation_end(cst_validation *about);

/* The same after something went wrong that has been said. */
int cst_validation_abandon(cst_validation *about);

/* "capstan-bench NAME: ..." on standard error; false, for returning it. */
bool cst_validation_fault(const cst_validation *about, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reference data of validate/reference; says what is missing. Free it either way. */
bool cst_validation_reference(const cst_validation *about, cst_csv_file *file, const char *name);

/* OUT/NAME.csv with its header (the last name NULL), between begin and end; false, said, if it cannot be written. */
bool cst_validation_csv_begin(const cst_validation *about, cst_file_write *file, cst_csv *csv, const char *name,
                              const char *const *header);
bool cst_validation_csv_end(const cst_validation *about, cst_file_write *file);

/* A table of right-aligned columns, the last heading NULL; and printing and freeing it. */
cst_table *cst_validation_table(const char *const *headings);
void cst_validation_print(cst_table *table);

/* "-" if it is NaN. */
void cst_validation_cell(cst_table *table, const char *format, double value);

#endif
