/** What tells caches how long a copy may be kept, beside `Cache-Control`. */
const lifetimes: readonly string[] = ["expires", "age", "cdn-cache-control", "surrogate-control"];

/** What is needed of the context, whose class imports this folder. */
interface CopySubject {
  readonly isSealed: boolean;
  made: Response | undefined;
  stagedHeaders: Headers | undefined;
  header(name: string, value: string): void;
}

/**
 * Takes back how long the answer that failed was to be kept, and by what a copy of it was to be known:
 * a cache would give the error, or the way to the sign-in, to others, and ask with the tag of what it
 * never got. That something is not there may be kept.
 */
export function forgetCopy({ stagedHeaders }: CopySubject, status: number): void {
  if (stagedHeaders === undefined) return;
  stagedHeaders.delete("etag");
  stagedHeaders.delete("last-modified");
  if (status === 404 || status === 410) return;
  for (const name of lifetimes) stagedHeaders.delete(name);
  const control = stagedHeaders.get("cache-control");
  if (control !== null && !forbidsKeeping(control)) stagedHeaders.delete("cache-control");
}

function forbidsKeeping(control: string): boolean {
  return /\bno-(?:store|cache)\b(?!=)/i.test(control);
}

/**
 * Says that nobody may keep an error that holds for one client or for a moment, unless its answer says
 * otherwise.
 */
export function forbidCopy(
  c: CopySubject,
  { response, status }: { readonly response: Response; readonly status: number },
): Response {
  if (c.isSealed || !isPassing(status)) return response;
  if (c.stagedHeaders?.has("cache-control") || response.headers.has("cache-control")) {
    return response;
  }
  // A header of the answer itself costs no merge.
  if (response === c.made) response.headers.set("cache-control", "no-store");
  else c.header("cache-control", "no-store");
  return response;
}

/** Whether the same request, of somebody else or a little later, would have another answer. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500;
}
