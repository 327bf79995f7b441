#include "exchange/fclib.h"

#include "exchange/hdf5_dataset.h"
#include "exchange/problem_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 96 };

typedef struct reading {
    cst_h5_file h5;
    cst_problem_file *file;
    cst_arena *scratch;
    cst_fault *fault;
} reading;

/* The path of an HDF5 dataset, such as "/fclib_local/vectors/q". */
typedef struct dataset_name {
    char text[NAME_LENGTH];
} dataset_name;

static dataset_name name_of(const char *group, const char *rest)
{
    dataset_name name;
    size_t length = strlen(group), more = strlen(rest) + 1;
    assert(length + 1 + more <= sizeof name.text);
    memcpy(name.text, group, length);
    name.text[length] = '/';
    memcpy(name.text + length + 1, rest, more);
    return name;
}

/* ------------------------------------------------------------------------------------------------------------ vectors */

static double *read_vector(const reading *in, const char *group, const char *rest, int64_t count)
{
    dataset_name name = name_of(group, rest);
    double *value = cst_h5_read_doubles(&in->h5, name.text, count, &in->file->arena);
    char where[NAME_LENGTH + 16];
    snprintf(where, sizeof where, "dataset %s", name.text);
    return value && cst_check_finite(value, count, where, in->fault) ? value : NULL;
}

static double *read_mu(const reading *in, const char *group, int64_t count)
{
    double *mu = read_vector(in, group, "vectors/mu", count);
    char where[NAME_LENGTH + 16];
    snprintf(where, sizeof where, "dataset %s/vectors/mu", group);
    return mu && cst_check_mu(mu, count, where, in->fault) ? mu : NULL;
}

/* Reads the number of entries of a vector. FCLIB files do not store the numbers of contacts, dofs and equalities; the reader
 * takes them from the lengths of vectors. */
static bool read_length(const reading *in, const char *group, const char *rest, int *out)
{
    dataset_name name = name_of(group, rest);
    int64_t count;
    if (!cst_h5_extent(&in->h5, name.text, &count))
        return false;
    if (count > INT32_MAX - 8)
        return cst_fault_set(in->fault, "dataset %s: %lld entries: more than can be numbered", name.text, (long long)count);
    *out = (int)count;
    return true;
}

/* Reads the dimension `dim` and the number of contacts. `velocity`: name of the vector of contact velocities; its length must be
 * dim times the number of contacts. */
static bool read_sizes(const reading *in, const char *group, const char *velocity, int *dim, int *contacts)
{
    dataset_name name = name_of(group, "spacedim");
    int64_t spacedim;
    int unknowns;
    if (!cst_h5_read_integer(&in->h5, name.text, &spacedim))
        return false;
    if (spacedim != 2 && spacedim != 3)
        return cst_fault_set(in->fault, "dataset %s: is %lld, neither 2 nor 3", name.text, (long long)spacedim);
    if (!read_length(in, group, "vectors/mu", contacts) || !read_length(in, group, velocity, &unknowns))
        return false;
    *dim = (int)spacedim;
    if ((int64_t)*dim * *contacts != unknowns)
        return cst_fault_set(in->fault, "dataset %s/%s: has %d entries, but %d contacts in %d dimensions need %lld", group,
                             velocity, unknowns, *contacts, *dim, (long long)*dim * *contacts);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- matrices */

static bool read_order(const reading *in, const char *matrix, const char *which, int64_t expected)
{
    dataset_name name = name_of(matrix, which);
    int64_t found;
    if (!cst_h5_read_integer(&in->h5, name.text, &found))
        return false;
    if (found != expected)
        return cst_fault_set(in->fault, "dataset %s: is %lld, but the vectors ask for %lld", name.text, (long long)found,
                             (long long)expected);
    return true;
}

/* Reads the first `used` of the `stored` indices of a dataset as 32-bit integers; each index must be between 0 and limit - 1. */
static int32_t *read_indices(const reading *in, const char *matrix, const char *which, int64_t stored, int64_t used,
                             int32_t limit)
{
    dataset_name name = name_of(matrix, which);
    int64_t *wide = cst_h5_read_integers(&in->h5, name.text, stored, in->scratch);
    int32_t *index = CST_TAKE(in->scratch, int32_t, used);
    if (wide && !index)
        cst_fault_record_memory(in->fault);
    if (!wide || !index)
        return NULL;
    for (int64_t k = 0; k < used; k++) {
        if (wide[k] < 0 || wide[k] >= limit) {
            cst_fault_record(in->fault, "dataset %s: entry %lld is %lld, outside 0 .. %d", name.text, (long long)k,
                             (long long)wide[k], (int)limit - 1);
            return NULL;
        }
        index[k] = (int32_t)wide[k];
    }
    return index;
}

/* Reads the pointers p of a matrix in compressed rows (or columns), and returns the row (or column) index of every entry. */
static int32_t *read_pointers(const reading *in, const char *matrix, int32_t lines, int32_t across, int64_t stored,
                              int64_t *entries)
{
    dataset_name name = name_of(matrix, "p");
    int64_t *pointer = cst_h5_read_integers(&in->h5, name.text, (int64_t)lines + 1, in->scratch);
    if (!pointer)
        return NULL;
    if (pointer[0] != 0) {
        cst_fault_record(in->fault, "dataset %s: starts at %lld, not 0", name.text, (long long)pointer[0]);
        return NULL;
    }
    for (int32_t k = 0; k < lines; k++)
        if (pointer[k + 1] < pointer[k]) {
            cst_fault_record(in->fault, "dataset %s: entry %d is %lld after %lld: pointers may not decrease", name.text,
                             (int)k + 1, (long long)pointer[k + 1], (long long)pointer[k]);
            return NULL;
        }
    *entries = pointer[lines];
    if (*entries > stored) {
        cst_fault_record(in->fault, "dataset %s: ends at %lld, but i and x hold %lld entries", name.text, (long long)*entries,
                         (long long)stored);
        return NULL;
    }
    if (*entries == 0 && stored > 1 && stored == (int64_t)lines * across) {
        /* Old files of the program LMGC90 contain a dense matrix whose pointers are all 0, and do not say if it is stored by rows
         * or by columns. If only one value is stored, the file is accepted although all pointers are 0, because CSparse stores
         * one unused value for a matrix without entries. */
        cst_fault_record(in->fault, "dataset %s: all pointers are 0, but x holds a full matrix of %lld values: malformed",
                         name.text, (long long)stored);
        return NULL;
    }
    int32_t *line = CST_TAKE(in->scratch, int32_t, *entries);
    if (!line) {
        cst_fault_record_memory(in->fault);
        return NULL;
    }
    for (int32_t k = 0; k < lines; k++)
        for (int64_t e = pointer[k]; e < pointer[k + 1]; e++)
            line[e] = k;
    return line;
}

/* The datasets of a matrix may be longer than its number of entries, because CSparse stores its arrays with spare capacity
 * (nzmax). */
static bool read_triplets(const reading *in, const char *matrix, int64_t nz, cst_triplets *out)
{
    dataset_name i_name = name_of(matrix, "i"), x_name = name_of(matrix, "x"), p_name = name_of(matrix, "p");
    int64_t indices, values, pointers;
    if (!cst_h5_extent(&in->h5, i_name.text, &indices) || !cst_h5_extent(&in->h5, x_name.text, &values) ||
        !cst_h5_extent(&in->h5, p_name.text, &pointers))
        return false;
    int64_t stored = indices < values ? indices : values;
    if (nz >= 0) {
        stored = pointers < stored ? pointers : stored;
        if (nz > stored)
            return cst_fault_set(in->fault, "dataset %s/nz: is %lld, but i, p and x hold %lld, %lld and %lld entries", matrix,
                                 (long long)nz, (long long)indices, (long long)pointers, (long long)values);
        out->count = nz;
        out->row = read_indices(in, matrix, "i", indices, nz, out->rows);
        out->column = out->row ? read_indices(in, matrix, "p", pointers, nz, out->columns) : NULL;
    } else if (nz == -1) {
        out->column = read_pointers(in, matrix, out->columns, out->rows, stored, &out->count);
        out->row = out->column ? read_indices(in, matrix, "i", indices, out->count, out->rows) : NULL;
    } else {
        out->row = read_pointers(in, matrix, out->rows, out->columns, stored, &out->count);
        out->column = out->row ? read_indices(in, matrix, "i", indices, out->count, out->columns) : NULL;
    }
    if (!out->row || !out->column)
        return false;
    out->value = cst_h5_read_doubles(&in->h5, x_name.text, values, in->scratch);
    char where[NAME_LENGTH + 16];
    snprintf(where, sizeof where, "dataset %s", x_name.text);
    return out->value && cst_check_finite(out->value, out->count, where, in->fault);
}

static bool read_matrix(const reading *in, const char *group, const char *which, int32_t rows, int32_t columns, cst_csr *out)
{
    dataset_name matrix = name_of(group, which), nz_name = name_of(matrix.text, "nz");
    int64_t nz;
    if (!read_order(in, matrix.text, "m", rows) || !read_order(in, matrix.text, "n", columns) ||
        !cst_h5_read_integer(&in->h5, nz_name.text, &nz))
        return false;
    if (nz < -2)
        return cst_fault_set(in->fault, "dataset %s: is %lld: -2 is compressed rows, -1 compressed columns, 0 or more triplets",
                             nz_name.text, (long long)nz);
    cst_arena_mark mark = cst_arena_mark_now(in->scratch);
    cst_triplets triplets = {.rows = rows, .columns = columns};
    bool ok = read_triplets(in, matrix.text, nz, &triplets);
    if (ok && !cst_csr_from_triplets(&in->file->arena, in->scratch, &triplets, out))
        ok = cst_fault_memory(in->fault);
    cst_arena_release(in->scratch, mark);
    return ok;
}

/* -------------------------------------------------------------------------------------------------- problems and guesses */

/* Returns 1 if the HDF5 group has an object named `which`, 0 if not, -1 on a fault. */
static int has(const reading *in, const char *group, const char *which)
{
    return cst_h5_exists(&in->h5, name_of(group, which).text);
}

static bool read_local(const reading *in)
{
    static const char group[] = "/fclib_local";
    cst_local_parts parts = {0};
    if (!read_sizes(in, group, "vectors/q", &parts.dim, &parts.contacts))
        return false;
    int32_t m = parts.dim * parts.contacts;
    int v = has(in, group, "V"), r = has(in, group, "R");
    if (v < 0 || r < 0)
        return false;
    if (v != r)
        return cst_fault_set(in->fault, "dataset %s/%s: missing, though %s/%s is there: equalities need both", group,
                             v ? "R" : "V", group, v ? "V" : "R");
    if (v && !read_length(in, group, "vectors/s", &parts.equalities))
        return false;
    if (!read_matrix(in, group, "W", m, m, &parts.w))
        return false;
    if (v && (!read_matrix(in, group, "V", m, parts.equalities, &parts.v) ||
              !read_matrix(in, group, "R", parts.equalities, parts.equalities, &parts.r) ||
              !(parts.s = read_vector(in, group, "vectors/s", parts.equalities))))
        return false;
    parts.q = read_vector(in, group, "vectors/q", m);
    parts.mu = parts.q ? read_mu(in, group, parts.contacts) : NULL;
    in->file->format = CST_FILE_FCLIB_LOCAL;
    return parts.mu && cst_problem_file_set_local(in->file, in->scratch, &parts, in->fault);
}

static bool read_global(const reading *in)
{
    static const char group[] = "/fclib_global";
    cst_global_parts parts = {0};
    if (!read_sizes(in, group, "vectors/w", &parts.dim, &parts.contacts) || !read_length(in, group, "vectors/f", &parts.dofs))
        return false;
    int32_t m = parts.dim * parts.contacts, n = parts.dofs;
    int g = has(in, group, "G");
    if (g < 0 || (g && !read_length(in, group, "vectors/b", &parts.equalities)))
        return false;
    if (!read_matrix(in, group, "M", n, n, &parts.m) || !read_matrix(in, group, "H", n, m, &parts.h))
        return false;
    if (g && (!read_matrix(in, group, "G", n, parts.equalities, &parts.g) ||
              !(parts.b = read_vector(in, group, "vectors/b", parts.equalities))))
        return false;
    parts.f = read_vector(in, group, "vectors/f", n);
    parts.w = parts.f ? read_vector(in, group, "vectors/w", m) : NULL;
    parts.mu = parts.w ? read_mu(in, group, parts.contacts) : NULL;
    in->file->format = CST_FILE_FCLIB_GLOBAL;
    return parts.mu && cst_problem_file_set_global(in->file, in->scratch, &parts, in->fault);
}

/* Reads an initial guess of the impulses r and of the multipliers l of equalities: the first guess in the file or, if the file
 * has no guess, its solution. */
static bool read_guess(const reading *in)
{
    static const char *const groups[] = {"/guesses/1", "/solution"};
    static const cst_guess_source sources[] = {CST_GUESS_GUESSES, CST_GUESS_SOLUTION};
    cst_problem_file *file = in->file;
    int m = file->dim * file->file_contacts;
    for (int k = 0; k < 2; k++) {
        int r = has(in, groups[k], "r"), l = r > 0 && file->equalities > 0 ? has(in, groups[k], "l") : 0;
        if (r < 0 || l < 0)
            return false;
        if (r == 0)
            continue;
        const double *impulse = read_vector(in, groups[k], "r", m);
        const double *multiplier = l ? read_vector(in, groups[k], "l", file->equalities) : NULL;
        if (!impulse || (l && !multiplier))
            return false;
        file->guess = CST_TAKE(&file->arena, double, (int64_t)file->dim * file->contacts);
        if (!file->guess)
            return cst_fault_memory(in->fault);
        memcpy(file->guess, impulse, (size_t)m * sizeof(double));
        if (multiplier)
            memcpy(file->guess + m, multiplier, (size_t)file->equalities * sizeof(double));
        file->guess_source = sources[k];
        return true;
    }
    return true;
}

static bool read_problem(const reading *in)
{
    static const char *const rolling[] = {"/fclib_global_rolling", "/fclib_local_rolling"};
    for (int k = 0; k < 2; k++) {
        int found = cst_h5_exists(&in->h5, rolling[k]);
        if (found < 0)
            return false;
        if (found)
            return cst_fault_set(in->fault, "group %s: rolling friction is not supported", rolling[k]);
    }
    int local = cst_h5_exists(&in->h5, "/fclib_local"), global = cst_h5_exists(&in->h5, "/fclib_global");
    if (local < 0 || global < 0)
        return false;
    if (!local && !global)
        return cst_fault_set(in->fault, "an HDF5 file without /fclib_local or /fclib_global: not a friction problem");
    if (local && global)
        return cst_fault_set(in->fault, "holds both /fclib_local and /fclib_global: which of the two problems is meant?");
    cst_h5_read_title(&in->h5, local ? "/fclib_local/info/title" : "/fclib_global/info/title", in->file->title,
                      sizeof in->file->title);
    return (local ? read_local(in) : read_global(in)) && read_guess(in);
}

/* ----------------------------------------------------------------------------------------------------------- entry points */

static bool read_open(cst_problem_file *file, hid_t id, uint64_t bytes, cst_fault *fault)
{
    if (id < 0)
        return cst_fault_set(fault, "has the signature of HDF5 but cannot be opened: truncated or damaged");
    cst_arena scratch;
    cst_arena_begin(&scratch, &file->arena.allocator);
    reading in = {.h5 = {id, bytes, fault}, .file = file, .scratch = &scratch, .fault = fault};
    bool ok = read_problem(&in);
    cst_arena_end(&scratch);
    H5Fclose(id);
    return ok;
}

bool cst_fclib_read(cst_problem_file *file, uint64_t file_bytes, cst_fault *fault)
{
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = read_open(file, H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT), file_bytes, fault);
    cst_h5_restore(quiet);
    return ok;
}

bool cst_fclib_read_image(cst_problem_file *file, const void *image, size_t bytes, cst_fault *fault)
{
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = false;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0) {
        cst_fault_record_memory(fault);
    } else {
        /* HDF5 requires a pointer to data that are not const, but only copies these data */
        bool prepared = H5Pset_fapl_core(access, (size_t)1 << 16, false) >= 0 &&
                        H5Pset_file_image(access, (void *)(uintptr_t)image, bytes) >= 0;
        /* HDF5 reads the file from memory (core driver without a backing store); it opens no file named "image" */
        ok = read_open(file, prepared ? H5Fopen("image", H5F_ACC_RDONLY, access) : -1, bytes, fault);
    }
    cst_h5_close(access);
    cst_h5_restore(quiet);
    return ok;
}
