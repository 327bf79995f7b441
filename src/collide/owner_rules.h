/* Decides which bodies and obstacles are allowed to touch each other. The body or obstacle of a shape is called the owner of the
 * shape. */
#ifndef CST_COLLIDE_OWNER_RULES_H
#define CST_COLLIDE_OWNER_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CST_OWNER_FIXED = 1,        /* an obstacle: two obstacles never touch */
    CST_OWNER_SELF_CONTACT = 2, /* touches itself */
    CST_OWNER_GHOST = 4         /* touches nothing */
};

typedef struct cst_owner_pair {
    int32_t low, high;
} cst_owner_pair;

/* Returns true if two owners are allowed to touch. `apart`: sorted list of pairs of owners that never touch, lower index
 * first. */
bool cst_owners_touch(const cst_owner_pair *apart, int aparts, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two);

/* Hash keys of the data on which the results of cst_owners_touch depend: the list of pairs of owners, and the flags of each
 * owner. */
uint64_t cst_apart_key(const cst_owner_pair *apart, int aparts);
void cst_owner_key_add(uint64_t *key, int32_t owner, uint8_t flags);

#endif
