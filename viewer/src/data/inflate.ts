/** Deflate (RFC 1951) in a zlib stream (RFC 1950), for browsers that have no DecompressionStream. */
import { PageFault } from "./fault";

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_BITS = 15;

function torn(): never {
  throw new PageFault("a compressed block is damaged");
}

/** A canonical Huffman code: how many symbols have each length, and the symbols in order. */
interface Code {
  count: Uint16Array;
  symbol: Uint16Array;
}

function makeCode(lengths: Uint8Array): Code {
  const count = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) count[length]!++;
  const offset = new Uint16Array(MAX_BITS + 2);
  for (let bits = 1; bits <= MAX_BITS; bits++) offset[bits + 1] = offset[bits]! + count[bits]!;
  const symbol = new Uint16Array(lengths.length);
  lengths.forEach((length, value) => {
    if (length !== 0) symbol[offset[length]!++] = value;
  });
  count[0] = 0;
  return { count, symbol };
}

class Bits {
  private at = 2; // after the zlib header
  private held = 0;
  private heldBits = 0;
  constructor(private readonly bytes: Uint8Array) {}

  take(count: number): number {
    while (this.heldBits < count) {
      if (this.at >= this.bytes.length) torn();
      this.held |= this.bytes[this.at++]! << this.heldBits;
      this.heldBits += 8;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.heldBits -= count;
    return value;
  }

  symbol(code: Code): number {
    let value = 0;
    let first = 0;
    let index = 0;
    for (let bits = 1; bits <= MAX_BITS; bits++) {
      value |= this.take(1);
      const count = code.count[bits]!;
      if (value - count < first) return code.symbol[index + (value - first)]!;
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    return torn();
  }

  /** Whole bytes from here on. */
  bytesOf(count: number): Uint8Array {
    this.held = 0;
    this.heldBits = 0;
    if (this.at + count > this.bytes.length) torn();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}

function fixedCodes(): [Code, Code] {
  const lengths = new Uint8Array(288).fill(8);
  lengths.fill(9, 144, 256);
  lengths.fill(7, 256, 280);
  return [makeCode(lengths), makeCode(new Uint8Array(30).fill(5))];
}

function dynamicCodes(bits: Bits): [Code, Code] {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const given = bits.take(4) + 4;
  const own = new Uint8Array(19);
  for (let i = 0; i < given; i++) own[CODE_LENGTH_ORDER[i]!] = bits.take(3);
  const code = makeCode(own);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = bits.symbol(code);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) torn();
    const value = symbol === 16 ? lengths[at - 1]! : 0;
    const repeat = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (at + repeat > lengths.length) torn();
    lengths.fill(value, at, at + repeat);
    at += repeat;
  }
  return [makeCode(lengths.subarray(0, literals)), makeCode(lengths.subarray(literals))];
}

/** `size` is what comes out: the page says so beforehand. */
export function inflate(packed: Uint8Array, size: number): Uint8Array {
  if (packed.length < 6 || (packed[0]! & 15) !== 8 || ((packed[0]! << 8) | packed[1]!) % 31 !== 0) torn();
  const out = new Uint8Array(size);
  const bits = new Bits(packed);
  let at = 0;
  let last = false;
  while (!last) {
    last = bits.take(1) === 1;
    const kind = bits.take(2);
    if (kind === 3) torn();
    if (kind === 0) {
      const head = bits.bytesOf(4);
      const count = head[0]! | (head[1]! << 8);
      if (at + count > size) torn();
      out.set(bits.bytesOf(count), at);
      at += count;
      continue;
    }
    const [literal, distance] = kind === 1 ? fixedCodes() : dynamicCodes(bits);
    for (let symbol = bits.symbol(literal); symbol !== 256; symbol = bits.symbol(literal)) {
      if (symbol < 256) {
        if (at >= size) torn();
        out[at++] = symbol;
        continue;
      }
      const which = symbol - 257;
      if (which >= LENGTH_BASE.length) torn();
      const length = LENGTH_BASE[which]! + bits.take(LENGTH_BITS[which]!);
      const far = bits.symbol(distance);
      if (far >= DISTANCE_BASE.length) torn();
      const back = DISTANCE_BASE[far]! + bits.take(far < 4 ? 0 : (far >> 1) - 1);
      if (back > at || at + length > size) torn();
      for (let i = 0; i < length; i++, at++) out[at] = out[at - back]!;
    }
  }
  if (at !== size || adler32(out) !== readChecksum(packed)) torn();
  return out;
}

function readChecksum(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset + packed.length - 4, 4).getUint32(0);
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 3800, bytes.length);
    for (; at < end; at++) {
      a += bytes[at]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
