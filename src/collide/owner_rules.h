/* Decides which bodies and obstacles are allowed to touch each other. The body or obstacle to which a shape belongs is called the
 * owner of the shape. */
#ifndef CST_COLLIDE_OWNER_RULES_H
#define CST_COLLIDE_OWNER_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CST_OWNER_FIXED = 1,        /* an obstacle: two obstacles never touch */
    CST_OWNER_SELF_CONTACT = 2, /* an owner that is allowed to touch itself */
    CST_OWNER_GHOST = 4         /* an owner that touches nothing */
};

typedef struct cst_owner_pair {
    int32_t low, high;
} cst_owner_pair;

/* Returns true if two owners are allowed to touch. `apart`: sorted list of pairs of owners that never touch each other; in each
 * pair, the lower index comes first. */
bool cst_owners_touch(const cst_owner_pair *apart, int aparts, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two);

/* Hash keys of the data on which the results of cst_owners_touch depend. The function cst_apart_key returns a hash key of the
 * list of pairs of owners that never touch. The function cst_owner_key_add adds an owner and its flags to a hash key. */
uint64_t cst_apart_key(const cst_owner_pair *apart, int aparts);
void cst_owner_key_add(uint64_t *key, int32_t owner, uint8_t flags);

#endif
