/** Series over time: the columns of a table of the page. */
import { PageFault } from "./fault";
import type { TableHead } from "./header";
import { unpack } from "./unpack";

export interface Table {
  head: TableHead;
  time: Float64Array;
  column(name: string): Float64Array | null;
}

export async function readTable(head: TableHead, text: string): Promise<Table> {
  const bytes = await unpack(text, 8 * head.rows * head.columns.length);
  if (head.columns[0]?.name !== "time") throw new PageFault(`the table ${head.name} has no times`);
  const all = new Float64Array(bytes.buffer, 0, head.rows * head.columns.length);
  const part = (c: number) => all.subarray(c * head.rows, (c + 1) * head.rows);
  return {
    head,
    time: part(0),
    column(name) {
      const c = head.columns.findIndex((each) => each.name === name);
      return c < 0 ? null : part(c);
    },
  };
}
