/** Text of a data element to bytes: base64, then zlib by the browser where it can. */
import { fromBase64 } from "./base64";
import { PageFault } from "./fault";
import { inflate } from "./inflate";

/** More than any block is: a hostile header must not make the page ask for all memory. */
const LARGEST = 1 << 30;

export async function unpack(text: string, size: number): Promise<Uint8Array> {
  if (!Number.isInteger(size) || size < 0 || size > LARGEST) throw new PageFault("a block claims an impossible size");
  const packed = fromBase64(text);
  if (typeof DecompressionStream !== "undefined") return unpackNatively(packed, size);
  return inflate(packed, size);
}

async function unpackNatively(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // A fault is reported by the reading side too: it is the one that is looked at.
  writer.write(packed as Uint8Array<ArrayBuffer>).catch(() => undefined);
  writer.close().catch(() => undefined);
  const out = new Uint8Array(size);
  const reader = stream.readable.getReader();
  let at = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (at + part.value.length > size) throw new PageFault("a block is longer than it says");
      out.set(part.value, at);
      at += part.value.length;
    }
  } catch (thrown) {
    if (thrown instanceof PageFault) throw thrown;
    throw new PageFault("a compressed block is damaged");
  }
  if (at !== size) throw new PageFault("a block is shorter than it says");
  return out;
}
