#include "cache/cache_types.h"

#include <string.h>

#include "exchange/hdf5_dataset.h"

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

hid_t cst_field_in_file(const cst_cache_column *column, cst_cache_detail detail)
{
    switch (column->type) {
    case CST_FIELD_REAL:
        return detail == CST_DETAIL_LIGHT && column->light == CST_LIGHT_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
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

cst_cache_detail cst_cache_detail_read(hid_t file)
{
    char text[16] = "";
    if (H5Aexists_by_name(file, "/", "detail", H5P_DEFAULT) <= 0)
        return CST_DETAIL_FULL;
    hid_t attribute = H5Aopen_by_name(file, "/", "detail", H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) < sizeof text &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, text) < 0)
        text[0] = '\0';
    cst_h5_close(space);
    cst_h5_close(type);
    cst_h5_close(attribute);
    return strncmp(text, "light", sizeof text) == 0 ? CST_DETAIL_LIGHT : CST_DETAIL_FULL;
}
