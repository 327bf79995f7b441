/** Frames of a run on demand: blocks are decoded by a worker when they are looked at, and forgotten when memory is short. */
import workerSource from "worker:./worker";
import { BlockReader, type BlockJob, type FrameData, type JobNews, type JobSetup, type TopologyData } from "./block_job";
import type { RunHead } from "./header";

/** Memory for decoded frames of one run. */
const BUDGET = 384 << 20;

export interface ShownFrame {
  index: number;
  data: FrameData;
  topology: TopologyData;
}

type Send = (job: BlockJob) => void;

function startWorker(setup: JobSetup, tell: (news: JobNews) => void): Send {
  try {
    const url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = (event: MessageEvent<JobNews>) => tell(event.data);
    worker.onerror = (event) => tell({ kind: "fault", block: -1, message: event.message || "the decoder stopped" });
    worker.postMessage({ setup });
    return (job) => worker.postMessage({ job });
  } catch {
    // A browser that allows no workers for pages from disk: decode here, between two pictures.
    const reader = new BlockReader(setup);
    return (job) => void reader.read(job, tell);
  }
}

function bytesOf(frame: FrameData): number {
  const own = frame.points.byteLength + frame.force.byteLength + frame.touch.byteLength + frame.normals.byteLength;
  return own + frame.codes.reduce((sum, code) => sum + code.byteLength, 0) + 80 * frame.contacts.count;
}

export class FrameStore {
  private readonly frames = new Map<number, FrameData[]>(); // by block, least recently used first
  private readonly topologies = new Map<number, TopologyData>();
  private readonly complete = new Set<number>();
  private readonly broken = new Set<number>();
  private readonly send: Send;
  private busy = -1;
  private wanted: number[] = [];
  private bytes = 0;

  /** news: a frame has come; fault: a block cannot be read. */
  constructor(
    private readonly head: RunHead,
    private readonly textOf: (block: number) => string,
    private readonly news: () => void,
    private readonly fault: (message: string) => void,
  ) {
    const { positionBytes, contactBytes, channels } = head;
    const setup = { head: { positionBytes, contactBytes, channels }, largestForce: head.force.largest };
    this.send = startWorker(setup, (said) => this.hear(said));
  }

  blockOf(frame: number): number {
    let low = 0;
    let high = this.head.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.head.blocks[middle]!.first <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The frame if it is here; if not it is on its way. */
  get(index: number): ShownFrame | null {
    const block = this.blockOf(index);
    this.want(block);
    const frames = this.frames.get(block);
    if (!frames) return null;
    this.frames.delete(block); // used last
    this.frames.set(block, frames);
    const data = frames[index - this.head.blocks[block]!.first];
    const topology = data && this.topologies.get(data.serial);
    return data && topology ? { index, data, topology } : null;
  }

  /** What is looked at first, then what comes next. Older wishes are dropped: who drags the slider wants the last place only. */
  private want(block: number): void {
    const next = block + 1 < this.head.blocks.length ? block + 1 : 0;
    this.wanted = [block, next].filter((each) => !this.complete.has(each) && !this.broken.has(each) && each !== this.busy);
    this.sendNext();
  }

  private sendNext(): void {
    if (this.busy >= 0) return;
    const block = this.wanted.shift();
    if (block === undefined) return;
    let text: string;
    try {
      text = this.textOf(block);
    } catch (thrown) {
      this.broken.add(block);
      this.fault(thrown instanceof Error ? thrown.message : String(thrown));
      return;
    }
    this.busy = block;
    this.frames.set(block, []);
    const { frames, bytes } = this.head.blocks[block]!;
    this.send({ block, frames, bytes, text });
  }

  private hear(said: JobNews): void {
    if (said.kind === "topology") {
      this.topologies.set(said.topology.serial, said.topology);
      return;
    }
    if (said.kind === "frame") {
      this.frames.get(said.block)?.push(said.frame);
      this.bytes += bytesOf(said.frame);
      this.news();
      return;
    }
    if (said.kind === "fault") {
      const block = said.block >= 0 ? said.block : this.busy;
      this.broken.add(block);
      this.fault(`frames ${this.rangeOf(block)}: ${said.message}`);
    } else this.complete.add(said.block);
    this.busy = -1;
    this.forget();
    this.sendNext();
  }

  private rangeOf(block: number): string {
    const range = this.head.blocks[block];
    return range ? `${range.first} to ${range.first + range.frames - 1}` : "of the run";
  }

  /** Least recently used blocks go first; the two used last stay whatever their size. */
  private forget(): void {
    for (const [block, frames] of this.frames) {
      if (this.bytes <= BUDGET || this.frames.size <= 2) return;
      if (block === this.busy) continue;
      this.frames.delete(block);
      this.complete.delete(block);
      this.bytes -= frames.reduce((sum, frame) => sum + bytesOf(frame), 0);
    }
  }

  /** Decoded so far, for those who ask how much memory it takes. */
  get memory(): number {
    return this.bytes;
  }
}
