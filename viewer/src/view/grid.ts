/** The squared paper behind a planar picture, or the ground below a spatial one. */
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial, Vector3, type IUniform } from "three";
import { POINTS_GLSL, SHADOW_GLSL, type Shared } from "./shared";

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundLength(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** How much of a line of squared paper is at a place. */
export const RULED_GLSL = /* glsl */ `
float ruled(vec2 at, float width) {
  vec2 off = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-9));
  return 1.0 - smoothstep(width - 0.5, width + 0.5, min(off.x, off.y));
}
`;

const VERTEX = /* glsl */ `
${POINTS_GLSL}
uniform vec4 seen;
uniform vec3 ground;  /* a point below all: only its third coordinate counts in space */
out vec2 vPlace;
out vec2 vFrom;
uniform float reach;
void main() {
#ifdef GROUND
  vec2 place = ground.xy + position.xy * reach;
  vPlace = place;
  vFrom = position.xy;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, ground.z, 1.0);
#else
  vPlace = seen.xy + position.xy * seen.zw;
  vFrom = vec2(0.0);
  gl_Position = vec4(position.xy, 0.0, 1.0);
#endif
}
`;

const FRAGMENT = /* glsl */ `
in vec2 vPlace;
in vec2 vFrom;
uniform float spacing;
uniform vec3 ink, ground;
${RULED_GLSL}
#ifdef GROUND
${SHADOW_GLSL}
#endif
void main() {
  float strong = ruled(vPlace / (5.0 * spacing), 0.7), weak = ruled(vPlace / spacing, 0.5);
  float fade = 1.0 - smoothstep(0.4, 1.0, length(vFrom));
  float alpha = fade * max(0.11 * strong, 0.05 * weak);
#ifdef GROUND
  /* A shadow is black over the paper, and the lines lie on it. */
  float dark = cameraPosition.z > ground.z ? 0.2 * fade * hiddenAt(vec3(vPlace, ground.z), (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz) : 0.0;
  float both = alpha + dark * (1.0 - alpha);
  if (both < 0.003) discard;
  gl_FragColor = vec4(ink * alpha / both, both);
  return;
#endif
  if (alpha < 0.003) discard;
  gl_FragColor = vec4(ink, alpha);
}
`;

export class Grid {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly spacing: IUniform<number> = { value: 1 };
  private readonly ground: IUniform<Vector3> = { value: new Vector3() };
  private readonly reach: IUniform<number> = { value: 1 };

  constructor(shared: Shared, dim: number) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const material = new ShaderMaterial({
      uniforms: { ...shared, spacing: this.spacing, ground: this.ground, reach: this.reach },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      defines: dim === 3 ? { GROUND: 1 } : {},
      transparent: true,
      depthTest: dim === 3,
      depthWrite: false,
      side: DoubleSide,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 0;
  }

  /** metres: what about 100 pixels are. */
  update(metres: number, ground: readonly [number, number, number], reach: number): void {
    this.spacing.value = roundLength(metres) / 5;
    this.ground.value.set(...ground);
    this.reach.value = reach;
  }
}
