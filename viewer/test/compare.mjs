// Two pictures of the same moment, compared: what they cover, and each body's colour.
//
// A picture is { width, height, data }, RGBA by rows, light. What a pixel has of a body is read from its colour: grey things (paper,
// obstacles, edges) have next to no chroma, that of a pixel half covered is half the body's, and light only scales it.

const PAPER = [255, 255, 255];
/** Half of what separates obstacles, the palest things, from the paper. */
const SEEN = 16;
/** Of a body's chroma: browsers take four samples per pixel, and this is between one and two of them, whatever the light. */
const THIRD = 0.33;

const chroma = ([r, g, b]) => {
  const grey = (r + g + b) / 3;
  return [r - grey, g - grey, b - grey];
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const covers = (data, i) => {
  for (let c = 0; c < 3; c++) if (Math.abs(data[4 * i + c] - PAPER[c]) > SEEN) return true;
  return false;
};

/** Which body covers most of each pixel: 0 for none, k for the k-th of the colours. */
function bodies({ data }, colours) {
  const own = colours.map(chroma);
  const out = new Uint8Array(data.length / 4);
  for (let i = 0; i < out.length; i++) {
    if (!covers(data, i)) continue;
    const seen = chroma(data.subarray(4 * i, 4 * i + 3));
    let most = THIRD;
    own.forEach((each, k) => {
      const share = dot(seen, each) / dot(each, each);
      const off = Math.hypot(...seen.map((value, c) => value - share * each[c]));
      if (share >= most && off < 0.3 * Math.hypot(...seen)) {
        most = share;
        out[i] = k + 1;
      }
    });
  }
  return out;
}

/** Of pixels that one picture or both cover: the share where both do; for each body too, with its mean colours and their largest
 * difference in any channel (0 to 255). A body that one of the pictures does not have agrees nowhere. */
export function compare(a, b, colours) {
  const pixels = a.width * a.height;
  let one = 0;
  let both = 0;
  for (let i = 0; i < pixels; i++) {
    const inA = covers(a.data, i);
    const inB = covers(b.data, i);
    if (inA || inB) one++;
    if (inA && inB) both++;
  }
  const [ofA, ofB] = [bodies(a, colours), bodies(b, colours)];
  const each = colours.map((_, k) => {
    const found = { pixels: [0, 0], colour: [[0, 0, 0], [0, 0, 0]] };
    let [either, common] = [0, 0];
    for (let i = 0; i < pixels; i++) {
      if (ofA[i] !== k + 1 && ofB[i] !== k + 1) continue;
      const has = [ofA[i] === k + 1, ofB[i] === k + 1];
      either++;
      if (has[0] && has[1]) common++;
      [a, b].forEach((picture, which) => {
        if (!has[which]) return;
        found.pixels[which]++;
        for (let c = 0; c < 3; c++) found.colour[which][c] += picture.data[4 * i + c];
      });
    }
    const mean = found.colour.map((sum, which) => sum.map((value) => value / Math.max(found.pixels[which], 1)));
    const off = Math.max(...mean[0].map((value, c) => Math.abs(value - mean[1][c])));
    return { pixels: found.pixels, agree: either > 0 ? common / either : 0, mean, off };
  });
  return { covered: one / pixels, agree: 1 - (one - both) / pixels, overlap: both / Math.max(one, 1), bodies: each };
}
