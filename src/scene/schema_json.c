/* Writes the JSON Schema (draft 2020-12) of the scene language for editors, as far as JSON Schema can express the table of keys.
 * Only `capstan check` tells whether names exist and numbers are consistent.
 *
 * A file that extends another file is allowed to omit required keys. For files that extend another file, the schema therefore has
 * a second definition of each section (kind of object), with the prefix "partial_". In such a definition only names are required.
 * A definition with the suffix "_template" is for objects that a generator repeats; such an object has no key `name`. */
#include <math.h>
#include <string.h>

#include "scene/c_locale.h"
#include "scene/json.h"
#include "scene/schema.h"

typedef struct variant {
    bool partial, template;
} variant;

static void add_limits(cst_text *to, const cst_scene_key *key)
{
    if (key->low == 0.0 && key->high == 0.0)
        return;
    cst_text_add(to, key->above ? ", \"exclusiveMinimum\": " : ", \"minimum\": ");
    cst_text_add_number(to, key->low);
    if (!isinf(key->high)) {
        cst_text_add(to, ", \"maximum\": ");
        cst_text_add_number(to, key->high);
    }
}

static void add_reference(cst_text *to, const cst_section *section, variant as)
{
    cst_text_add(to, "{\"$ref\": \"#/$defs/%s%s%s\"}", as.partial ? "partial_" : "", section->name,
                 as.template ? "_template" : "");
}

#define NUMBERS(count) \
    "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": " count ", \"maxItems\": " count "}"

/* JSON Schema of each kind of value (cst_value_form) for which the schema does not depend on the key. The function add_form
 * writes the schema of each kind whose schema depends on the key, for example of a number with limits. All remaining kinds are
 * strings. */
static const struct {
    unsigned form;
    const char *type;
} plain_forms[] = {
    {CST_VALUE_BOOL, "{\"type\": \"boolean\"}"},
    {CST_VALUE_ANGLE, "{\"type\": \"number\"}, {\"type\": \"string\", \"pattern\": \"^[-+0-9.eE]+ *(deg|rad)$\"}"},
    {CST_VALUE_VECTOR, NUMBERS("2")},
    {CST_VALUE_VECTOR3, NUMBERS("3")},
    {CST_VALUE_POINTS, "{\"type\": \"array\", \"items\": " NUMBERS("2") "}"},
    {CST_VALUE_POINTS3, "{\"type\": \"array\", \"items\": " NUMBERS("3") "}"},
    {CST_VALUE_NAME, "{\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9_-]+$\"}"},
    {CST_VALUE_PARTIES, "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, \"maxItems\": 2}"}};

static const char *plain_form(unsigned form)
{
    for (size_t i = 0; i < sizeof plain_forms / sizeof plain_forms[0]; i++)
        if (plain_forms[i].form == form)
            return plain_forms[i].type;
    return "{\"type\": \"string\"}";
}

static void add_form(cst_text *to, const cst_scene_key *key, unsigned form, variant as)
{
    switch (form) {
    case CST_VALUE_REAL:
    case CST_VALUE_INTEGER:
        cst_text_add(to, "{\"type\": \"%s\"", form == CST_VALUE_REAL ? "number" : "integer");
        add_limits(to, key);
        cst_text_add(to, "}");
        break;
    case CST_VALUE_REALS:
        cst_text_add(to, "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"number\"");
        add_limits(to, key);
        cst_text_add(to, "}}");
        break;
    case CST_VALUE_CHOICE:
        cst_text_add(to, "{\"enum\": [");
        for (int i = 0; cst_key_choice(key, i); i++)
            cst_text_add(to, "%s\"%s\"", i ? ", " : "", cst_key_choice(key, i));
        cst_text_add(to, "]}");
        break;
    case CST_VALUE_OBJECT:
        add_reference(to, key->section, as);
        break;
    case CST_VALUE_LIST:
        cst_text_add(to, "{\"type\": \"array\", \"items\": ");
        add_reference(to, key->section, as);
        cst_text_add(to, "}");
        break;
    default:
        cst_text_add(to, "%s", plain_form(form));
    }
}

static void add_property(cst_text *to, const cst_scene_key *key, variant as)
{
    cst_text about = {.arena = to->arena};
    const char *otherwise = key->otherwise;
    cst_text_add(&about, "%s%s%s%s", key->about, key->unit ? " (" : "", key->unit ? key->unit : "", key->unit ? ")" : "");
    if (otherwise && otherwise[0] == ' ')
        cst_text_add(&about, " Default:%s.", otherwise);
    cst_text_add(to, "        \"%s\": {\"description\": ", key->name);
    cst_json_write_text(cst_text_all(&about), to);
    if (otherwise && otherwise[0] != ' ')
        cst_text_add(to, ", \"default\": %s", otherwise);
    cst_text_add(to, ", \"anyOf\": [");
    unsigned left = key->forms;
    for (unsigned form = 1; left; form <<= 1) {
        if (!(left & form))
            continue;
        left &= ~form;
        variant inner = {.partial = as.partial, .template = form == CST_VALUE_OBJECT && key->section->template_too};
        add_form(to, key, form, inner);
        cst_text_add(to, left ? ", " : "");
    }
    cst_text_add(to, "]}");
}

/* Adds a list of required keys of a section, such as ["a", "b"]. `which`: CST_ALWAYS lists the keys that every variant of the
 * section requires (the value of one key, such as "type", selects the variant). The bit of one variant lists the keys that this
 * variant requires in addition. */
static void add_required(cst_text *to, const cst_section *section, variant as, unsigned which)
{
    bool first = true;
    cst_text_add(to, "[");
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        bool name = key->forms & CST_VALUE_NAME;
        bool needed = which == CST_ALWAYS ? key->required == CST_ALWAYS : key->required != CST_ALWAYS && (key->required & which);
        if (name ? as.template : as.partial)
            needed = false;
        if (needed)
            cst_text_add(to, "%s\"%s\"", first ? "" : ", ", key->name);
        first = first && !needed;
    }
    cst_text_add(to, "]");
}

/* Adds the rules for groups of mutually exclusive keys: of each group, at most one key is allowed, or exactly one is required. */
static void add_groups(cst_text *to, const cst_section *section, variant as)
{
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        for (int k = i + 1; key->group && k < section->keys; k++) {
            const cst_scene_key *other = &section->key[k];
            if (!other->group || strcmp(key->group, other->group) != 0)
                continue;
            cst_text_add(to, ",\n        {\"not\": {\"required\": [\"%s\", \"%s\"]}}", key->name, other->name);
            if (key->group_required && !as.partial)
                cst_text_add(to, ",\n        {\"anyOf\": [{\"required\": [\"%s\"]}, {\"required\": [\"%s\"]}]}", key->name,
                             other->name);
        }
    }
}

/* Adds, for each variant of a section, the keys that the variant requires and the keys that it does not allow. */
static void add_variants(cst_text *to, const cst_section *section, variant as)
{
    const cst_scene_key *by = section->by ? cst_section_key(section, section->by) : NULL;
    for (int i = 0; by && cst_key_choice(by, i); i++) {
        cst_text_add(to,
                     ",\n        {\"if\": {\"properties\": {\"%s\": {\"const\": \"%s\"}}, \"required\": [\"%s\"]}, \"then\": "
                     "{\"required\": ",
                     by->name, cst_key_choice(by, i), by->name);
        add_required(to, section, as, 1u << i);
        cst_text_add(to, ", \"properties\": {");
        bool first = true;
        for (int k = 0; k < section->keys; k++) {
            const cst_scene_key *key = &section->key[k];
            if (!key->variants || (key->variants >> i & 1))
                continue;
            cst_text_add(to, "%s\"%s\": false", first ? "" : ", ", key->name);
            first = false;
        }
        cst_text_add(to, "}}}");
    }
}

static void add_section(cst_text *to, const cst_section *section, variant as, bool last)
{
    cst_text_add(to, "    \"%s%s%s\": {\n      \"description\": ", as.partial ? "partial_" : "", section->name,
                 as.template ? "_template" : "");
    cst_json_write_text(section->about, to);
    cst_text_add(to, ",\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n      \"properties\": {\n");
    bool first = true;
    for (int i = 0; i < section->keys; i++) {
        if (as.template && (section->key[i].forms & CST_VALUE_NAME))
            continue;
        cst_text_add(to, first ? "" : ",\n");
        add_property(to, &section->key[i], as);
        first = false;
    }
    cst_text_add(to, "\n      },\n      \"allOf\": [\n        {\"required\": ");
    add_required(to, section, as, CST_ALWAYS);
    cst_text_add(to, "}");
    add_groups(to, section, as);
    add_variants(to, section, as);
    cst_text_add(to, "\n      ]\n    }%s\n", last ? "" : ",");
}

bool cst_scene_write_schema(FILE *to)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_text text = {.arena = &arena};
    cst_c_locale locale = cst_c_locale_enter();
    cst_text_add(
        &text, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Capstan scene\",\n"
               "  \"description\": \"Made by capstan check --schema. Scenes are JSON with comments and trailing commas, in "
               "SI units.\",\n  \"if\": {\"required\": [\"extends\"]},\n"
               "  \"then\": {\"anyOf\": [{\"$ref\": \"#/$defs/partial_scene\"}, {\"$ref\": \"#/$defs/partial_space_scene\"}]},\n"
               "  \"else\": {\"if\": {\"properties\": {\"dim\": {\"const\": 3}}, \"required\": [\"dim\"]},\n"
               "    \"then\": {\"$ref\": \"#/$defs/space_scene\"}, \"else\": {\"$ref\": \"#/$defs/scene\"}},\n"
               "  \"$defs\": {\n");
    for (int partial = 0; partial < 2; partial++) {
        for (int i = 0; cst_scene_sections[i]; i++) {
            const cst_section *section = cst_scene_sections[i];
            bool last = partial && !cst_scene_sections[i + 1];
            add_section(&text, section, (variant){.partial = partial}, last);
            if (section->template_too)
                add_section(&text, section, (variant){.partial = partial, .template = true}, false);
        }
    }
    cst_text_add(&text, "  }\n}\n");
    cst_c_locale_leave(locale);
    bool written = !arena.failed && fwrite(text.at, 1, text.length, to) == text.length;
    cst_arena_end(&arena);
    return written;
}
