/** Depths seen from the light: an open sky with a bright place in it, fixed in the world, as in src/render/shadow.c. Made anew for a
 * frame, not for a camera. */
import {
  DepthTexture,
  Matrix4,
  NearestFilter,
  OrthographicCamera,
  UnsignedIntType,
  Vector3,
  Vector4,
  WebGLRenderTarget,
  type Scene,
  type Texture,
  type WebGLRenderer,
} from "three";
import type { Box } from "../data/header";
import type { Shared } from "./shared";

const TOWARDS = new Vector3(-0.1796, -0.4989, 0.8478);
const PIXELS = 1024;
/** From [-1, 1] to [0, 1]. */
const TO_TEXTURE = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);

export class Shadow {
  private readonly camera: OrthographicCamera;
  private readonly target: WebGLRenderTarget;
  private readonly none: Texture;
  private readonly reach: number;
  stale = true;

  constructor(
    private readonly shared: Shared,
    box: Box,
  ) {
    const middle = new Vector3(...(box.high.map((high, k) => 0.5 * (high + box.low[k]!)) as [number, number, number]));
    const reach = Math.max(0.51 * Math.hypot(...box.high.map((high, k) => high - box.low[k]!)), 1e-9);
    this.reach = reach;
    this.camera = new OrthographicCamera(-reach, reach, reach, -reach, 0, 4 * reach);
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(middle).addScaledVector(TOWARDS, 2 * reach);
    this.camera.lookAt(middle);
    this.camera.updateMatrixWorld();
    this.target = new WebGLRenderTarget(PIXELS, PIXELS, { magFilter: NearestFilter, minFilter: NearestFilter });
    this.target.depthTexture = new DepthTexture(PIXELS, PIXELS, UnsignedIntType);
    this.none = shared.shadowDepth.value;
    shared.shadowMatrix.value.copy(TO_TEXTURE).multiply(this.camera.projectionMatrix).multiply(this.camera.matrixWorldInverse);
    shared.shadowPixel.value = (2 * reach) / PIXELS;
  }

  /** hidden: what throws no shadow. */
  draw(renderer: WebGLRenderer, scene: Scene, hidden: { visible: boolean }[]): void {
    if (!this.stale) return;
    this.stale = false;
    const { shared } = this;
    const before = { pixel: shared.pixel.value, perspective: shared.perspective.value };
    const shown = hidden.map((each) => each.visible);
    hidden.forEach((each) => (each.visible = false));
    // What is drawn into cannot be read; and seen from the light, a pixel is another.
    shared.shadowDepth.value = this.none;
    shared.shadowOn.value = 0;
    shared.pixel.value = (2 * this.reach) / PIXELS;
    shared.perspective.value = 0;
    const viewport = renderer.getViewport(new Vector4());
    const scissor = renderer.getScissor(new Vector4());
    renderer.setRenderTarget(this.target);
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.setViewport(viewport);
    renderer.setScissor(scissor);
    renderer.setScissorTest(true);
    Object.assign(shared.pixel, { value: before.pixel });
    Object.assign(shared.perspective, { value: before.perspective });
    shared.shadowDepth.value = this.target.depthTexture!;
    shared.shadowOn.value = 1;
    hidden.forEach((each, k) => (each.visible = shown[k]!));
  }
}
