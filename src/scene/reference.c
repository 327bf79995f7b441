/* Writes the reference of the scene language in Markdown: one table of keys for each section. */
#include <string.h>

#include "scene/c_locale.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "scene/schema.h"

/* Escapes "|" in table cells. */
static void add_cell(cst_text *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            cst_text_add(to, "\\");
        cst_text_add_bytes(to, text, 1);
    }
}

static void add_default(cst_text *to, const cst_scene_key *key)
{
    if (key->required == CST_ALWAYS)
        cst_text_add(to, "**required**");
    else if (key->otherwise && key->otherwise[0] == ' ')
        cst_text_add(to, "%s", key->otherwise + 1);
    else if (key->otherwise)
        cst_text_add(to, "`%s`", key->otherwise);
    else if (key->group_required)
        cst_text_add(to, "one is required");
}

/* If a key exists only for some variants of a section (for example, some shapes of an obstacle), writes these variants, such as
 * "For `disk`, `chain`: ". */
static void add_variants(cst_text *to, const cst_section *section, const cst_scene_key *key)
{
    const cst_scene_key *by = section->by ? cst_section_key(section, section->by) : NULL;
    bool first = true;
    for (int i = 0; by && key->variants && cst_key_choice(by, i); i++) {
        if (!(key->variants >> i & 1))
            continue;
        cst_text_add(to, "%s%s", first ? "For `" : ", `", cst_key_choice(by, i));
        cst_text_add(to, "`");
        first = false;
    }
    cst_text_add(to, first ? "" : ": ");
}

static void add_section(cst_text *to, const cst_section *section)
{
    cst_text_add(to, "\n### %s\n\n%s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", section->name, section->about);
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        cst_text_add(to, "| `%s` | ", key->name);
        add_cell(to, cst_key_expects(key, to->arena));
        if (key->section)
            cst_text_add(to, " ([%s](#%s))", key->section->name, key->section->name);
        cst_text_add(to, " | ");
        add_default(to, key);
        cst_text_add(to, " | ");
        add_variants(to, section, key);
        add_cell(to, key->about);
        cst_text_add(to, " |\n");
    }
}

bool cst_scene_write_reference(FILE *to)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_text text = {.arena = &arena};
    cst_c_locale locale = cst_c_locale_enter();
    for (int i = 0; cst_scene_sections[i]; i++)
        add_section(&text, cst_scene_sections[i]);
    cst_c_locale_leave(locale);
    bool written = !arena.failed && fwrite(text.at, 1, text.length, to) == text.length;
    cst_arena_end(&arena);
    return written;
}
