#include "scene/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/check.h"
#include "scene/values.h"

/* Returns the number of the name space to which a kind of items (bodies, probes, ...) belongs; within a name space, all names
 * must be different. */
static int space_of(unsigned kind)
{
    return kind & CST_NAMED_PARTY ? 0 : (int)kind;
}

static int by_name(const void *left, const void *right)
{
    const cst_name_entry *a = left, *b = right;
    if (space_of(a->kind) != space_of(b->kind))
        return space_of(a->kind) < space_of(b->kind) ? -1 : 1;
    int order = strcmp(a->name, b->name);
    if (order)
        return order;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static const struct {
    const char *list;
    unsigned kind;
} lists[] = {{"rods", CST_NAMED_ROD},           {"fibers", CST_NAMED_FIBER},         {"rigid_bodies", CST_NAMED_RIGID},
             {"obstacles", CST_NAMED_OBSTACLE}, {"materials", CST_NAMED_MATERIAL},   {"constraints", CST_NAMED_CONSTRAINT},
             {"loads", CST_NAMED_LOAD},         {"generators", CST_NAMED_GENERATOR}, {"probes", CST_NAMED_PROBE},
             {"sheets", CST_NAMED_SHEET},       {"fabrics", CST_NAMED_FABRIC}};

enum { LISTS = sizeof lists / sizeof lists[0], BODIES_MAX = 200000 };

/* Returns the list that the scene gives for the key `key` (for example "fibers"), or NULL if there is none. Also returns NULL if
 * scenes of this dimension must not contain this list (for example "fibers" in 2D), because the check of keys has already
 * reported the list as an error. */
static cst_json *list_of(const cst_json *root, const char *key)
{
    cst_json *list = cst_section_key(cst_root_section(root), key) ? cst_given(root, key) : NULL;
    return list && list->kind == CST_JSON_ARRAY ? list : NULL;
}

static int list_count(const cst_json *root, const char *key)
{
    const cst_json *list = list_of(root, key);
    return list ? list->count : 0;
}

static cst_json *list_first(const cst_json *root, const char *key)
{
    const cst_json *list = list_of(root, key);
    return list ? list->first : NULL;
}

static void add_entry(cst_names *out, const char *name, unsigned kind, int number, cst_json *node)
{
    if (name)
        out->entry[out->entries++] = (cst_name_entry){.name = name, .kind = kind, .number = number, .node = node};
}

static void report_repeated(const cst_names *names, cst_mistakes *mistakes)
{
    for (int i = 1; i < names->entries; i++) {
        const cst_name_entry *first = &names->entry[i - 1], *second = &names->entry[i];
        if (space_of(first->kind) != space_of(second->kind) || strcmp(first->name, second->name) != 0)
            continue;
        /* If two items have the same name, the error is reported at the item that comes second in the file. */
        if (first->node->source == second->node->source && first->node->line > second->node->line) {
            const cst_name_entry *swap = first;
            first = second;
            second = swap;
        }
        cst_json *where = cst_json_find(second->node, "name");
        /* a generated body has no "name" of its own in the file: the error is reported at the name of its generator */
        if (!where)
            where = second->node->parent && second->node->parent->parent ? cst_json_find(second->node->parent->parent, "name")
                                                                         : second->node;
        cst_mistake_at(mistakes, where ? where : second->node, "the name \"%s\" is taken by %s in line %d", second->name,
                       cst_named_kinds(first->kind, mistakes->arena), first->node->line);
    }
}

/* Returns how many bodies the scene lists before those of the given kind, in the order rods, fibers, rigid bodies, sheets. */
static int bodies_before(const cst_json *root, unsigned kind)
{
    const int slender = list_count(root, "rods") + list_count(root, "fibers");
    return kind == CST_NAMED_RIGID ? slender : kind == CST_NAMED_SHEET ? slender + list_count(root, "rigid_bodies") : 0;
}

static void gather_lists(const cst_json *root, cst_names *out)
{
    for (int k = 0; k < LISTS; k++) {
        int number = bodies_before(root, lists[k].kind);
        for (cst_json *node = list_first(root, lists[k].list); node; node = node->next) {
            const char *name = node->role ? cst_get_text(node, "name") : NULL;
            add_entry(out, name, lists[k].kind, ++number, node);
            if (lists[k].kind & CST_NAMED_BODY)
                out->body[number - 1] = (cst_scene_body){.name = name,
                                                         .node = node,
                                                         .rigid = lists[k].kind == CST_NAMED_RIGID,
                                                         .sheet = lists[k].kind == CST_NAMED_SHEET,
                                                         .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        }
    }
}

static int count_generated(const cst_names *names, const cst_json *node)
{
    if (!node->role)
        return 0;
    return names->root == &cst_space_section ? cst_space_generator_count(node) : cst_generator_count(node);
}

static bool gather_generated(const cst_json *root, cst_names *out, cst_mistakes *mistakes, int listed)
{
    int next = listed;
    bool space = out->root == &cst_space_section;
    for (cst_json *node = list_first(root, "generators"); node; node = node->next) {
        int count = count_generated(out, node);
        if (!(space ? cst_space_generator_run : cst_generator_run)(node, count, out->body + next, mistakes))
            return false;
        for (int i = next; i < next + count; i++)
            add_entry(out, out->body[i].name,
                      out->body[i].rigid ? CST_NAMED_RIGID
                      : space            ? CST_NAMED_FIBER
                                         : CST_NAMED_ROD,
                      i + 1, out->body[i].node);
        next += count;
    }
    return true;
}

bool cst_names_gather(cst_json *root, cst_mistakes *mistakes, cst_names *out)
{
    *out = (cst_names){.root = cst_root_section(root)};
    int entries = 0, generated = 0;
    int listed = bodies_before(root, CST_NAMED_SHEET) + list_count(root, "sheets");
    for (int k = 0; k < LISTS; k++)
        entries += list_count(root, lists[k].list);
    for (cst_json *node = list_first(root, "generators"); node; node = node->next) {
        int count = count_generated(out, node);
        out->incomplete = out->incomplete || count == 0;
        if (generated + count > BODIES_MAX) {
            cst_mistake_at(mistakes, node, "the generators make more than %d bodies", BODIES_MAX);
            node->role = NULL;
            out->incomplete = true;
            continue;
        }
        generated += count;
    }
    out->bodies = listed + generated;
    out->body = CST_TAKE(mistakes->arena, cst_scene_body, out->bodies);
    out->entry = CST_TAKE(mistakes->arena, cst_name_entry, entries + generated);
    if (!out->body || !out->entry)
        return false;
    gather_lists(root, out);
    if (!gather_generated(root, out, mistakes, listed))
        return false;
    for (int i = 0; i < out->bodies; i++) {
        const cst_json *node = out->body[i].node;
        bool slender = cst_is_slender(out->body + i) && node->role;
        /* In 3D, a closed super-helix needs a constraint that joins its ends; a closed fiber whose model has nodes needs none. */
        bool joined = slender && (out->root == &cst_scene_section || cst_get_choice(node, "model") == CST_FIBER_SUPER_HELIX);
        out->rings += joined && cst_get_bool(node, "closed");
    }
    for (int i = 0; i < out->entries; i++)
        out->entry[i].number += out->entry[i].kind == CST_NAMED_CONSTRAINT ? out->rings : 0;
    qsort(out->entry, (size_t)out->entries, sizeof *out->entry, by_name);
    report_repeated(out, mistakes);
    return true;
}

const cst_name_entry *cst_names_find(const cst_names *names, unsigned kinds, const char *name)
{
    int space = space_of(kinds), low = 0, high = names->entries;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const cst_name_entry *entry = &names->entry[middle];
        int own = space_of(entry->kind);
        bool before = own != space ? own < space : strcmp(entry->name, name) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < names->entries && strcmp(names->entry[low].name, name) == 0; low++)
        if (names->entry[low].kind & kinds)
            return &names->entry[low];
    return NULL;
}

/* Returns true for a name like "pile_12", which may belong to a generated body. */
static bool may_be_generated(const char *name)
{
    const char *end = strrchr(name, '_');
    return end && end[1] && end[1 + strspn(end + 1, "0123456789")] == '\0';
}

const cst_name_entry *cst_names_refer(const cst_names *names, unsigned kinds, cst_json *node, cst_mistakes *mistakes)
{
    const cst_name_entry *found = cst_names_find(names, kinds, node->text);
    if (found || (names->incomplete && may_be_generated(node->text)))
        return found;
    kinds = cst_kinds_here(names->root, kinds);
    const char *expected = cst_named_kinds(kinds, mistakes->arena);
    const cst_name_entry *other = cst_names_find(names, kinds & CST_NAMED_PARTY ? CST_NAMED_PARTY : kinds, node->text);
    if (other) {
        cst_mistake_at(mistakes, node, "\"%s\" is %s: expected the name of %s", node->text,
                       cst_named_kinds(other->kind, mistakes->arena), expected);
        return NULL;
    }
    const char **known = CST_TAKE(mistakes->arena, const char *, names->entries);
    int count = 0;
    for (int i = 0; known && i < names->entries; i++)
        if (names->entry[i].kind & kinds)
            known[count++] = names->entry[i].name;
    const char *near = known ? cst_nearest_name(node->text, known, count) : NULL;
    cst_text list = {.arena = mistakes->arena};
    for (int i = 0; i < count && i < 8 && !near; i++)
        cst_text_add(&list, "%s\"%s\"%s", i ? ", " : "; there are ", known[i], i == 7 && count > 8 ? " and more" : "");
    cst_mistake_at(mistakes, node, "there is no \"%s\": expected the name of %s%s%s", node->text, expected,
                   cst_did_you_mean(near, mistakes->arena), count ? cst_text_all(&list) : "; there are none");
    return NULL;
}
