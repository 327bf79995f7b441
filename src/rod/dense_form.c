#include "rod/dense_form.h"

#include <string.h>

bool cst_dense_form_begin(cst_dense_form *form, int dofs, cst_arena *arena)
{
    *form = (cst_dense_form){.dofs = dofs, .matrix = CST_TAKE(arena, double, (size_t)dofs *(size_t)dofs)};
    return !arena->failed && cst_envelope_begin(arena, dofs, &form->factor) && cst_envelope_open(arena, &form->factor);
}

void cst_dense_form_factor(cst_dense_form *form)
{
    const size_t dofs = (size_t)form->dofs;
    for (size_t i = 0; i < dofs; ++i)
        memcpy(cst_envelope_row(&form->factor, (int)i), form->matrix + i * dofs, (i + 1) * sizeof *form->matrix);
    form->factored = cst_envelope_factor(&form->factor) < 0;
}

bool cst_dense_form_solve(const cst_dense_form *form, double *x)
{
    if (!form->factored)
        return false;
    cst_envelope_forward(&form->factor, 1, form->dofs, 0, x);
    cst_envelope_backward(&form->factor, x);
    return true;
}

cst_body cst_dense_form_body(const cst_dense_form *form, const double *rhs)
{
    return (cst_body){.kind = CST_BODY_DENSE,
                      .size = form->dofs,
                      .matrix = form->matrix,
                      .factor = form->factored ? form->factor.entry : NULL,
                      .rhs = rhs};
}
