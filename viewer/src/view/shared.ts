/** What all layers of a picture share: the frame's points and shades as textures, the size of a pixel, the colours of the theme.
 *
 * Layers hold indices of points, not positions: a new frame is one upload of the points, whatever is drawn from them. */
import {
  Color,
  DataTexture,
  FloatType,
  Matrix4,
  NearestFilter,
  RedFormat,
  RGBAFormat,
  UnsignedByteType,
  Vector2,
  type IUniform,
  type Texture,
} from "three";
import { padded, TEXTURE_WIDTH } from "../data/frame";

export interface Shared {
  [name: string]: IUniform;
  points: IUniform<DataTexture>;
  /** Index into the table, per point. */
  shade: IUniform<DataTexture>;
  table: IUniform<DataTexture>;
  /** Directors of fibers, a byte per component around 128; one black texel if there are none. */
  directors: IUniform<DataTexture>;
  striped: IUniform<number>;
  /** Depths seen from the light, and where in them a place is (view/shadow.ts); 0: no shadow. */
  shadowDepth: IUniform<Texture>;
  shadowMatrix: IUniform<Matrix4>;
  shadowPixel: IUniform<number>;
  shadowOn: IUniform<number>;
  /** Metres per pixel; in perspective, per metre of depth. */
  pixel: IUniform<number>;
  perspective: IUniform<number>;
  /** In pixels of the screen. */
  viewport: IUniform<Vector2>;
  /** Pixels of the screen per CSS pixel. */
  density: IUniform<number>;
  /** 1: rigid bodies are coloured by the table too. */
  tinted: IUniform<number>;
  paper: IUniform<Color>;
  ink: IUniform<Color>;
  matter: IUniform<Color>;
  rigid: IUniform<Color>;
}

export function floatTexture(points: Float32Array): DataTexture {
  return sharp(new DataTexture(points, TEXTURE_WIDTH, points.length / 4 / TEXTURE_WIDTH, RGBAFormat, FloatType));
}

export function byteTexture(shades: Uint8Array): DataTexture {
  return sharp(new DataTexture(shades, TEXTURE_WIDTH, shades.length / TEXTURE_WIDTH, RedFormat, UnsignedByteType));
}

function sharp(texture: DataTexture): DataTexture {
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.generateMipmaps = false;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

export function newShared(): Shared {
  const none = padded(0);
  return {
    points: { value: floatTexture(new Float32Array(4 * none)) },
    shade: { value: byteTexture(new Uint8Array(none)) },
    table: { value: sharp(new DataTexture(new Uint8Array(4 * 256), 256, 1)) },
    directors: { value: sharp(new DataTexture(new Uint8Array(4), 1, 1)) },
    striped: { value: 0 },
    shadowDepth: { value: sharp(new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1)) },
    shadowMatrix: { value: new Matrix4() },
    shadowPixel: { value: 1 },
    shadowOn: { value: 0 },
    pixel: { value: 1 },
    perspective: { value: 0 },
    viewport: { value: new Vector2(1, 1) },
    density: { value: 1 },
    tinted: { value: 0 },
    paper: { value: new Color() },
    ink: { value: new Color() },
    matter: { value: new Color() },
    rigid: { value: new Color() },
  };
}

/** New contents for a texture; a new texture only when the size has changed. */
export function refill(slot: IUniform<DataTexture>, data: Float32Array | Uint8Array): void {
  const old = slot.value;
  const height = data.length / (data instanceof Float32Array ? 4 : 1) / TEXTURE_WIDTH;
  if (old.image.height === height) {
    old.image.data = data as Float32Array<ArrayBuffer>;
    old.needsUpdate = true;
    return;
  }
  old.dispose();
  slot.value = data instanceof Float32Array ? floatTexture(data) : byteTexture(data);
}

/** Start of every vertex shader. */
export const POINTS_GLSL = /* glsl */ `
uniform highp sampler2D points;
uniform highp sampler2D shade;
uniform highp sampler2D table;
uniform float pixel;
uniform float perspective;
uniform float density;
uniform vec2 viewport;
uniform float tinted;
uniform vec3 paper, ink, matter, rigid;

ivec2 cellOf(float index) {
  int k = int(index + 0.5);
  return ivec2(k % ${TEXTURE_WIDTH}, k / ${TEXTURE_WIDTH});
}
vec4 pointAt(float index) {
  return texelFetch(points, cellOf(index), 0);
}
vec3 colourAt(float index) {
  float code = texelFetch(shade, cellOf(index), 0).r * 255.0;
  return texelFetch(table, ivec2(int(code + 0.5), 0), 0).rgb;
}
uniform highp sampler2D directors;
uniform float striped;
/* In the world; 0 where there is none. */
vec3 directorAt(float index) {
  if (striped < 0.5) return vec3(0.0);
  vec3 code = texelFetch(directors, cellOf(index), 0).rgb * 255.0 - 128.0;
  return code * abs(code) / 16129.0;
}
/* Metres that one CSS pixel covers at a place. */
float pixelAt(vec3 place) {
  return perspective > 0.5 ? pixel * max(-(viewMatrix * vec4(place, 1.0)).z, 0.0) : pixel;
}
`;

/** Directors of the frame as a texture of bytes. */
export function refillDirectors(slot: IUniform<DataTexture>, data: Uint8Array): void {
  const height = data.length / 4 / TEXTURE_WIDTH;
  if (slot.value.image.width === TEXTURE_WIDTH && slot.value.image.height === height) {
    slot.value.image.data = data as Uint8Array<ArrayBuffer>;
    slot.value.needsUpdate = true;
    return;
  }
  slot.value.dispose();
  slot.value = sharp(new DataTexture(data as Uint8Array<ArrayBuffer>, TEXTURE_WIDTH, height));
}

/** Share of the sky that a place does not see, from depths seen from the light: eight taps on a spiral, as wide as two pixels of
 * those. For fragment shaders of things in space, with places in the world; n in the frame of the eye. */
export const SHADOW_GLSL = /* glsl */ `
uniform highp sampler2D shadowDepth;
uniform mat4 shadowMatrix;
uniform float shadowPixel, shadowOn;
float hiddenAt(vec3 place, vec3 n) {
  if (shadowOn < 0.5) return 0.0;
  vec3 normal = normalize((vec4(n, 0.0) * viewMatrix).xyz);
  vec4 at = shadowMatrix * vec4(place + 1.5 * shadowPixel * normal, 1.0);
  vec2 texel = 1.0 / vec2(textureSize(shadowDepth, 0));
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 0.0;
  float sum = 0.0;
  float turn = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  for (int k = 0; k < 8; k++) {
    float angle = turn + 2.399963 * float(k), far = 1.8 * sqrt((float(k) + 0.5) / 8.0);
    sum += step(texture(shadowDepth, at.xy + far * texel * vec2(cos(angle), sin(angle))).r, at.z - 1e-4);
  }
  /* What is turned away from the light is dark without a test; one that just is not would be striped by depths that know no more
   * than a pixel. Its shadow is lighter, 0.6: the sky is still around it. */
  vec3 light = normalize(vec3(shadowMatrix[0].z, shadowMatrix[1].z, shadowMatrix[2].z));
  return mix(0.6, sum / 8.0, smoothstep(0.0, 0.3, -dot(light, normal)));
}
vec3 shadowed(vec3 colour, vec3 place, vec3 n) {
  return colour * (1.0 - 0.42 * hiddenAt(place, n));
}
`;

/** Light from over the left shoulder, for normals in the frame of the eye. */
export const LIGHT_GLSL = /* glsl */ `
float sunOn(vec3 n) {
  return max(dot(n, normalize(vec3(-0.45, 0.65, 0.75))), 0.0);
}
float gleamOn(vec3 n) {
  return pow(max(dot(n, normalize(vec3(-0.25, 0.38, 0.9))), 0.0), 40.0);
}
vec3 lit(vec3 colour, vec3 normal) {
  vec3 n = normalize(normal);
  float sky = 0.5 + 0.5 * n.y;
  return colour * (0.34 + 0.2 * sky + 0.56 * sunOn(n)) + 0.16 * gleamOn(n);
}
/* Softer: a rod in the plane keeps the colour that tells what it is. aside: how far across it, 1 at its sides. */
vec3 litRibbon(vec3 colour, vec2 aside) {
  vec3 n = vec3(aside, sqrt(max(0.0, 1.0 - dot(aside, aside))));
  return colour * (0.74 + 0.2 * n.z + 0.08 * sunOn(n)) + 0.1 * gleamOn(n);
}
`;
