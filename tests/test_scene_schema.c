/* What is made from the table and kept in the tree is what the table makes now. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/scene.h"
#include "scene/schema.h"

static char *read_all(FILE *file)
{
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static char *made(bool (*write)(FILE *to))
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(write(file));
    return read_all(file);
}

static void schema_is_current(void **state)
{
    (void)state;
    char *now = made(cst_scene_write_schema);
    char *kept = read_all(fopen(CAPSTAN_TEST_DATA "/../../scenes/scene.schema.json", "rb"));
    if (strcmp(now, kept) != 0)
        fail_msg("run: capstan check --schema > scenes/scene.schema.json");
    free(now);
    free(kept);
}

static void reference_is_current(void **state)
{
    (void)state;
    static const char mark[] = "<!-- From here on made by: capstan check --reference -->\n";
    char *now = made(cst_scene_write_reference);
    char *kept = read_all(fopen(CAPSTAN_TEST_DATA "/../../docs/scene.md", "rb"));
    const char *part = strstr(kept, mark);
    assert_non_null(part);
    if (strcmp(now, part + strlen(mark)) != 0)
        fail_msg("docs/scene.md: put what capstan check --reference prints behind the mark");
    free(now);
    free(kept);
}

/* The table itself: sections complete and in order, names unique, variants and groups that exist. */
static void table_is_sound(void **state)
{
    (void)state;
    for (int i = 0; cst_scene_sections[i]; i++) {
        const cst_section *section = cst_scene_sections[i];
        assert_true(section->keys <= 64);
        if (section->by)
            assert_true(cst_section_key(section, section->by)->forms & CST_VALUE_CHOICE);
        for (int k = 0; k < section->keys; k++) {
            const cst_scene_key *key = &section->key[k];
            bool listed = !key->section;
            for (int other = 0; cst_scene_sections[other]; other++)
                listed = listed || cst_scene_sections[other] == key->section;
            assert_true(listed);
            assert_true(cst_section_key(section, key->name) == key);
            assert_true((key->forms & (CST_VALUE_OBJECT | CST_VALUE_LIST)) ? key->section != NULL : key->section == NULL);
            assert_true((key->forms & CST_VALUE_CHOICE) ? cst_key_choices(key) > 0 : cst_key_choices(key) == 0);
            assert_true(!key->variants || section->by);
            assert_true(!key->stands_for || cst_section_key(key->section, key->stands_for));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schema_is_current), cmocka_unit_test(reference_is_current),
                                       cmocka_unit_test(table_is_sound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
