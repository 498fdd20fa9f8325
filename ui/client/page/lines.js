/**
 * The queue of requests for each element of the current page; the first is in flight. A later request
 * aborts a read but waits for a write.
 * @type {Map<string, any[]>}
 */
export const lines = new Map();

/** Counts page changes; earlier requests belong to another page. */
export let visit = 0;

/** Leaves the current page: aborts its reads, while its writes continue. */
export function leave() {
  visit++;
  for (const line of lines.values()) for (const one of line) if (!one.asked.isPost) one.abort();
  lines.clear();
}

// A request that outlives the page must not navigate.
addEventListener("pagehide", () => {
  for (const line of lines.values()) line[0].abort();
  lines.clear();
});
