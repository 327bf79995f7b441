/* libFuzzer target: FCLIB files with anything wrong that can be said in HDF5.
 *
 * Raw bytes would only test libhdf5, which is known to crash on damaged metadata (1.10 has dozens of such reports) and is not ours
 * to mend. So the fuzzer's bytes are decisions: a file is built in memory by HDF5 itself, each dataset right or wrong in extent,
 * type, rank, storage, values, or absent, and possibly cut short at the end (which HDF5 checks). What is tested is everything
 * above HDF5: that a file which HDF5 finds good and we should not is refused with a message, without a crash, a leak or an
 * allocation out of proportion. */
#include "fuzz_limits.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The decisions; zeros once they run out, and zero means "as it should be". */
typedef struct decisions {
    const uint8_t *at, *end;
} decisions;

static unsigned decide(decisions *from)
{
    return from->at < from->end ? *from->at++ : 0;
}

static double decide_number(decisions *from)
{
    static const double special[] = {0.0, -1.0, 1e308, -1e308, 1e-310, 0.5, 2147483647.0, -2147483648.0, 4294967296.0, 1e18};
    unsigned choice = decide(from);
    if (choice >= 250)
        return choice < 252 ? (double)NAN : choice % 2 ? (double)INFINITY : -(double)INFINITY;
    if (choice >= 240)
        return special[choice - 240];
    return ((double)choice - 100.0) / 16.0;
}

enum { VALUES_MAX = 4096 };

/* One dataset that should have `count` entries with the values given (whole numbers or not), or something else. */
static void put(hid_t file, decisions *from, const char *name, int count, const double *good, bool whole)
{
    static double value[VALUES_MAX];
    unsigned fault = decide(from);
    hid_t type = whole ? H5T_STD_I32LE : H5T_IEEE_F64LE, properties = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t extent[2] = {(hsize_t)count, 1}, chunk = 16;
    int rank = 1;
    bool written = true;
    H5Pset_obj_track_times(properties, false);
    for (int k = 0; k < count; k++)
        value[k] = good ? good[k] : decide_number(from);
    switch (fault) {
    case 255:
        H5Pclose(properties);
        return; /* absent */
    case 254:
        extent[0] += 1 + decide(from) % 8;
        break;
    case 253:
        extent[0] -= extent[0] > 0;
        break;
    case 252:
        extent[0] = (hsize_t)decide(from) << (decide(from) % 48);
        written = false;
        break; /* a claim, never written */
    case 251:
        type = H5T_IEEE_F32LE;
        break;
    case 250:
        type = H5T_STD_U64LE;
        break;
    case 249:
        type = H5T_STD_I8BE;
        break;
    case 248:
        rank = 2;
        break;
    case 247:
        rank = 0;
        break;
    case 246:
        type = whole ? H5T_IEEE_F64LE : H5T_STD_I64LE;
        break;
    case 245:
        type = H5T_C_S1;
        break;
    case 244: /* one or more values wrong */
        for (unsigned k = decide(from) % 4 + 1; k > 0 && count > 0; k--)
            value[decide(from) % (unsigned)count] = whole ? (double)(int)decide(from) - 64.0 : decide_number(from);
        break;
    case 243:
    case 242: /* compressed, whole or only claimed */
        H5Pset_chunk(properties, 1, &chunk);
        H5Pset_deflate(properties, 1);
        written = fault == 243;
        extent[0] = written ? extent[0] : (hsize_t)decide(from) << (decide(from) % 40);
        break;
    case 241:
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Pclose(properties);
        return;
    case 240:
        H5Lcreate_soft("/fclib_local/vectors/q", file, name, H5P_DEFAULT, H5P_DEFAULT);
        H5Pclose(properties);
        return;
    default:
        break;
    }
    for (int k = count; k < VALUES_MAX && k < (int)extent[0] && written; k++)
        value[k] = 0.0;
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
    hid_t set = space >= 0 ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT) : -1;
    if (set >= 0 && written && extent[0] > 0 && extent[0] <= VALUES_MAX && type != H5T_C_S1)
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (set >= 0)
        H5Dclose(set);
    if (space >= 0)
        H5Sclose(space);
    H5Pclose(properties);
}

static void put_integer(hid_t file, decisions *from, const char *name, int value)
{
    double number = value;
    put(file, from, name, 1, &number, true);
}

static void put_group(hid_t file, const char *name)
{
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0)
        H5Gclose(group);
}

/* rows x columns with one to four entries a row, as rows, columns or triplets. */
static void put_matrix(hid_t file, decisions *from, const char *group, int rows, int columns)
{
    static double pointer[VALUES_MAX], index[VALUES_MAX], line[VALUES_MAX];
    char name[64];
    unsigned storage = decide(from) % 3; /* 0 rows, 1 columns, 2 triplets */
    int lines = storage == 1 ? columns : rows, across = storage == 1 ? rows : columns, entries = 0;
    pointer[0] = 0.0;
    for (int k = 0; k < lines; k++) {
        unsigned more = decide(from) % 4;
        for (unsigned e = 0; e <= more && across > 0; e++) {
            /* a diagonal mostly, so that some M can be inverted */
            line[entries] = k;
            index[entries++] = e == 0 && rows == columns && more < 3 ? k : (double)(decide(from) % (unsigned)across);
        }
        pointer[k + 1] = entries;
    }
    put_group(file, group);
    snprintf(name, sizeof name, "%s/m", group);
    put_integer(file, from, name, rows);
    snprintf(name, sizeof name, "%s/n", group);
    put_integer(file, from, name, columns);
    snprintf(name, sizeof name, "%s/nz", group);
    put_integer(file, from, name, storage == 2 ? entries : storage == 1 ? -1 : -2);
    snprintf(name, sizeof name, "%s/p", group);
    put(file, from, name, storage == 2 ? entries : lines + 1, storage == 2 ? index : pointer, true);
    snprintf(name, sizeof name, "%s/i", group);
    put(file, from, name, entries, storage == 2 ? line : index, true);
    snprintf(name, sizeof name, "%s/x", group);
    put(file, from, name, entries, NULL, false);
}

static void build(hid_t file, decisions *from)
{
    static const double halves[VALUES_MAX] = {0.5};
    unsigned shape = decide(from);
    bool global = shape & 1, equalities = shape & 2, both = (shape & 12) == 12;
    int dim = shape & 16 ? 2 : 3, contacts = (int)(decide(from) % 12), dofs = (int)(decide(from) % 40),
        p = (int)(decide(from) % 5);
    int m = dim * contacts;
    if (!global || both) {
        put_group(file, "/fclib_local");
        put_group(file, "/fclib_local/vectors");
        put_integer(file, from, "/fclib_local/spacedim", dim);
        put_matrix(file, from, "/fclib_local/W", m, m);
        put(file, from, "/fclib_local/vectors/q", m, NULL, false);
        put(file, from, "/fclib_local/vectors/mu", contacts, halves, false);
        if (equalities) {
            put_matrix(file, from, "/fclib_local/V", m, p);
            put_matrix(file, from, "/fclib_local/R", p, p);
            put(file, from, "/fclib_local/vectors/s", p, NULL, false);
        }
        if (shape & 32) {
            put_group(file, "/fclib_local/info");
            put(file, from, "/fclib_local/info/title", 1, NULL, false);
        }
    }
    if (global) {
        put_group(file, "/fclib_global");
        put_group(file, "/fclib_global/vectors");
        put_integer(file, from, "/fclib_global/spacedim", dim);
        put_matrix(file, from, "/fclib_global/M", dofs, dofs);
        put_matrix(file, from, "/fclib_global/H", dofs, m);
        put(file, from, "/fclib_global/vectors/f", dofs, NULL, false);
        put(file, from, "/fclib_global/vectors/w", m, NULL, false);
        put(file, from, "/fclib_global/vectors/mu", contacts, halves, false);
        if (equalities) {
            put_matrix(file, from, "/fclib_global/G", dofs, p);
            put(file, from, "/fclib_global/vectors/b", p, NULL, false);
        }
    }
    if (shape & 64) {
        put_group(file, "/guesses");
        put_group(file, "/guesses/1");
        put(file, from, "/guesses/1/r", m, NULL, false);
        put(file, from, "/guesses/1/l", p, NULL, false);
    }
    if (shape & 128) {
        put_group(file, "/solution");
        put(file, from, "/solution/r", m, NULL, false);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    decisions from = {data, data + size};
    H5E_auto2_t print;
    void *user;
    H5Eget_auto2(H5E_DEFAULT, &print, &user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the wrong datasets may be impossible even for HDF5 */
    unsigned cut = decide(&from);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, (size_t)1 << 16, false);
    hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    build(file, &from);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t bytes = H5Fget_file_image(file, NULL, 0);
    void *image = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (image)
        H5Fget_file_image(file, image, (size_t)bytes);
    H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, print, user);
    if (image) {
        size_t length = cut >= 128 ? (size_t)bytes * (cut - 128) / 128 : (size_t)bytes;
        /* an entry of one byte becomes 16 of triplet and as many to sort it; compressed, it was a thousandth */
        fuzz_read(image, length, ((size_t)1 << 21) + 1100 * 40 * length);
    }
    free(image);
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
        abort();
    return 0;
}
