/* Every scene of tests/data/scenes/bad against what is said about it: all its mistakes, with file, line, column, key and words.
 *
 * NAME.json has its overrides in lines that begin with "// --set "; NAME.expected has a line per mistake as `capstan check`
 * prints it. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scene/scene.h"

enum { OVERRIDES_MAX = 32, FILES_MAX = 256, TEXT_MAX = 1 << 16 };

static char *read_file(const char *path)
{
    char *text = calloc(TEXT_MAX, 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(text);
    if (!file)
        fail_msg("%s is missing", path);
    size_t size = fread(text, 1, TEXT_MAX - 1, file);
    assert_true(size < TEXT_MAX - 1);
    fclose(file);
    return text;
}

/* Cuts the text into the overrides it begins with. */
static int take_overrides(char *text, const char **override)
{
    static const char mark[] = "// --set ";
    int count = 0;
    while (strncmp(text, mark, strlen(mark)) == 0) {
        assert_true(count < OVERRIDES_MAX);
        override[count++] = text + strlen(mark);
        text = strchr(text, '\n');
        *text++ = '\0';
    }
    return count;
}

static void print_faults(const cst_scene *scene, char *to, size_t size)
{
    const cst_scene_fault *fault;
    int count = cst_scene_faults(scene, &fault);
    size_t length = 0;
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        char place[32] = "";
        if (fault[i].line > 0)
            snprintf(place, sizeof place, "%d:%d:", fault[i].line, fault[i].column);
        length += (size_t)snprintf(to + length, size - length, "%s:%s %s%s%s\n", fault[i].file, place, fault[i].key,
                                   *fault[i].key ? ": " : "", fault[i].message);
        assert_true(length < size);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_scenes(char **name)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *ending = strstr(entry->d_name, ".json");
        if (!ending || ending[5] != '\0')
            continue;
        assert_true(count < FILES_MAX);
        size_t length = (size_t)(ending - entry->d_name);
        name[count] = calloc(length + 1, 1);
        assert_non_null(name[count]);
        memcpy(name[count++], entry->d_name, length);
    }
    closedir(folder);
    qsort(name, (size_t)count, sizeof *name, by_text);
    return count;
}

static void said_as_expected(void **state)
{
    (void)state;
    static char *name[FILES_MAX], said[TEXT_MAX];
    assert_int_equal(chdir(CAPSTAN_TEST_DATA "/scenes/bad"), 0);
    int count = list_scenes(name), mistakes = 0, differing = 0;
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s.expected", name[i]);
        char *expected = read_file(path);
        snprintf(path, sizeof path, "%s.json", name[i]);
        char *text = read_file(path);
        const char *override[OVERRIDES_MAX];
        int overrides = take_overrides(text, override);
        cst_scene *scene = cst_scene_read_file(path, override, overrides, NULL);
        assert_non_null(scene);
        print_faults(scene, said, sizeof said);
        if (strcmp(said, expected) != 0) {
            print_error("%s: expected\n%sbut it said\n%s", path, expected, said);
            differing++;
        }
        assert_true(cst_scene_faults(scene, NULL) > 0);
        mistakes += cst_scene_faults(scene, NULL);
        cst_scene_free(scene);
        free(text);
        free(expected);
        free(name[i]);
    }
    print_message("%d bad scenes, %d mistakes\n", count, mistakes);
    assert_int_equal(differing, 0);
    assert_true(count >= 40);
}

static void file_that_is_not_there(void **state)
{
    (void)state;
    cst_scene *scene = cst_scene_read_file("no/such/file.json", NULL, 0, NULL);
    const cst_scene_fault *fault;
    assert_int_equal(cst_scene_faults(scene, &fault), 1);
    assert_string_equal(fault->file, "no/such/file.json");
    assert_int_equal(fault->line, 0);
    assert_string_equal(fault->message, "cannot be read: No such file or directory");
    cst_scene_free(scene);
    scene = cst_scene_read_file(".", NULL, 0, NULL);
    assert_int_equal(cst_scene_faults(scene, &fault), 1);
    assert_string_equal(fault->message, "cannot be read: not a regular file");
    cst_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(said_as_expected), cmocka_unit_test(file_that_is_not_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
