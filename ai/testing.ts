/**
 * Models without a network: one that follows a script, and recordings of a real one.
 *
 * @module
 */

export { recordedFetch, type RecordedFetchOptions } from "./test_models/recorded_fetch.ts";
export {
  type Reply,
  type ReplyToolCall,
  type Script,
  type ScriptedMessage,
  ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  type ScriptedRequest,
} from "./test_models/scripted_model.ts";
