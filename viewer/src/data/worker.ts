/** The worker: blocks in, frames out. Jobs wait in line; the page sends the next only when one is done. */
import { BlockReader, type BlockJob, type JobNews, type JobSetup } from "./block_job";

declare const self: DedicatedWorkerGlobalScope;

let reader: BlockReader | null = null;

self.onmessage = (event: MessageEvent<{ setup: JobSetup } | { job: BlockJob }>) => {
  if ("setup" in event.data) {
    reader = new BlockReader(event.data.setup);
    return;
  }
  void reader?.read(event.data.job, (news: JobNews, transfer) => self.postMessage(news, transfer));
};
