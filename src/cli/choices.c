#include "cli/choices.h"

#include <stdio.h>

void cst_choices_fill(cst_choices *choices)
{
    *choices = (cst_choices){0};
    for (int i = 0; i < CST_SOLVER_COUNT; i++)
        choices->solver[i] = cst_solver_name((cst_solver)i);
    for (int i = 0; i < CST_FORM_COUNT; i++)
        choices->form[i] = cst_form_name((cst_form)i);
    for (int i = 0; i < CST_LOCAL_CHOICES; i++) {
        cst_friction_options options = {0};
        cst_choices_set_local(i, &options);
        if (i < CST_LOCAL_COUNT) {
            choices->local[i] = cst_local_solver_name(options.local);
        } else {
            char *text = choices->hybrid[i - CST_LOCAL_COUNT];
            cst_local_label(&options, text, CST_LOCAL_CHOICE_LENGTH);
            choices->local[i] = text;
        }
    }
}

void cst_choices_set_local(int choice, cst_friction_options *options)
{
    bool hybrid = choice >= CST_LOCAL_COUNT;
    options->local = (cst_local_solver)(hybrid ? choice - CST_LOCAL_COUNT + 1 : choice);
    options->local_failsafe = hybrid;
}

void cst_local_label(const cst_friction_options *options, char *text, size_t size)
{
    bool hybrid = options->local != CST_LOCAL_DIRECT && options->local_failsafe;
    snprintf(text, size, "%s%s", cst_local_solver_name(options->local), hybrid ? "+direct" : "");
}
