#include "export/zip_store.h"

#include <string.h>
#include <zlib.h>

#include "export/export_bytes.h"

enum {
    LOCAL_HEAD = 0x04034b50,
    CENTRAL_HEAD = 0x02014b50,
    END_64 = 0x06064b50,
    END_64_LOCATOR = 0x07064b50,
    END = 0x06054b50,
    VERSION_ZIP64 = 45,
    /* value of the field "version made by", which says that the file attributes of an entry are those of Unix */
    UNIX = 3,
    FIRST_DAY = 0x21, /* date of all entries: 1980-01-01, the first date that the ZIP format can represent */
    EXTRA_ZIP64 = 1,
    MODE = 0100644
};

static void put_u16(cst_page_bytes *bytes, unsigned value)
{
    cst_page_put_u8(bytes, (uint8_t)value);
    cst_page_put_u8(bytes, (uint8_t)(value >> 8));
}

/* Writes the fields that the local header and the central header of a ZIP entry have in common: from "version needed" to the
 * length of the extra field. */
static void put_common(cst_page_bytes *bytes, const cst_zip *zip, unsigned extra)
{
    put_u16(bytes, VERSION_ZIP64);
    put_u16(bytes, 0);         /* flags */
    put_u16(bytes, 0);         /* stored */
    put_u16(bytes, 0);         /* time */
    put_u16(bytes, FIRST_DAY); /* date */
    cst_page_put_u32(bytes, zip->sum);
    cst_page_put_u32(bytes, UINT32_MAX); /* lengths are in the extra field */
    cst_page_put_u32(bytes, UINT32_MAX);
    put_u16(bytes, (unsigned)strlen(zip->name));
    put_u16(bytes, extra);
}

static bool put_out(cst_zip *zip, cst_page_bytes *bytes)
{
    const bool ok = !bytes->failed && fwrite(bytes->data, 1, bytes->count, zip->to) == bytes->count;
    zip->at += bytes->count;
    cst_page_bytes_free(bytes);
    return ok;
}

static void put_local(cst_page_bytes *bytes, const cst_zip *zip)
{
    cst_page_put_u32(bytes, LOCAL_HEAD);
    put_common(bytes, zip, 20);
    cst_export_put_text(bytes, zip->name);
    put_u16(bytes, EXTRA_ZIP64);
    put_u16(bytes, 16);
    cst_export_put_u64(bytes, zip->bytes);
    cst_export_put_u64(bytes, zip->bytes);
}

bool cst_zip_begin(cst_zip *zip, FILE *to)
{
    *zip = (cst_zip){.to = to};
    return true;
}

bool cst_zip_entry(cst_zip *zip, const char *name)
{
    snprintf(zip->name, sizeof zip->name, "%s", name);
    zip->head = zip->at;
    zip->bytes = 0;
    zip->sum = 0;
    cst_page_bytes head = {0};
    put_local(&head, zip);
    return put_out(zip, &head);
}

bool cst_zip_put(cst_zip *zip, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const size_t some = count - done < 1U << 30 ? count - done : 1U << 30; /* zlib counts with 32 bits */
        zip->sum = (uint32_t)crc32(zip->sum, (const Bytef *)bytes + done, (uInt)some);
        done += some;
    }
    zip->bytes += count;
    zip->at += count;
    return fwrite(bytes, 1, count, zip->to) == count;
}

bool cst_zip_entry_end(cst_zip *zip)
{
    cst_page_bytes head = {0}, *central = &zip->directory;
    put_local(&head, zip);
    const uint64_t end = zip->at;
    if (fseeko(zip->to, (off_t)zip->head, SEEK_SET) != 0) {
        cst_page_bytes_free(&head);
        return false;
    }
    const bool ok = put_out(zip, &head) && fseeko(zip->to, (off_t)end, SEEK_SET) == 0;
    zip->at = end;
    cst_page_put_u32(central, CENTRAL_HEAD);
    put_u16(central, UNIX << 8 | VERSION_ZIP64);
    put_common(central, zip, 28);
    put_u16(central, 0); /* comment */
    put_u16(central, 0); /* disk */
    put_u16(central, 0); /* internal attributes */
    cst_page_put_u32(central, (uint32_t)MODE << 16);
    cst_page_put_u32(central, UINT32_MAX); /* offset: see the extra field */
    cst_export_put_text(central, zip->name);
    put_u16(central, EXTRA_ZIP64);
    put_u16(central, 24);
    cst_export_put_u64(central, zip->bytes);
    cst_export_put_u64(central, zip->bytes);
    cst_export_put_u64(central, zip->head);
    zip->entries++;
    return ok && !central->failed;
}

bool cst_zip_end(cst_zip *zip)
{
    const uint64_t start = zip->at, bytes = zip->directory.count;
    cst_page_bytes last = {0};
    if (!put_out(zip, &zip->directory))
        return false;
    cst_page_put_u32(&last, END_64);
    cst_export_put_u64(&last, 44); /* bytes that follow */
    put_u16(&last, UNIX << 8 | VERSION_ZIP64);
    put_u16(&last, VERSION_ZIP64);
    cst_page_put_u32(&last, 0); /* disks */
    cst_page_put_u32(&last, 0);
    cst_export_put_u64(&last, zip->entries);
    cst_export_put_u64(&last, zip->entries);
    cst_export_put_u64(&last, bytes);
    cst_export_put_u64(&last, start);
    cst_page_put_u32(&last, END_64_LOCATOR);
    cst_page_put_u32(&last, 0);
    cst_export_put_u64(&last, start + bytes);
    cst_page_put_u32(&last, 1); /* disks */
    cst_page_put_u32(&last, END);
    cst_page_put_u32(&last, 0);
    put_u16(&last, UINT16_MAX);
    put_u16(&last, UINT16_MAX);
    cst_page_put_u32(&last, UINT32_MAX);
    cst_page_put_u32(&last, UINT32_MAX);
    put_u16(&last, 0);
    return put_out(zip, &last);
}

void cst_zip_free(cst_zip *zip)
{
    cst_page_bytes_free(&zip->directory);
}
