/**
 * Node's built-ins, loaded on first use: importing them doubles the start time of a bare server
 * (`bench/start`).
 *
 * @module
 */
import type { AsyncLocalStorage } from "node:async_hooks";

type NodeBuffer = typeof import("node:buffer").Buffer;

let loadedBuffer: NodeBuffer | undefined;
let loadedCrypto: typeof import("node:crypto") | undefined;

/** Returns the global, because `process` takes twice as long to load. */
export function nodeBuffer(): NodeBuffer {
  return loadedBuffer ??= globalThis.Buffer;
}

/** Returns `node:crypto`, which takes 20 ms to load. */
export function nodeCrypto(): typeof import("node:crypto") {
  return loadedCrypto ??= process.getBuiltinModule("node:crypto");
}

/** Creates a storage whose value follows code across awaits. */
export function createStorage<T>(): AsyncLocalStorage<T> {
  const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");
  return new AsyncLocalStorage();
}

/** Returns a function that runs others in the current context: the stores that follow code across awaits. */
export function keepContext(): <T>(run: () => T) => T {
  return process.getBuiltinModule("node:async_hooks").AsyncLocalStorage.snapshot();
}
