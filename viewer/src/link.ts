/** A moment of a page as the part of its address behind "#": #t=0.35&cam=...&by=force. Whoever opens the address sees that moment. */

export interface Moment {
  /** Seconds; null: not said. */
  time: number | null;
  /** As CameraControl.state has it; null: not said, or no numbers. */
  camera: number[] | null;
  colour: string | null;
}

export function readLink(hash: string): Moment {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const time = parts.get("t");
  const camera = (parts.get("cam") ?? "").split(",").map(Number);
  return {
    time: time !== null && time.trim() !== "" && Number.isFinite(Number(time)) ? Number(time) : null,
    camera: parts.has("cam") && camera.every(Number.isFinite) ? camera : null,
    colour: parts.get("by"),
  };
}

export function writeLink(time: number, camera: number[], colour: string): string {
  const short = (x: number) => String(Number(x.toPrecision(6)));
  return `#t=${short(time)}&cam=${camera.map(short).join(",")}&by=${encodeURIComponent(colour)}`;
}
