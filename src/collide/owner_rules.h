/* Decides which bodies and obstacles are allowed to touch each other; a body or an obstacle is called the owner of its
 * shapes. */
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

/* Returns true if two bodies are allowed to touch. `apart` is a sorted list of pairs of bodies that never touch each other, with
 * the lower number first. */
bool cst_owners_touch(const cst_owner_pair *apart, int aparts, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two);

/* The function cst_apart_key returns a hash key of the list of pairs of bodies that never touch each other. The function
 * cst_owner_key_add adds a body and its flags to a hash key. For a list of shapes, cst_apart_key and cst_owner_key_add together
 * give a hash key of all data on which the results of cst_owners_touch depend. */
uint64_t cst_apart_key(const cst_owner_pair *apart, int aparts);
void cst_owner_key_add(uint64_t *key, int32_t owner, uint8_t flags);

#endif
