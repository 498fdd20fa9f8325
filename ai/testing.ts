/**
 * Models without a network: a scripted model, and recordings of a real one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { user } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const model = scriptedModel(["Good morning"]);
 * assertEquals((await model.chat({ messages: [user("Hi")] })).text, "Good morning");
 * assertEquals(model.requests[0]?.text, "Hi");
 * ```
 *
 * @module
 */

export * from "./test_models/recorded_fetch.ts";
export * from "./test_models/scripted_model.ts";
