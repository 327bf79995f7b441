/** A block from its text to its frames, and how they travel from the worker to the page. */
import { derive, type Derived } from "./derived";
import { meshEdges, splitAtCreases, type Corners } from "./mesh";
import { PageFault, faultText } from "./fault";
import { FrameReader, TopologyRegister, type Frame, type FrameHead, type Topology } from "./frame";
import { unpack } from "./unpack";

export interface BlockJob {
  block: number;
  frames: number;
  bytes: number;
  text: string;
}

export interface JobSetup {
  head: FrameHead;
  largestForce: number;
}

export interface FrameData extends Omit<Frame, "topology">, Derived {
  serial: number;
}

export interface TopologyData extends Topology {
  edges: Uint32Array;
  /** Creases are those of the first frame that has these triangles. */
  corners: Corners;
}

export type JobNews =
  | { kind: "topology"; topology: TopologyData }
  | { kind: "frame"; block: number; index: number; frame: FrameData }
  | { kind: "done"; block: number }
  | { kind: "fault"; block: number; message: string };

export class BlockReader {
  private readonly register = new TopologyRegister();
  private announced = 0;
  private corners: Corners = { corner: new Uint32Array(0), place: new Uint32Array(0) };

  constructor(private readonly setup: JobSetup) {}

  async read(job: BlockJob, tell: (news: JobNews, transfer: Transferable[]) => void): Promise<void> {
    try {
      const bytes = await unpack(job.text, job.bytes);
      const reader = new FrameReader(bytes, this.setup.head, this.register);
      for (let index = 0; index < job.frames; index++) {
        const frame = reader.next();
        this.announce(frame, tell);
        const data = this.finish(frame);
        tell({ kind: "frame", block: job.block, index, frame: data }, buffersOf(data));
      }
      if (!reader.ended) throw new PageFault("a block of frames is damaged: there is more than its frames");
      tell({ kind: "done", block: job.block }, []);
    } catch (thrown) {
      tell({ kind: "fault", block: job.block, message: faultText(thrown) }, []);
    }
  }

  private announce({ topology, points }: Frame, tell: (news: JobNews, transfer: Transferable[]) => void): void {
    if (topology.serial === this.announced) return;
    this.announced = topology.serial;
    this.corners = splitAtCreases(points, topology);
    tell({ kind: "topology", topology: { ...topology, edges: meshEdges(topology), corners: this.corners } }, []);
  }

  private finish(frame: Frame): FrameData {
    const { topology, ...rest } = frame;
    return { ...rest, serial: topology.serial, ...derive(frame, this.setup.largestForce, this.corners) };
  }
}

function buffersOf(data: FrameData): Transferable[] {
  const arrays: ArrayBufferView[] = [data.points, ...data.codes, data.force, data.touch, data.normals];
  for (const value of Object.values(data.contacts)) if (ArrayBuffer.isView(value)) arrays.push(value);
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
