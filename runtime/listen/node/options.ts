import type { Timeouts } from "../../base/config/settings.ts";
import type { ListenAddress } from "../../base/env.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";

/** The largest limit of a head that `node:http` accepts. */
export const maxNodeHeaderBytes = 1_048_576;

export interface NodeListenerOptions {
  readonly address: ListenAddress;
  readonly pipeline: Pipeline;
  readonly timeouts: Timeouts;
  /** Receives errors that the pipeline did not handle. */
  readonly onError: (error: unknown) => void;
}
