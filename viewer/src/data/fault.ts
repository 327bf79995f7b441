/** Data of the page that are not what they should be: the message is shown to the reader. */
export class PageFault extends Error {}

/** What to tell the reader about something that was thrown. */
export function faultText(thrown: unknown): string {
  if (thrown instanceof PageFault) return thrown.message;
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
