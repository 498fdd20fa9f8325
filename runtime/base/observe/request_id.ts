/** Distinguishes the processes of one application in the log. */
const processPart = crypto.randomUUID().replaceAll("-", "").slice(0, 12);

/** The last two digits of an id, base 36. */
const endings: readonly string[] = Array.from(
  { length: 1_296 },
  (_, index) => index.toString(36).padStart(2, "0"),
);

let beginning = "";
let rounds = -1;
let next = endings.length;

/**
 * Creates an id for a request: unique across processes, cheap, and no secret. A random UUID costs
 * several times as much (`bench/http`).
 */
export function newRequestId(): string {
  if (next === endings.length) {
    next = 0;
    rounds += 1;
    beginning = `${processPart}-${rounds.toString(36).padStart(4, "0")}`;
  }
  return beginning + endings[next++];
}
