/* Results that are not as they were written: damaged checkpoints, caches that are none, journals that are not whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "cache/cache_read.h"
#include "cache/cache_write.h"
#include "run/checkpoint.h"

static char folder[] = "/tmp/capstan-test-XXXXXX";

static void path_of(char *path, const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static size_t read_bytes(const char *path, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, room, file);
    assert_true(count < room);
    fclose(file);
    return count;
}

/* ----------------------------------------------------------------------------------------------------------- checksum */

static void checksum_is_the_standard_one(void **state)
{
    (void)state;
    assert_true(cst_checksum(0, "123456789", 9) == 0x995dc9bbdf1939fa); /* published check value of CRC-64/XZ */
    assert_true(cst_checksum(cst_checksum(0, "1234", 4), "56789", 5) == cst_checksum(0, "123456789", 9));
    assert_true(cst_checksum(0, "", 0) == 0);
    /* long blocks go another way: the same sum as in pieces that do not */
    static uint8_t bytes[100003];
    uint64_t pieces = 0;
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (uint8_t)(k * k >> 3);
    for (size_t k = 0; k < sizeof bytes; k += 1000)
        pieces = cst_checksum(pieces, bytes + k, sizeof bytes - k < 1000 ? sizeof bytes - k : 1000);
    assert_true(cst_checksum(0, bytes, sizeof bytes) == pieces);
}

/* --------------------------------------------------------------------------------------------------------- checkpoints */

static void checkpoints_come_back(void **state)
{
    (void)state;
    cst_probe_mark probe_mark[] = {{17, 0x1234}, {99, 0xfedcba9876543210}};
    uint8_t world[] = "a world";
    cst_checkpoint wrote = {.settings = 42,
                            .phase = CST_PHASE_AT_END,
                            .rows = {1, 2, 3, 4, 5, 6, 7},
                            .totals = {.time = 0.25, .whole = 250, .worst_error = 1e-9},
                            .probes = 2,
                            .probe_mark = probe_mark,
                            .world = world,
                            .world_bytes = sizeof world};
    cst_run_directory directory;
    char message[256], path[128];
    path_of(path, "checkpoints");
    assert_true(cst_run_directory_open(&directory, path, false, message, sizeof message));
    assert_true(cst_run_directory_busy(path));
    cst_checkpoint got;
    assert_int_equal(cst_checkpoint_read(&directory, &got, message, sizeof message), CST_CHECKPOINT_NONE);
    assert_true(cst_checkpoint_write(&directory, &wrote, message, sizeof message));
    wrote.totals.time = 0.5;
    assert_true(cst_checkpoint_write(&directory, &wrote, message, sizeof message));
    assert_int_equal(cst_checkpoint_read(&directory, &got, message, sizeof message), CST_CHECKPOINT_LAST);
    assert_true(got.totals.time == 0.5 && got.settings == 42 && got.phase == CST_PHASE_AT_END && got.probes == 2);
    assert_memory_equal(got.rows, wrote.rows, sizeof got.rows);
    assert_memory_equal(got.probe_mark, probe_mark, sizeof probe_mark);
    assert_int_equal(got.world_bytes, sizeof world);
    assert_memory_equal(got.world, world, sizeof world);
    cst_checkpoint_free(&got);

    /* any bit, and any length: never taken for good; the one before is found instead */
    static uint8_t bytes[4096];
    size_t size = read_bytes(directory.checkpoint, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(cst_checkpoint_decode(bytes, size, &got, message, sizeof message));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        assert_false(cst_checkpoint_decode(bytes, cut, &got, message, sizeof message));
    write_bytes(directory.checkpoint, bytes, size - 3);
    assert_int_equal(cst_checkpoint_read(&directory, &got, message, sizeof message), CST_CHECKPOINT_PREVIOUS);
    assert_true(got.totals.time == 0.25);
    cst_checkpoint_free(&got);
    write_bytes(directory.previous, "", 0);
    assert_int_equal(cst_checkpoint_read(&directory, &got, message, sizeof message), CST_CHECKPOINT_DAMAGED);
    assert_non_null(strstr(message, "checkpoint.bin"));
    cst_run_directory_close(&directory);
    assert_false(cst_run_directory_busy(path));
}

/* -------------------------------------------------------------------------------------------------------------- caches */

static void make_cache(const char *path, int steps)
{
    static const char *const names[] = {"one", "zwölf", ""};
    const cst_cache_head head = {.dim = 2,
                                 .dt = 0.5,
                                 .frame_interval = 1,
                                 .tolerance = 1e-8,
                                 .title = "",
                                 .scene = "{}",
                                 .source = "",
                                 .files = "",
                                 .bodies = 3,
                                 .body_name = names};
    char message[256] = "";
    cst_cache_writer *writer = cst_cache_create(path, &head, message, sizeof message);
    assert_non_null(writer);
    for (int i = 0; i < steps; i++) {
        cst_step_report report = {.step = i, .contacts = -i, .time = 0.5 * i};
        assert_true(cst_cache_append(writer, CST_TABLE_STEPS, &report, 1) &&
                    cst_cache_append(writer, CST_TABLE_TIMINGS, &report, 1));
    }
    assert_true(cst_cache_commit(writer, message, sizeof message));
    cst_cache_writer_free(writer);
}

static void caches_come_back(void **state)
{
    (void)state;
    char path[128], message[256] = "";
    path_of(path, "cache.h5");
    make_cache(path, 2500); /* more than a chunk, more than a buffer */
    cst_cache *cache = cst_cache_open(folder, message, sizeof message);
    assert_non_null(cache);
    const cst_cache_info *info = cst_cache_about(cache);
    assert_true(info->dim == 2 && info->dt == 0.5 && info->frame_interval == 1 && info->tolerance == 1e-8);
    assert_true(info->steps == 2500 && info->frames == 0 && info->bodies == 3 && info->obstacles == 0);
    assert_string_equal(info->title, "");
    assert_string_equal(info->source, "");
    assert_string_equal(cst_cache_body_name(cache, 1), "one");
    assert_string_equal(cst_cache_body_name(cache, 2), "zwölf");
    assert_string_equal(cst_cache_body_name(cache, 3), "");
    assert_string_equal(cst_cache_body_name(cache, 0), "");
    static double value[2500];
    assert_true(cst_cache_step_column(cache, "contacts", value));
    for (int i = 0; i < 2500; i++)
        assert_true(value[i] == -i);
    cst_cache_frame frame;
    assert_false(cst_cache_frame_read(cache, 0, &frame));
    assert_non_null(strstr(cst_cache_message(cache), "has 0 frames"));
    cst_cache_close(cache);
}

static void not_a_cache(const char *path, const char *words)
{
    char message[256] = "";
    assert_null(cst_cache_open(path, message, sizeof message));
    if (!strstr(message, words))
        fail_msg("\"%s\" does not say \"%s\"", message, words);
    assert_non_null(strstr(message, path));
}

static void other_files_are_refused(void **state)
{
    (void)state;
    char path[128], message[256];
    path_of(path, "none.h5");
    not_a_cache(path, "No such file");
    write_bytes(path, "", 0);
    not_a_cache(path, "no HDF5 file");
    write_bytes(path, "time,x\n0,1\n", 11);
    not_a_cache(path, "no HDF5 file");
    /* a cache cut short, at many lengths */
    static uint8_t bytes[1 << 20];
    char whole[128];
    path_of(whole, "whole.h5");
    make_cache(whole, 100);
    size_t size = read_bytes(whole, bytes, sizeof bytes);
    for (size_t cut = 512; cut < size - 1; cut += size / 23) {
        write_bytes(path, bytes, cut);
        not_a_cache(path, "");
    }
    /* fewer rows than a checkpoint counts */
    const int64_t rows[CST_TABLES] = {[CST_TABLE_STEPS] = 101, [CST_TABLE_TIMINGS] = 101};
    assert_null(cst_cache_continue(whole, rows, message, sizeof message));
    assert_non_null(strstr(message, "fewer rows"));
    assert_non_null(strstr(message, "/steps/time"));
}

/* A journal that is cut or changed was never in force: the file is read as it is. A whole one is. */
static void journals(void **state)
{
    (void)state;
    char path[128], journal[160], message[256] = "";
    path_of(path, "journalled.h5");
    snprintf(journal, sizeof journal, "%s.journal", path);
    make_cache(path, 10);
    static const char nonsense[5000] = "CSTJRNL1";
    write_bytes(journal, nonsense, sizeof nonsense);
    cst_cache *cache = cst_cache_open(path, message, sizeof message);
    assert_non_null(cache);
    assert_int_equal(cst_cache_about(cache)->steps, 10);
    cst_cache_close(cache);

    /* one that makes the file empty */
    struct {
        char magic[8];
        uint64_t pages, size, sum;
    } whole = {.size = 0};
    memcpy(whole.magic, "CSTJRNL1", 8);
    whole.sum = cst_checksum(0, &whole, sizeof whole - sizeof whole.sum);
    write_bytes(journal, &whole, sizeof whole);
    assert_null(cst_cache_open(path, message, sizeof message));
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size > 0); /* reading changes nothing */
    whole.sum ^= 1;
    write_bytes(journal, &whole, sizeof whole);
    cache = cst_cache_open(path, message, sizeof message);
    assert_non_null(cache);
    cst_cache_close(cache);
}

/* --------------------------------------------------------------------------------------------------------- checksums */

/* Frames with one item each, of three vertices. */
static void make_frames(const char *path, int frames)
{
    static const char *const names[] = {"rod"};
    const cst_cache_head head = {.dim = 2, .dt = 1, .title = "t", .scene = "{}", .source = "{}", .bodies = 1, .body_name = names};
    char message[256] = "";
    cst_cache_writer *writer = cst_cache_create(path, &head, message, sizeof message);
    assert_non_null(writer);
    for (int i = 0; i < frames; i++) {
        const cst_frame_row frame = {.time = i, .items = {i, 1}};
        const cst_item_row item = {.id = 1, .vertices = {3 * i, 3}};
        cst_vertex_row vertex[3];
        for (int k = 0; k < 3; k++)
            vertex[k] =
                (cst_vertex_row){.position = {0.1 * i + 1.0 / (k + i + 1), 1.0 / (3 * k + i + 1), 0}, .radius = 1.0 / (i + 2)};
        assert_true(cst_cache_append(writer, CST_TABLE_FRAMES, &frame, 1) &&
                    cst_cache_append(writer, CST_TABLE_ITEMS, &item, 1) &&
                    cst_cache_append(writer, CST_TABLE_VERTICES, vertex, 3));
    }
    assert_true(cst_cache_commit(writer, message, sizeof message));
    cst_cache_writer_free(writer);
}

static const int64_t framed_rows[CST_TABLES] = {[CST_TABLE_FRAMES] = 1200, [CST_TABLE_ITEMS] = 1200, [CST_TABLE_VERTICES] = 3600};

/* Reads everything. The message if it cannot. */
static bool read_whole(const char *path, char *message, size_t size)
{
    cst_cache *cache = cst_cache_open(path, message, size);
    bool ok = cache != NULL;
    for (int64_t k = 0; ok && k < cst_cache_about(cache)->frames; k += 150) {
        cst_cache_frame frame;
        ok = cst_cache_frame_read(cache, k, &frame);
        if (!ok)
            snprintf(message, size, "%s", cst_cache_message(cache));
    }
    cst_cache_close(cache);
    return ok;
}

/* A bit of every page, two pages swapped, and every page set to zeros: continuing refuses each, with the word. A reader refuses, or
 * never looked there: then all that it read is right, for every page it reads is checked. */
static void every_page_is_checked(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    static uint8_t bytes[4 << 20], hurt[4 << 20];
    char path[128], message[512] = "";
    path_of(path, "framed.h5");
    make_frames(path, 1200);
    size_t size = read_bytes(path, bytes, sizeof bytes);
    assert_true(size % PAGE == 0 && size / PAGE > 20);
    assert_true(read_whole(path, message, sizeof message));
    assert_true(cst_cache_verify(path, framed_rows, message, sizeof message));
    int refused = 0, named = 0;
    for (size_t page = 0; page < size / PAGE; page++)
        for (int how = 0; how < 3; how++) {
            memcpy(hurt, bytes, size);
            size_t other = (page + 7) % (size / PAGE);
            if (how == 0)
                hurt[page * PAGE + page * 37 % PAGE] ^= (uint8_t)(1u << page % 8);
            else if (how == 1)
                memset(hurt + page * PAGE, 0, PAGE);
            else {
                memcpy(hurt + page * PAGE, bytes + other * PAGE, PAGE);
                memcpy(hurt + other * PAGE, bytes + page * PAGE, PAGE);
            }
            if (memcmp(hurt, bytes, size) == 0)
                continue;
            write_bytes(path, hurt, size);
            message[0] = '\0';
            assert_null(cst_cache_continue(path, framed_rows, message, sizeof message));
            if (!strstr(message, "damaged") || strstr(message, "memory"))
                fail_msg("page %zu: %s", page, message);
            assert_false(cst_cache_verify(path, framed_rows, message, sizeof message));
            message[0] = '\0';
            if (!read_whole(path, message, sizeof message)) {
                refused++;
                named += strstr(message, " of frame ") && strstr(message, "/vertices/");
                if (!strstr(message, "damaged") || strstr(message, "memory"))
                    fail_msg("page %zu: %s", page, message);
            }
        }
    assert_true(refused > 20 && named > 5);
}

/* As another program changes it. HDF5 cuts the checksums off when it closes the file. */
static hid_t open_foreign(const char *path, int format)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0);
    H5Aclose(attribute);
    return file;
}

static void formats_without_checksums(void **state)
{
    (void)state;
    char path[128], message[512] = "";
    path_of(path, "older.h5");
    make_frames(path, 300);
    H5Fclose(open_foreign(path, 3));
    assert_true(read_whole(path, message, sizeof message)); /* a file of format 3 has none */
    H5Fclose(open_foreign(path, CST_CACHE_FORMAT_VERSION));
    assert_false(read_whole(path, message, sizeof message));
    assert_non_null(strstr(message, "its checksums are missing"));
}

static void replace_time(hid_t file, hid_t (*make)(hid_t file))
{
    assert_true(H5Ldelete(file, "/frames/time", H5P_DEFAULT) >= 0);
    hid_t made = make(file);
    if (made >= 0)
        H5Dclose(made);
    H5Fclose(file);
}

static hid_t soft_link(hid_t file)
{
    assert_true(H5Lcreate_soft("/frames/step", file, "/frames/time", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    return -1;
}

static hid_t external_link(hid_t file)
{
    assert_true(H5Lcreate_external("framed.h5", "/frames/time", file, "/frames/time", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    return -1;
}

static hid_t external_data(hid_t file)
{
    hsize_t rows = 300;
    hid_t space = H5Screate_simple(1, &rows, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(properties, "/proc/self/maps", 0, 2400) >= 0);
    hid_t made = H5Dcreate2(file, "/frames/time", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(made >= 0);
    H5Pclose(properties);
    H5Sclose(space);
    return made;
}

static hid_t virtual_data(hid_t file)
{
    hsize_t rows = 300;
    hid_t space = H5Screate_simple(1, &rows, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_virtual(properties, space, "framed.h5", "/frames/time", space) >= 0);
    hid_t made = H5Dcreate2(file, "/frames/time", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(made >= 0);
    H5Pclose(properties);
    H5Sclose(space);
    return made;
}

/* A foreign cache must not bring other files of the reader's disk into a picture. */
static void other_files_are_not_followed(void **state)
{
    (void)state;
    static hid_t (*const make[])(hid_t) = {soft_link, external_link, external_data, virtual_data};
    static const char *const says[] = {"soft or external link", "soft or external link", "in another file", "in another file"};
    char path[128], message[512];
    path_of(path, "foreign.h5");
    for (int k = 0; k < 4; k++) {
        make_frames(path, 300);
        replace_time(open_foreign(path, 3), make[k]);
        message[0] = '\0';
        assert_false(read_whole(path, message, sizeof message));
        if (!strstr(message, says[k]) || !strstr(message, "/frames/time"))
            fail_msg("\"%s\" does not say \"%s\"", message, says[k]);
    }
}

/* Neither waits for a writer, nor is it read for ever. */
static void pipes_are_no_caches(void **state)
{
    (void)state;
    char path[128];
    path_of(path, "pipe.h5");
    assert_int_equal(mkfifo(path, 0600), 0);
    not_a_cache(path, "not a regular file");
    not_a_cache("/dev/zero", "not a regular file");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_is_the_standard_one),
        cmocka_unit_test(checkpoints_come_back),
        cmocka_unit_test(caches_come_back),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(journals),
        cmocka_unit_test(every_page_is_checked),
        cmocka_unit_test(formats_without_checksums),
        cmocka_unit_test(other_files_are_not_followed),
        cmocka_unit_test(pipes_are_no_caches),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? failed : 1;
}
