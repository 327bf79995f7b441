#include "cache/cache_types.h"

hid_t cst_field_in_memory(cst_field_type type)
{
    switch (type) {
    case CST_FIELD_REAL:
        return H5T_NATIVE_DOUBLE;
    case CST_FIELD_INT32:
        return H5T_NATIVE_INT32;
    case CST_FIELD_INT64:
        return H5T_NATIVE_INT64;
    case CST_FIELD_UINT64:
        return H5T_NATIVE_UINT64;
    case CST_FIELD_BOOL:
        break;
    }
    return H5T_NATIVE_UINT8;
}

hid_t cst_field_in_file(cst_field_type type)
{
    switch (type) {
    case CST_FIELD_REAL:
        return H5T_IEEE_F64LE;
    case CST_FIELD_INT32:
        return H5T_STD_I32LE;
    case CST_FIELD_INT64:
        return H5T_STD_I64LE;
    case CST_FIELD_UINT64:
        return H5T_STD_U64LE;
    case CST_FIELD_BOOL:
        break;
    }
    return H5T_STD_U8LE;
}
