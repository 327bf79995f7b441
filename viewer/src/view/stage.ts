/** The canvas: one or two panes side by side (above each other where it is narrow), drawn when something has changed. */
import { Color, LinearSRGBColorSpace, Vector2, Vector3, WebGLRenderer } from "three";
import type { Contacts, Item } from "../data/frame";
import type { Header } from "../data/header";
import { frameBox, PlaneCamera, SpaceCamera, type CameraControl } from "./cameras";
import { touchingOnly } from "./contact_marks";
import { pickBody } from "./pick_body";
import type { RunView, ThemeColours } from "./run_view";

export interface Pane {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Picked {
  run: number;
  contact: number;
  /** CSS pixels in the canvas. */
  x: number;
  y: number;
}

export class Stage {
  readonly control: CameraControl;
  panes: Pane[] = [];
  private readonly renderer: WebGLRenderer;
  private readonly size = new Vector2(1, 1);
  private readonly paper = new Color();
  private dirty = true;
  /** Drawn pictures so far. */
  pictures = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    header: Header,
    private readonly views: RunView[],
    private readonly cameraMoved: () => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are given as they are to be seen
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    const changed = () => {
      this.invalidate();
      this.cameraMoved();
    };
    const target = frameBox(header.runs);
    this.control =
      header.runs[0]!.dim === 2
        ? new PlaneCamera(canvas, (x, y) => this.inPane(x, y), target, changed)
        : new SpaceCamera(canvas, target, changed);
  }

  invalidate(): void {
    this.dirty = true;
  }

  setTheme(colours: ThemeColours): void {
    this.paper.setStyle(colours.paper, "srgb-linear");
    this.invalidate();
  }

  /** To the size that the page gives it; true if that has changed. */
  resize(): boolean {
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    const density = Math.min(window.devicePixelRatio || 1, 3);
    if (width === this.size.x && height === this.size.y && density === this.renderer.getPixelRatio()) return false;
    this.size.set(width, height);
    this.renderer.setPixelRatio(density);
    this.renderer.setSize(width, height, false);
    const stacked = this.views.length > 1 && width < 1.1 * height;
    this.panes = this.views.map((_, k) => {
      const n = this.views.length;
      return stacked
        ? { x: 0, y: (k * height) / n, width, height: height / n }
        : { x: (k * width) / n, y: 0, width: width / n, height };
    });
    this.control.resize(this.panes[0]!.width, this.panes[0]!.height);
    this.invalidate();
    return true;
  }

  private inPane(clientX: number, clientY: number): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const pane = this.paneAt(x, y);
    return { x: x - pane.x, y: y - pane.y };
  }

  private paneAt(x: number, y: number): Pane {
    return this.panes.find((each) => x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + each.height) ?? this.panes[0]!;
  }

  /** Draws if anything has changed since the last time. */
  draw(): boolean {
    if (!this.dirty) return false;
    this.dirty = false;
    this.drawInto(this.renderer, this.renderer.getPixelRatio());
    this.pictures++;
    return true;
  }

  private drawInto(renderer: WebGLRenderer, density: number): void {
    this.views.forEach((view, k) => {
      const pane = this.panes[k]!;
      const y = this.size.y - pane.y - pane.height;
      renderer.setViewport(pane.x, y, pane.width, pane.height);
      renderer.setScissor(pane.x, y, pane.width, pane.height);
      renderer.setClearColor(this.paper, 1);
      renderer.clear();
      view.prepare(this.control, pane.width * density, pane.height * density, density);
      view.drawShadow(renderer);
      renderer.render(view.scene, this.control.camera);
    });
  }

  /** Where a place is seen in a pane, in CSS pixels of the canvas; null behind the eye. */
  project(run: number, x: number, y: number, z: number): { x: number; y: number } | null {
    const pane = this.panes[run]!;
    const at = new Vector3(x, y, z).project(this.control.camera);
    if (at.z < -1 || at.z > 1) return null;
    return { x: pane.x + 0.5 * (at.x + 1) * pane.width, y: pane.y + 0.5 * (1 - at.y) * pane.height };
  }

  /** The contact next to the pointer, within a finger's reach. */
  pick(clientX: number, clientY: number, reach: number): Picked | null {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [clientX - box.left, clientY - box.top];
    let best: Picked | null = null;
    let distance = reach;
    this.views.forEach((view, run) => {
      const contacts = view.shown?.data.contacts;
      if (!contacts || this.paneAt(px, py) !== this.panes[run]) return;
      for (const i of view.marks.anyShown ? touchingOnly(contacts) : []) {
        const at = this.project(run, contacts.position[3 * i]!, contacts.position[3 * i + 1]!, contacts.position[3 * i + 2]!);
        const from = at ? Math.hypot(at.x - px, at.y - py) : Infinity;
        if (from < distance) {
          distance = from;
          best = { run, contact: i, ...at! };
        }
      }
    });
    return best;
  }

  /** The body or obstacle under the pointer. */
  pickBody(clientX: number, clientY: number): { run: number; item: Item } | null {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [clientX - box.left, clientY - box.top];
    if (px < 0 || py < 0 || px > box.width || py > box.height) return null;
    const pane = this.paneAt(px, py);
    const run = this.panes.indexOf(pane);
    const shown = this.views[run]?.shown;
    if (!shown) return null;
    const factor = this.control.pixelFactor();
    const pixelAt = (depth: number) => (this.control.dim === 3 ? factor * depth : factor);
    const item = pickBody(shown.topology, shown.data.points, this.control.camera, pane, pixelAt, px - pane.x, py - pane.y);
    return item ? { run, item } : null;
  }

  /** Which way the normal of a contact points on the screen: right is positive. */
  normalOnScreen(run: number, contacts: Contacts, i: number): number {
    const reach = 10 * this.control.metresPerPixel();
    const at = (k: number, far: number) => contacts.position[3 * i + k]! + far * contacts.normal[3 * i + k]!;
    const from = this.project(run, at(0, 0), at(1, 0), at(2, 0));
    const to = this.project(run, at(0, reach), at(1, reach), at(2, reach));
    return from && to ? to.x - from.x : 0;
  }

  /** The picture as it is now, in its own resolution. */
  picture(): Promise<Blob> {
    this.drawInto(this.renderer, this.renderer.getPixelRatio());
    return new Promise((done, failed) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the browser made no picture"))), "image/png"),
    );
  }
}
