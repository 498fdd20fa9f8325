/** Tells the processes of one application apart in the log. */
const processPart = crypto.randomUUID().replaceAll("-", "").slice(0, 12);

let count = 0;

/**
 * Makes an id for a request: unique across processes, cheap, and no secret. A random UUID costs
 * several times as much (`bench/http`).
 */
export function newRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36).padStart(6, "0")}`;
}
