#include "exchange/siconos_text.h"

#include "exchange/problem_parts.h"
#include "exchange/siconos_matrix.h"
#include "files/text_tokens.h"

#include <locale.h>
#include <stdio.h>

static double *read_vector(cst_tokens *tokens, const char *name, int64_t count, cst_arena *arena)
{
    tokens->within = name;
    double *value = cst_tokens_array(tokens, "the vector", count, sizeof *value, arena);
    for (int64_t k = 0; value && k < count; k++)
        if (!cst_tokens_real(tokens, "a value", &value[k]))
            return NULL;
    return value;
}

static const double *read_mu(cst_tokens *tokens, int64_t count, cst_arena *arena)
{
    const double *mu = read_vector(tokens, "vector mu", count, arena);
    return mu && cst_check_mu(mu, count, "vector mu", tokens->fault) ? mu : NULL;
}

/* Old Siconos files end with one more token, a flag. The reader accepts one more token at the end of any file and ignores it. */
static bool check_end(cst_tokens *tokens)
{
    int64_t left = cst_tokens_count_left(tokens);
    tokens->within = "end";
    return left <= 1 || cst_tokens_fault(tokens, "%lld more tokens where the file should end", (long long)left);
}

static bool read_local(cst_problem_file *file, cst_tokens *tokens, cst_arena *scratch, cst_local_parts *parts)
{
    parts->q = read_vector(tokens, "vector q", (int64_t)parts->dim * parts->contacts, &file->arena);
    parts->mu = parts->q ? read_mu(tokens, parts->contacts, &file->arena) : NULL;
    file->format = CST_FILE_SICONOS_LOCAL;
    return parts->mu && check_end(tokens) && cst_problem_file_set_local(file, scratch, parts, tokens->fault);
}

static bool read_global(cst_problem_file *file, cst_tokens *tokens, cst_arena *scratch, cst_global_parts *parts, const char *why)
{
    int64_t unknowns = (int64_t)parts->dim * parts->contacts;
    tokens->within = why;
    if (!cst_siconos_matrix_read(tokens, parts->dofs, unknowns, &file->arena, scratch, &parts->h))
        return false;
    parts->f = read_vector(tokens, "vector q", parts->dofs, &file->arena);
    parts->w = parts->f ? read_vector(tokens, "vector b", unknowns, &file->arena) : NULL;
    parts->mu = parts->w ? read_mu(tokens, parts->contacts, &file->arena) : NULL;
    file->format = CST_FILE_SICONOS_GLOBAL;
    return parts->mu && check_end(tokens) && cst_problem_file_set_global(file, scratch, parts, tokens->fault);
}

static bool read_problem(cst_problem_file *file, cst_tokens *tokens, cst_arena *scratch)
{
    int64_t dim, contacts;
    if (!cst_tokens_integer(tokens, "the dimension", 2, 3, &dim) ||
        !cst_tokens_integer(tokens, "the number of contacts", 0, (INT32_MAX - 8) / dim, &contacts) ||
        !cst_tokens_room(tokens, "the number of contacts", (double)(contacts * (dim + 1))))
        return false;
    cst_csr m;
    tokens->within = "matrix M";
    if (!cst_siconos_matrix_read(tokens, -1, -1, &file->arena, scratch, &m))
        return false;
    if (m.rows != m.columns)
        return cst_tokens_fault(tokens, "%d by %d, not square", (int)m.rows, (int)m.columns);
    char why[96];
    int64_t left = cst_tokens_count_left(tokens), unknowns = dim * contacts, local = unknowns + contacts;
    if (m.rows == unknowns && left <= local + 1) {
        cst_local_parts parts = {.dim = (int)dim, .contacts = (int)contacts, .w = m};
        return read_local(file, tokens, scratch, &parts);
    }
    if (m.rows == unknowns)
        snprintf(why, sizeof why, "matrix H (%lld tokens after M, not %lld: not FC%dD, so GFC%dD)", (long long)left,
                 (long long)local, (int)dim, (int)dim);
    else
        snprintf(why, sizeof why, "matrix H (M is not %lld square: not FC%dD, so GFC%dD)", (long long)unknowns, (int)dim,
                 (int)dim);
    cst_global_parts parts = {.dim = (int)dim, .contacts = (int)contacts, .dofs = (int)m.rows, .m = m};
    return read_global(file, tokens, scratch, &parts, why);
}

bool cst_siconos_text_read(cst_problem_file *file, const char *text, size_t length, cst_fault *fault)
{
    /* with the locale "C", numbers are read with a decimal point in any locale of the host */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return cst_fault_memory(fault);
    locale_t before = uselocale(c_locale);
    cst_arena scratch;
    cst_arena_begin(&scratch, &file->arena.allocator);
    cst_tokens tokens = cst_tokens_begin(text, length, fault);
    bool ok = read_problem(file, &tokens, &scratch);
    cst_arena_end(&scratch);
    uselocale(before);
    freelocale(c_locale);
    return ok;
}
