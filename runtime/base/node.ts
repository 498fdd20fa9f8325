/**
 * Node's built-ins, loaded on first use: importing them doubles the start time of a bare server
 * (`bench/start`).
 *
 * @module
 */
import type { AsyncLocalStorage } from "node:async_hooks";

type NodeBuffer = typeof import("node:buffer").Buffer;
type NodeCrypto = typeof import("node:crypto");
type NodeZlib = typeof import("node:zlib");

let loadedBuffer: NodeBuffer | undefined;
let loadedCrypto: NodeCrypto | undefined;

/** Returns the global, because `process` takes twice as long to load. */
export function nodeBuffer(): NodeBuffer {
  return loadedBuffer ??= globalThis.Buffer;
}

export function nodeCrypto(): NodeCrypto {
  return loadedCrypto ??= process.getBuiltinModule("node:crypto");
}

export function nodeZlib(): NodeZlib {
  return process.getBuiltinModule("node:zlib");
}

/** Creates a storage whose value follows code across awaits. */
export function createStorage<T>(): AsyncLocalStorage<T> {
  const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");
  return new AsyncLocalStorage();
}
