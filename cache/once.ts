import { type Ctx, type Key, key } from "../mod.ts";
import { isThenable } from "../runtime/addon.ts";

const Memos = key<Map<unknown, unknown>>("values of once");

/**
 * Returns a value that is computed once per request: for example the signed-in user. Layouts,
 * middleware and the page share it for the duration of the request.
 *
 * @param at The key of the value within the request; a `Key` gives it a type.
 * @param fn Computes the value, or a promise of it that concurrent callers share. Errors and
 * rejections are not cached. It must not request its own value, because it would wait for itself.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { type Ctx, key } from "@fw/fw";
 * import { once } from "@fw/fw/cache";
 * import { testRoute } from "@fw/fw/testing";
 *
 * let reads = 0;
 * const Visitor = key<string>("visitor");
 * const visitor = (c: Ctx) => once(c, Visitor, async () => `visitor ${await ++reads}`);
 * const GET = async (c: Ctx) => c.json(200, [await visitor(c), await visitor(c)]);
 * const { body } = await testRoute({ pattern: "/", methods: { GET } }, "GET", "/");
 * assertEquals(body, '["visitor 1","visitor 1"]');
 * ```
 */
export function once<T>(c: Ctx, at: string | Key<T>, fn: () => PromiseLike<T>): Promise<T>;
/** Returns a value that is computed once per request, synchronously. */
export function once<T>(c: Ctx, at: string | Key<T>, fn: () => T): T;
export function once<T>(
  c: Ctx,
  at: string | Key<T>,
  fn: () => T | PromiseLike<T>,
): T | Promise<T> {
  const memos = findMemos(c);
  if (memos.has(at)) return memos.get(at) as T | Promise<T>;
  const made = fn();
  if (!isThenable(made)) {
    memos.set(at, made);
    return made;
  }
  // One native promise for all callers, because a thenable may compute the value on each `then`.
  const promise = Promise.resolve(made as PromiseLike<T>);
  memos.set(at, promise);
  promise.catch(() => memos.delete(at));
  return promise;
}

function findMemos(c: Ctx): Map<unknown, unknown> {
  const kept = c.get(Memos);
  if (kept !== undefined) return kept;
  const memos = new Map<unknown, unknown>();
  c.set(Memos, memos);
  return memos;
}
