/* Lists of names that the user can give as values of options: names of solvers, of local solvers (solvers for one contact), and
 * of forms of friction problems (cst_form). */
#ifndef CST_CLI_CHOICES_H
#define CST_CLI_CHOICES_H

#include "capstan/friction.h"

/* The list of local solvers (solvers for one contact) contains each of them alone, and each except the direct solver combined
 * with the direct solver as fail-safe, for example "mfb+direct". */
enum { CST_LOCAL_CHOICES = 2 * CST_LOCAL_COUNT - 1, CST_LOCAL_CHOICE_LENGTH = 32 };

typedef struct cst_choices {
    const char *solver[CST_SOLVER_COUNT + 1];
    const char *form[CST_FORM_COUNT + 1];
    const char *local[CST_LOCAL_CHOICES + 1];
    char hybrid[CST_LOCAL_COUNT][CST_LOCAL_CHOICE_LENGTH];
} cst_choices;

void cst_choices_fill(cst_choices *choices);

/* Sets the options `local` and `local_failsafe` to those of entry number `choice` of the list cst_choices.local. */
void cst_choices_set_local(int choice, cst_friction_options *options);

/* Writes the name of the solver for one contact that the options select, such as "mfb+direct", to `text`. */
void cst_local_label(const cst_friction_options *options, char *text, size_t size);

#endif
