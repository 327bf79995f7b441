#include "collide/owner_rules.h"

#include "collide/key.h"

static bool kept_apart(const cst_owner_pair *apart, int aparts, int32_t one, int32_t two)
{
    const int32_t low = one < two ? one : two, high = one < two ? two : one;
    int from = 0, to = aparts;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const cst_owner_pair *pair = &apart[middle];
        if (pair->low < low || (pair->low == low && pair->high < high))
            from = middle + 1;
        else
            to = middle;
    }
    return from < aparts && apart[from].low == low && apart[from].high == high;
}

bool cst_owners_touch(const cst_owner_pair *apart, int aparts, int32_t one, uint8_t flags_one, int32_t two, uint8_t flags_two)
{
    if ((flags_one | flags_two) & CST_OWNER_GHOST || (flags_one & flags_two & CST_OWNER_FIXED))
        return false;
    return one == two ? (flags_one & CST_OWNER_SELF_CONTACT) != 0 : !(aparts && kept_apart(apart, aparts, one, two));
}

uint64_t cst_apart_key(const cst_owner_pair *apart, int aparts)
{
    uint64_t key = (uint64_t)aparts;
    for (int i = 0; i < aparts; ++i)
        cst_key_add(&key, (uint64_t)apart[i].low << 32 ^ (uint64_t)apart[i].high);
    return key;
}

void cst_owner_key_add(uint64_t *key, int32_t owner, uint8_t flags)
{
    cst_key_add(key, (uint64_t)owner << 8 ^ flags);
}
