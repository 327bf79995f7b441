#include "exchange/hdf5_dataset.h"

#include <ctype.h>
#include <string.h>

#include "exchange/hdf5_memory.h"

/* The deflate filter of HDF5 compresses at most 1032 to 1 (RFC 1951: 258 bytes from two bits), and the other filters compress
 * numbers no better. The reader rejects a dataset that claims a compression ratio above 1100. */
static const uint64_t MOST_COMPRESSION = 1100;

enum { PATH_MAX_LENGTH = 128, TITLE_MAX_BYTES = 4096 };

cst_h5_quiet cst_h5_silence(void)
{
    cst_h5_quiet quiet = {NULL, NULL};
    if (cst_h5_enter)
        cst_h5_enter();
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void cst_h5_restore(cst_h5_quiet quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.user);
    if (cst_h5_leave)
        cst_h5_leave();
}

bool cst_h5_starved(void)
{
    return cst_h5_was_starved && cst_h5_was_starved();
}

void cst_h5_close(hid_t id)
{
    static const struct {
        H5I_type_t kind;
        herr_t (*close)(hid_t id);
    } way[] = {{H5I_DATASET, H5Dclose}, {H5I_DATASPACE, H5Sclose}, {H5I_DATATYPE, H5Tclose},
               {H5I_ATTR, H5Aclose},    {H5I_GROUP, H5Gclose},     {H5I_GENPROP_LST, H5Pclose}};
    const H5I_type_t kind = id >= 0 ? H5Iget_type(id) : H5I_BADID;
    for (size_t k = 0; k < sizeof way / sizeof way[0]; k++)
        if (way[k].kind == kind)
            way[k].close(id);
}

/* Every step of the path of a dataset must be a hard link. An external link, or a soft link whose path passes through an external
 * link, could lead to any file on the reader's disk. */
int cst_h5_exists(const cst_h5_file *file, const char *path)
{
    char prefix[PATH_MAX_LENGTH];
    size_t length = strlen(path);
    if (length >= sizeof prefix) {
        cst_fault_record(file->fault, "dataset %s: path too long", path);
        return -1;
    }
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        memcpy(prefix, path, k);
        prefix[k] = '\0';
        htri_t exists = H5Lexists(file->id, prefix, H5P_DEFAULT);
        if (exists == 0)
            return 0;
        H5L_info_t info;
        if (exists < 0 || H5Lget_info(file->id, prefix, &info, H5P_DEFAULT) < 0) {
            cst_fault_record(file->fault, "dataset %s: %s cannot be looked up: the file is damaged", path, prefix);
            return -1;
        }
        if (info.type != H5L_TYPE_HARD) {
            cst_fault_record(file->fault, "dataset %s: %s is a soft or external link, which is not followed", path, prefix);
            return -1;
        }
        if (path[k] == '/') {
            /* not the last part: a group */
            hid_t group = H5Gopen2(file->id, prefix, H5P_DEFAULT);
            if (group < 0) {
                cst_fault_record(file->fault, "dataset %s: %s is not a group", path, prefix);
                return -1;
            }
            H5Gclose(group);
        }
    }
    return 1;
}

/* ------------------------------------------------------------------------------------------------ opening, checking */

typedef struct dataset {
    hid_t id, type, space, properties;
    const char *path;
    int64_t count;
    bool scalar; /* of a scalar dataspace */
} dataset;

static void close_dataset(dataset *d)
{
    cst_h5_close(d->properties);
    cst_h5_close(d->space);
    cst_h5_close(d->type);
    cst_h5_close(d->id);
}

static bool open_dataset(const cst_h5_file *file, const char *path, dataset *d)
{
    *d = (dataset){.id = -1, .type = -1, .space = -1, .properties = -1, .path = path};
    int exists = cst_h5_exists(file, path);
    if (exists < 0)
        return false;
    if (exists == 0)
        return cst_fault_set(file->fault, "dataset %s: missing", path);
    d->id = H5Dopen2(file->id, path, H5P_DEFAULT);
    if (d->id < 0)
        return cst_fault_set(file->fault, "dataset %s: not a dataset, or damaged", path);
    d->type = H5Dget_type(d->id);
    d->space = H5Dget_space(d->id);
    d->properties = H5Dget_create_plist(d->id);
    if (d->type < 0 || d->space < 0 || d->properties < 0)
        return cst_fault_set(file->fault, "dataset %s: damaged", path);
    d->scalar = H5Sget_simple_extent_type(d->space) == H5S_SCALAR;
    hssize_t count = H5Sget_simple_extent_npoints(d->space);
    if (count < 0)
        return cst_fault_set(file->fault, "dataset %s: its extent cannot be read", path);
    d->count = count;
    return true;
}

static const char *class_name(H5T_class_t type_class)
{
    switch (type_class) {
    case H5T_INTEGER:
        return "whole numbers";
    case H5T_FLOAT:
        return "floating-point numbers";
    case H5T_STRING:
        return "strings";
    case H5T_COMPOUND:
        return "compounds";
    default:
        return "something else";
    }
}

static bool check_class(const cst_h5_file *file, const dataset *d, H5T_class_t wanted)
{
    H5T_class_t found = H5Tget_class(d->type);
    if (found != wanted)
        return cst_fault_set(file->fault, "dataset %s: holds %s, not %s", d->path, class_name(found), class_name(wanted));
    return true;
}

static bool check_rank(const cst_h5_file *file, const dataset *d)
{
    int rank = H5Sget_simple_extent_ndims(d->space);
    if (H5Sget_simple_extent_type(d->space) != H5S_SIMPLE || rank != 1)
        return cst_fault_set(file->fault, "dataset %s: has %d dimensions, not one", d->path, rank < 0 ? 0 : rank);
    return true;
}

/* Checks that the file can contain as much data as the dataset claims, before memory is allocated. */
static bool check_storage(const cst_h5_file *file, const dataset *d)
{
    H5D_layout_t layout = H5Pget_layout(d->properties);
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        return cst_fault_set(file->fault, "dataset %s: is virtual or of an unknown layout: its data are elsewhere", d->path);
    if (H5Pget_external_count(d->properties) != 0)
        return cst_fault_set(file->fault, "dataset %s: its data are in another file, which is not followed", d->path);
    uint64_t size = H5Tget_size(d->type), count = (uint64_t)d->count;
    if (size == 0 || size > 16)
        return cst_fault_set(file->fault, "dataset %s: entries of %llu bytes", d->path, (unsigned long long)size);
    bool filtered = layout == H5D_CHUNKED && H5Pget_nfilters(d->properties) > 0;
    uint64_t most = filtered ? file->bytes * MOST_COMPRESSION : file->bytes;
    if (count > most / size)
        return cst_fault_set(file->fault, "dataset %s: claims %llu entries of %llu bytes in a file of %llu bytes", d->path,
                             (unsigned long long)count, (unsigned long long)size, (unsigned long long)file->bytes);
    if (layout == H5D_CHUNKED) {
        /* HDF5 allocates memory for a whole chunk (storage block) of a dataset to read any part of it */
        hsize_t chunk = 0;
        if (H5Pget_chunk(d->properties, 1, &chunk) != 1 || chunk > (count + 1) * 16 + (1 << 16))
            return cst_fault_set(file->fault, "dataset %s: stored in chunks of %llu entries, out of all proportion", d->path,
                                 (unsigned long long)chunk);
    }
    if (H5Dget_storage_size(d->id) * (filtered ? MOST_COMPRESSION : 1) < count * size)
        return cst_fault_set(file->fault, "dataset %s: %llu entries declared, fewer stored", d->path, (unsigned long long)count);
    return true;
}

static bool read_all(const cst_h5_file *file, const dataset *d, hid_t memory_type, void *out)
{
    if (d->count > 0 && H5Dread(d->id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
        return cst_fault_set(file->fault, "dataset %s: cannot be read: truncated, damaged, or compressed in an unknown way",
                             d->path);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- reading */

bool cst_h5_read_integer(const cst_h5_file *file, const char *path, int64_t *out)
{
    dataset d;
    bool ok = open_dataset(file, path, &d) && check_class(file, &d, H5T_INTEGER);
    if (ok && d.count != 1)
        ok = cst_fault_set(file->fault, "dataset %s: has %lld entries, not one", path, (long long)d.count);
    ok = ok && (d.scalar || check_rank(file, &d)) && check_storage(file, &d) && read_all(file, &d, H5T_NATIVE_INT64, out);
    close_dataset(&d);
    return ok;
}

bool cst_h5_extent(const cst_h5_file *file, const char *path, int64_t *count)
{
    dataset d;
    bool ok = open_dataset(file, path, &d) && check_rank(file, &d) && check_storage(file, &d);
    *count = ok ? d.count : 0;
    close_dataset(&d);
    return ok;
}

static void *read_array(const cst_h5_file *file, const char *path, int64_t count, H5T_class_t wanted, hid_t memory_type,
                        cst_arena *arena)
{
    dataset d;
    void *out = NULL;
    bool ok = open_dataset(file, path, &d) && check_class(file, &d, wanted) && check_rank(file, &d) && check_storage(file, &d);
    if (ok && d.count != count)
        ok = cst_fault_set(file->fault, "dataset %s: has %lld entries, not the expected %lld", path, (long long)d.count,
                           (long long)count);
    if (ok) {
        out = cst_arena_take(arena, (size_t)count, sizeof(double));
        ok = out ? read_all(file, &d, memory_type, out) : cst_fault_memory(file->fault);
    }
    close_dataset(&d);
    return ok ? out : NULL;
}

double *cst_h5_read_doubles(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena)
{
    return read_array(file, path, count, H5T_FLOAT, H5T_NATIVE_DOUBLE, arena);
}

int64_t *cst_h5_read_integers(const cst_h5_file *file, const char *path, int64_t count, cst_arena *arena)
{
    return read_array(file, path, count, H5T_INTEGER, H5T_NATIVE_INT64, arena);
}

void cst_h5_read_title(const cst_h5_file *file, const char *path, char *out, size_t size)
{
    cst_fault ignored = {0}; /* a friction problem is read even if its title cannot be read */
    cst_h5_file quiet = {file->id, file->bytes, &ignored};
    dataset d;
    char text[TITLE_MAX_BYTES + 1] = {0};
    bool ok = open_dataset(&quiet, path, &d) && check_class(&quiet, &d, H5T_STRING);
    ok = ok && d.count == 1 && H5Tis_variable_str(d.type) == 0 && H5Tget_size(d.type) <= TITLE_MAX_BYTES;
    ok = ok && H5Pget_external_count(d.properties) == 0 && H5Pget_layout(d.properties) != H5D_VIRTUAL;
    ok = ok && read_all(&quiet, &d, d.type, text);
    close_dataset(&d);
    size_t length = ok ? strlen(text) : 0;
    length = length < size - 1 ? length : size - 1;
    for (size_t k = 0; k < length; k++)
        out[k] = iscntrl((unsigned char)text[k]) ? ' ' : text[k];
    while (length > 0 && out[length - 1] == ' ')
        length--;
    out[length] = '\0';
}
