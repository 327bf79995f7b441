/* Who may touch whom. */
#ifndef CST_COLLIDE_OWNER_RULES_H
#define CST_COLLIDE_OWNER_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CST_OWNER_FIXED = 1,        /* an obstacle: two of them never touch */
    CST_OWNER_SELF_CONTACT = 2, /* touches itself */
    CST_OWNER_GHOST = 4         /* touches nothing */
};

typedef struct cst_owner_pair {
    int32_t low, high;
} cst_owner_pair;

/* apart: (aparts) owners that never touch each other, low < high, increasing. */
bool cst_owners_touch(const cst_owner_pair *apart, int aparts, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two);

/* A key of who is apart, and the same with one more owner of a list of shapes: what the rule above knows of the list. */
uint64_t cst_apart_key(const cst_owner_pair *apart, int aparts);
void cst_owner_key_add(uint64_t *key, int32_t owner, uint8_t flags);

#endif
