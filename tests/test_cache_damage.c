/* Results that are not as they were written: damaged checkpoints, caches that are none, journals that are not whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
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
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? failed : 1;
}
