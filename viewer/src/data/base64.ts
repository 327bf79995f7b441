import { PageFault } from "./fault";

const NONE = 255;
const VALUE = new Uint8Array(256).fill(NONE);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((digit, value) => {
  VALUE[digit.charCodeAt(0)] = value;
});

/** Bytes of a base64 text without line breaks. */
export function fromBase64(text: string): Uint8Array {
  let length = text.length;
  if (length % 4 !== 0) throw new PageFault("the data end in the middle of a number: the file was cut short");
  while (length > 0 && text.length - length < 2 && text.charCodeAt(length - 1) === 61) length--;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let wrong = 0;
  const digit = (i: number): number => {
    const code = text.charCodeAt(i);
    const value = code < 256 ? VALUE[code]! : NONE;
    wrong |= value & 192;
    return value;
  };
  const whole = length - (length % 4);
  for (let i = 0; i < whole; i += 4) {
    const group = (digit(i) << 18) | (digit(i + 1) << 12) | (digit(i + 2) << 6) | digit(i + 3);
    bytes[at++] = group >> 16;
    bytes[at++] = group >> 8;
    bytes[at++] = group;
  }
  if (length - whole >= 2) {
    const group = (digit(whole) << 18) | (digit(whole + 1) << 12) | (length - whole === 3 ? digit(whole + 2) << 6 : 0);
    bytes[at++] = group >> 16;
    if (length - whole === 3) bytes[at++] = group >> 8;
  }
  if (wrong !== 0) throw new PageFault("the data contain signs that do not belong there");
  return bytes;
}
