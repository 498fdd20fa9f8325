import type { Handler } from "../base/types.ts";
import type { RequestContext } from "./ctx.ts";

/**
 * Puts the body's limit before a handler: a body whose announced length is over it is answered 413
 * before the handler runs; a chunked one is counted as it is read.
 */
export function limitBody(handler: Handler): Handler {
  return (c) => {
    // Handlers are called by the chain alone, which has the context itself.
    (c as RequestContext).body.refuseOversize();
    return handler(c);
  };
}
