#include "scene/check.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/values.h"

/* Reports an error of the value `node` at a given line and column, and marks the value as faulty. */
static void list_at(cst_mistakes *mistakes, cst_json *node, int line, int column, const char *format, va_list arguments)
{
    cst_mistake_list(mistakes, node->source, line, column, cst_json_path(node, NULL, mistakes->arena), format, arguments);
    node->faulty = true;
}

void cst_mistake_at(cst_mistakes *mistakes, cst_json *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list_at(mistakes, node, node->line, node->column, format, arguments);
    va_end(arguments);
}

void cst_mistake_in(cst_mistakes *mistakes, const cst_json *object, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cst_mistake_list(mistakes, object->source, object->line, object->column, cst_json_path(object, key, mistakes->arena), format,
                     arguments);
    va_end(arguments);
}

/* Reports a key that is not allowed, at the line and column of the key and not of its value. */
__attribute__((format(printf, 3, 4))) static void mistake_at_key(cst_mistakes *mistakes, cst_json *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    list_at(mistakes, node, node->key_line, node->key_column, format, arguments);
    va_end(arguments);
}

bool cst_key_present(const cst_json *object, const char *key)
{
    for (const cst_json *member = object->first; member; member = member->next)
        if (strcmp(member->key, key) == 0 || (member->meant && strcmp(member->meant, key) == 0))
            return true;
    return false;
}

const char *cst_did_you_mean(const char *near, cst_arena *arena)
{
    cst_text text = {.arena = arena};
    if (near)
        cst_text_add(&text, "; did you mean \"%s\"?", near);
    return cst_text_all(&text);
}

int cst_section_names(const cst_section *section, unsigned variant, const char *names[CST_SECTION_KEYS_MAX])
{
    for (int i = 0; i < section->keys; i++) {
        unsigned only = section->key[i].variants;
        names[i] = only && !(only & variant) ? NULL : section->key[i].name;
    }
    return section->keys;
}

/* ------------------------------------------------------------------------------------------------------- what is expected */

static void add_range(cst_text *to, const cst_scene_key *key)
{
    if (key->low == 0.0 && key->high == 0.0)
        return;
    if (isinf(key->high)) {
        cst_text_add(to, " %s ", key->above ? ">" : ">=");
        cst_text_add_number(to, key->low);
    } else {
        cst_text_add(to, key->above ? " above " : " from ");
        cst_text_add_number(to, key->low);
        cst_text_add(to, " to ");
        cst_text_add_number(to, key->high);
    }
}

unsigned cst_kinds_here(const cst_section *root, unsigned kinds)
{
    return kinds & ~(unsigned)(root == &cst_space_section ? CST_NAMED_ROD : CST_NAMED_FIBER | CST_NAMED_SHEET);
}

const char *cst_named_kinds(unsigned kinds, cst_arena *arena)
{
    static const struct {
        unsigned kind;
        const char *name;
    } names[] = {{CST_NAMED_ROD, "a rod"},           {CST_NAMED_FIBER, "a fiber"},
                 {CST_NAMED_RIGID, "a rigid body"},  {CST_NAMED_OBSTACLE, "an obstacle"},
                 {CST_NAMED_MATERIAL, "a material"}, {CST_NAMED_CONSTRAINT, "a constraint"},
                 {CST_NAMED_LOAD, "a load"},         {CST_NAMED_GENERATOR, "a generator"},
                 {CST_NAMED_PROBE, "a probe"},       {CST_NAMED_SHEET, "a sheet"},
                 {CST_NAMED_FABRIC, "a fabric"}};
    cst_text text = {.arena = arena};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(kinds & names[i].kind))
            continue;
        kinds &= ~names[i].kind;
        cst_text_add(&text, "%s%s", text.length == 0 ? "" : kinds ? ", " : " or ", names[i].name);
    }
    return cst_text_all(&text);
}

static void add_unit(cst_text *to, const cst_scene_key *key)
{
    if (key->unit)
        cst_text_add(to, " in %s", key->unit);
}

static const char *components(const cst_scene_key *key)
{
    return key->components ? key->components : "[x, y, z]";
}

/* Descriptions of types of values for error messages, except types whose description depends on the key. */
static const struct {
    unsigned form;
    const char *words;
    bool has_unit;
} plain_forms[] = {{CST_VALUE_BOOL, "true or false", false},
                   {CST_VALUE_TEXT, "a text", false},
                   {CST_VALUE_ANGLE, "an angle, a number in rad or a text like \"30deg\"", false},
                   {CST_VALUE_VECTOR, "[x, y]", true},
                   {CST_VALUE_POINTS, "an array of pairs [x, y]", true},
                   {CST_VALUE_OBJECT, "an object {...}", false},
                   {CST_VALUE_LIST, "an array of objects [{...}, ...]", false},
                   {CST_VALUE_NAME, "a name of letters, digits, _ and -", false},
                   {CST_VALUE_PARTIES, "an array of two names", false}};

static void add_form(cst_text *to, const cst_scene_key *key, unsigned form)
{
    for (size_t i = 0; i < sizeof plain_forms / sizeof plain_forms[0]; i++)
        if (plain_forms[i].form == form) {
            cst_text_add(to, "%s", plain_forms[i].words);
            if (plain_forms[i].has_unit)
                add_unit(to, key);
            return;
        }
    switch (form) {
    case CST_VALUE_VECTOR3:
    case CST_VALUE_POINTS3:
        cst_text_add(to, "%s%s", form == CST_VALUE_POINTS3 ? "an array of triples " : "", components(key));
        add_unit(to, key);
        break;
    case CST_VALUE_REALS:
        cst_text_add(to, (key->forms & CST_VALUE_REAL) ? "an array of such numbers" : "an array of numbers");
        break;
    case CST_VALUE_CHOICE:
        cst_text_add(to, cst_key_choices(key) > 1 ? "one of " : "");
        for (int i = 0; cst_key_choice(key, i); i++)
            cst_text_add(to, "%s\"%s\"", i ? ", " : "", cst_key_choice(key, i));
        break;
    case CST_VALUE_REFERENCE:
        cst_text_add(to, "the name of %s", cst_named_kinds(key->kinds, to->arena));
        break;
    default: /* a number */
        if (key->low == key->high && key->low != 0.0) {
            cst_text_add_number(to, key->low);
            break;
        }
        cst_text_add(to, form == CST_VALUE_REAL ? "a number" : "a whole number");
        add_range(to, key);
        add_unit(to, key);
    }
}

const char *cst_key_expects(const cst_scene_key *key, cst_arena *arena)
{
    cst_text text = {.arena = arena};
    unsigned left = key->forms;
    for (unsigned form = 1; left; form <<= 1) {
        if (!(left & form))
            continue;
        left &= ~form;
        cst_text_add(&text, "%s", text.length == 0 ? "" : left ? ", " : " or ");
        add_form(&text, key, form);
    }
    return cst_text_all(&text);
}

/* ------------------------------------------------------------------------------------------------------------ single values */

typedef struct checker {
    cst_mistakes *mistakes;
    cst_arena *arena;
    const cst_section *root;
} checker;

static void check_object(checker *check, const cst_section *section, cst_json *node);

static void found_instead(checker *check, const cst_scene_key *key, cst_json *node)
{
    cst_mistake_at(check->mistakes, node, "expected %s; found %s", cst_key_expects(key, check->arena),
                   cst_json_kind_name(node->kind));
}

static bool in_range(const cst_scene_key *key, double number)
{
    if (key->low == 0.0 && key->high == 0.0)
        return true;
    return (key->above ? number > key->low : number >= key->low) && number <= key->high;
}

static bool check_number(checker *check, const cst_scene_key *key, cst_json *node)
{
    bool whole = !(key->forms & CST_VALUE_INTEGER) || node->number == floor(node->number);
    if (whole && in_range(key, node->number))
        return true;
    if (key == cst_section_key(check->root, "capstan") && whole && node->number > key->high) {
        cst_mistake_at(check->mistakes, node,
                       "version %g of the scene language is newer than this Capstan, which reads version %g: update Capstan, or "
                       "write %g",
                       node->number, key->high, key->high);
        return false;
    }
    cst_text number = {.arena = check->arena};
    cst_text_add_number(&number, node->number);
    cst_mistake_at(check->mistakes, node, "%s is %s: expected %s", cst_text_all(&number), whole ? "out of range" : "not whole",
                   cst_key_expects(key, check->arena));
    return false;
}

/* Returns true if `key` is the shape of an obstacle or a rigid body, and `text` is a valid shape in scenes of the other dimension
 * (3D for a 2D scene, 2D for a 3D scene). */
static bool is_shape_elsewhere(const checker *check, const cst_scene_key *key, const char *text)
{
    static const char *const lists[] = {"obstacles", "rigid_bodies"};
    const cst_section *other = check->root == &cst_space_section ? &cst_scene_section : &cst_space_section;
    for (int i = 0; i < 2; i++) {
        const cst_section *own = cst_section_key(check->root, lists[i])->section;
        const cst_section *there = cst_section_key(other, lists[i])->section;
        if (cst_section_key(own, "shape") == key)
            return cst_key_choice_number(cst_section_key(there, "shape"), text) >= 0;
    }
    return false;
}

static void check_text(checker *check, const cst_scene_key *key, cst_json *node)
{
    double angle;
    unsigned forms = key->forms;
    if (forms & CST_VALUE_CHOICE) {
        if (cst_key_choice_number(key, node->text) >= 0)
            return;
        if (is_shape_elsewhere(check, key, node->text)) {
            const bool space = check->root == &cst_space_section;
            cst_mistake_at(check->mistakes, node, "\"%s\" is for scenes of %s: expected \"dim\": %d in the scene, or %s",
                           node->text, space ? "the plane" : "space", space ? 2 : 3, cst_key_expects(key, check->arena));
            return;
        }
        const char *names[CST_SECTION_KEYS_MAX] = {NULL};
        int count = cst_key_choices(key);
        for (int i = 0; i < count; i++)
            names[i] = cst_key_choice(key, i);
        cst_mistake_at(check->mistakes, node, "\"%s\" is not known: expected %s%s", node->text,
                       cst_key_expects(key, check->arena),
                       cst_did_you_mean(cst_nearest_name(node->text, names, count), check->arena));
    } else if (forms & CST_VALUE_ANGLE) {
        if (!cst_angle_read(node->text, &angle))
            cst_mistake_at(check->mistakes, node, "\"%s\" is not an angle: expected a number in rad, or a text like \"30deg\"",
                           node->text);
    } else if (forms & CST_VALUE_NAME) {
        size_t length = strspn(node->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
        if (length == 0 || node->text[length] != '\0')
            cst_mistake_at(check->mistakes, node, "\"%s\" is not a name: expected letters, digits, _ and -", node->text);
    } else if (!(forms & (CST_VALUE_TEXT | CST_VALUE_REFERENCE))) {
        found_instead(check, key, node);
    }
}

/* Checks that the array `node` contains only numbers, and that it has `count` of them. If `count` is 0, the array may have any
 * positive number of them, and each must be in the range of the key. */
static void check_numbers(checker *check, const cst_scene_key *key, cst_json *node, int count)
{
    for (cst_json *child = node->first; child; child = child->next) {
        if (child->kind != CST_JSON_NUMBER) {
            cst_mistake_at(check->mistakes, child, "expected a number%s%s; found %s", key->unit ? " in " : "",
                           key->unit ? key->unit : "", cst_json_kind_name(child->kind));
            node->faulty = true;
        } else if (count == 0 && !check_number(check, key, child)) {
            node->faulty = true;
        }
    }
    if (!node->faulty && (count ? node->count != count : node->count == 0))
        cst_mistake_at(check->mistakes, node, "expected %s; found %d numbers",
                       count == 3 ? components(key)
                       : count    ? "[x, y]"
                                  : cst_key_expects(key, check->arena),
                       node->count);
}

static void check_points(checker *check, const cst_scene_key *key, cst_json *node, int count)
{
    for (cst_json *child = node->first; child; child = child->next) {
        if (child->kind == CST_JSON_ARRAY)
            check_numbers(check, key, child, count);
        else
            cst_mistake_at(check->mistakes, child, "expected %s; found %s", count == 3 ? components(key) : "[x, y]",
                           cst_json_kind_name(child->kind));
        node->faulty = node->faulty || child->faulty;
    }
}

static void check_array(checker *check, const cst_scene_key *key, cst_json *node)
{
    bool nested = node->first && node->first->kind == CST_JSON_ARRAY;
    if (key->forms & CST_VALUE_VECTOR) {
        check_numbers(check, key, node, 2);
    } else if ((key->forms & CST_VALUE_POINTS3) && (nested || !(key->forms & CST_VALUE_VECTOR3))) {
        check_points(check, key, node, 3);
    } else if (key->forms & CST_VALUE_VECTOR3) {
        check_numbers(check, key, node, 3);
    } else if (key->forms & CST_VALUE_REALS) {
        check_numbers(check, key, node, 0);
    } else if (key->forms & CST_VALUE_POINTS) {
        check_points(check, key, node, 2);
    } else if (key->forms & CST_VALUE_LIST) {
        for (cst_json *child = node->first; child; child = child->next)
            check_object(check, key->section, child);
    } else if (key->forms & CST_VALUE_PARTIES) {
        for (cst_json *child = node->first; child; child = child->next) {
            if (child->kind != CST_JSON_TEXT) {
                cst_mistake_at(check->mistakes, child, "expected the name of %s; found %s",
                               cst_named_kinds(cst_kinds_here(check->root, key->kinds), check->arena),
                               cst_json_kind_name(child->kind));
                node->faulty = true;
            }
        }
        if (!node->faulty && node->count != 2)
            cst_mistake_at(check->mistakes, node, "expected two names; found %d", node->count);
    } else {
        found_instead(check, key, node);
    }
}

static void check_value(checker *check, const cst_scene_key *key, cst_json *node)
{
    switch (node->kind) {
    case CST_JSON_NUMBER:
        if (key->forms & (CST_VALUE_REAL | CST_VALUE_INTEGER | CST_VALUE_ANGLE))
            check_number(check, key, node);
        else
            found_instead(check, key, node);
        break;
    case CST_JSON_TEXT:
        check_text(check, key, node);
        break;
    case CST_JSON_ARRAY:
        check_array(check, key, node);
        break;
    case CST_JSON_OBJECT:
        if (key->forms & CST_VALUE_OBJECT)
            check_object(check, key->section, node);
        else
            found_instead(check, key, node);
        break;
    default:
        if (node->kind != CST_JSON_BOOL || !(key->forms & CST_VALUE_BOOL))
            found_instead(check, key, node);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ objects */

/* Returns the variant of a scene object as a bit mask with one set bit. A section of the schema can have variants: for example,
 * the shape of an obstacle selects which keys the obstacle may have. If the section has no variants, or if the variant of the
 * object is unknown, returns CST_ALWAYS (all bits set). */
static unsigned variant_of(const cst_section *section, const cst_json *node)
{
    const cst_json *by = section->by ? cst_json_find(node, section->by) : NULL;
    int number = by && by->kind == CST_JSON_TEXT ? cst_key_choice_number(cst_section_key(section, section->by), by->text) : -1;
    return number < 0 ? CST_ALWAYS : 1u << number;
}

static void unknown_key(checker *check, const cst_section *section, unsigned variant, cst_json *member)
{
    cst_text text = {.arena = check->arena};
    const char *names[CST_SECTION_KEYS_MAX] = {NULL};
    const cst_section *other = section == &cst_scene_section ? &cst_space_section : &cst_scene_section;
    if (section == check->root && cst_section_key(other, member->key)) {
        mistake_at_key(check->mistakes, member, "is for scenes of %s: expected \"dim\": %d beside it, or \"%s\"",
                       other == &cst_space_section ? "space" : "the plane", other == &cst_space_section ? 3 : 2,
                       other == &cst_space_section ? "rods" : "fibers");
        return;
    }
    /* If the shape of an object exists only in scenes of the other dimension (2D or 3D), only the shape is reported as an error,
     * and not the unknown keys of the object. */
    const cst_json *shape = section->by ? cst_json_find(member->parent, section->by) : NULL;
    if (shape && shape->kind == CST_JSON_TEXT && is_shape_elsewhere(check, cst_section_key(section, section->by), shape->text)) {
        member->faulty = true;
        return;
    }
    int count = cst_section_names(section, variant, names);
    const char *near = member->meant = cst_nearest_name(member->key, names, count);
    for (int i = 0; i < count && !near; i++)
        if (names[i])
            cst_text_add(&text, "%s%s", text.length ? ", " : "; expected one of ", names[i]);
    mistake_at_key(check->mistakes, member, "unknown key%s%s", cst_did_you_mean(near, check->arena), cst_text_all(&text));
}

/* Reports an error for a key that objects of the section can have, but not objects of this variant (for example of this
 * shape). */
static void misplaced_key(checker *check, const cst_section *section, const cst_scene_key *key, unsigned variant,
                          cst_json *member)
{
    const cst_scene_key *by = cst_section_key(section, section->by);
    cst_text text = {.arena = check->arena};
    const char *own = "";
    for (int i = 0; cst_key_choice(by, i); i++) {
        if (key->variants >> i & 1)
            cst_text_add(&text, "%s\"%s\"", text.length ? " or " : "", cst_key_choice(by, i));
        if (variant == 1u << i)
            own = cst_key_choice(by, i);
    }
    mistake_at_key(check->mistakes, member, "is for the %s %s, not for \"%s\"", section->by, cst_text_all(&text), own);
}

static bool in_template(const cst_section *section, const cst_json *node)
{
    const cst_section *outer = node->parent ? node->parent->role : NULL;
    return section->template_too && outer && outer->repeated;
}

static void check_missing(checker *check, const cst_section *section, unsigned variant, const cst_json *node)
{
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        bool needed = key->required && (key->required == CST_ALWAYS || (variant != CST_ALWAYS && (key->required & variant)));
        if ((key->forms & CST_VALUE_NAME) && in_template(section, node))
            needed = false;
        if (needed && !cst_key_present(node, key->name))
            cst_mistake_in(check->mistakes, node, key->name, "is missing: expected %s", cst_key_expects(key, check->arena));
    }
}

/* Checks a group of keys that exclude each other: at most one key is given, and exactly one if the group is required. */
static void check_group(checker *check, const cst_section *section, const cst_json *node, const cst_scene_key *lead)
{
    cst_json *first = NULL;
    cst_text names = {.arena = check->arena};
    bool present = false;
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        if (!key->group || strcmp(key->group, lead->group) != 0)
            continue;
        cst_text_add(&names, "%s%s", names.length ? " or " : "", key->name);
        present = present || cst_key_present(node, key->name);
        cst_json *member = cst_json_find(node, key->name);
        if (member && first) {
            bool later = member->index > first->index;
            mistake_at_key(check->mistakes, later ? member : first, "cannot be given together with %s",
                           later ? first->key : member->key);
        }
        first = first ? first : member;
    }
    if (!present && lead->group_required)
        cst_mistake_in(check->mistakes, node, lead->name, "is missing: expected %s", cst_text_all(&names));
}

static void check_object(checker *check, const cst_section *section, cst_json *node)
{
    if (node->kind != CST_JSON_OBJECT) {
        cst_mistake_at(check->mistakes, node, "expected an object {...}; found %s", cst_json_kind_name(node->kind));
        return;
    }
    node->role = section;
    unsigned variant = variant_of(section, node);
    for (cst_json *member = node->first; member; member = member->next) {
        const cst_scene_key *key = cst_section_key(section, member->key);
        if (!key) {
            unknown_key(check, section, variant, member);
        } else if (key->variants && !(key->variants & variant)) {
            misplaced_key(check, section, key, variant, member);
        } else if ((key->forms & CST_VALUE_NAME) && in_template(section, node)) {
            mistake_at_key(check->mistakes, member,
                           "what a generator repeats has no name: the bodies are called after the generator");
        } else {
            check_value(check, key, member);
        }
    }
    check_missing(check, section, variant, node);
    for (int i = 0; i < section->keys; i++) {
        const cst_scene_key *key = &section->key[i];
        bool leads = key->group && !(key->variants && !(key->variants & variant));
        for (int k = 0; k < i && leads; k++)
            leads = !section->key[k].group || strcmp(section->key[k].group, key->group) != 0;
        if (leads)
            check_group(check, section, node, key);
    }
}

void cst_scene_check_keys(cst_json *root, cst_mistakes *mistakes)
{
    checker check = {.mistakes = mistakes, .arena = mistakes->arena, .root = cst_root_section(root)};
    if (root->kind == CST_JSON_OBJECT)
        check_object(&check, check.root, root);
    else
        cst_mistake_at(mistakes, root, "a scene is an object {...}; found %s", cst_json_kind_name(root->kind));
}
