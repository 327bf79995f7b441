// PNG files as the browser and `capstan render` write them, 8 bits a channel, RGB or RGBA, not interlaced: RGBA by rows. The browser
// would do it too, but then all pixels would have to come out of it as text: 0.3 s of a processor for each picture, not 0.03 s.
import { inflateSync } from "node:zlib";

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Undoes the filter of each row in place: bytes of rows, each behind the number of its filter. */
function unfilter(bytes, height, stride, step) {
  for (let row = 0; row < height; row++) {
    const first = row * (stride + 1) + 1;
    const kind = bytes[first - 1];
    for (let i = 0; kind > 0 && i < stride; i++) {
      const left = i >= step ? bytes[first + i - step] : 0;
      const up = row > 0 ? bytes[first + i - stride - 1] : 0;
      const corner = i >= step && row > 0 ? bytes[first + i - stride - 1 - step] : 0;
      const guess = kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paeth(left, up, corner);
      bytes[first + i] += guess;
    }
  }
}

export function decodePng(file) {
  if (file.toString("latin1", 1, 4) !== "PNG") throw new Error("no PNG");
  const [width, height, bits, colour, interlaced] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25], file[28]];
  const step = { 2: 3, 6: 4 }[colour];
  if (!step || bits !== 8 || interlaced) throw new Error(`a PNG of colour type ${colour}, ${bits} bits, interlaced ${interlaced}`);
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const bytes = inflateSync(Buffer.concat(parts));
  const stride = step * width;
  unfilter(bytes, height, stride, step);
  const data = Buffer.alloc(4 * width * height, 255);
  for (let row = 0; row < height; row++)
    for (let x = 0, from = row * (stride + 1) + 1, to = 4 * row * width; x < width; x++, from += step, to += 4)
      for (let c = 0; c < step; c++) data[to + c] = bytes[from + c];
  return { width, height, data };
}
