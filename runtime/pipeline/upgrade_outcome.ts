import type { Upgrade } from "../base/types.ts";
import type { RequestContext } from "../request/context.ts";
import type { Compiled } from "./compiled.ts";

/** A request whose connection was handed over. */
interface Upgraded {
  readonly c: RequestContext;
  readonly upgraded: Upgrade;
}

/**
 * Answers with the connection that was handed over. Where the handler gave something else, the socket
 * is closed: the server stops altogether when the answer of an upgrade is not the one that it gets.
 */
export function finishUpgraded(
  compiled: Compiled,
  exchange: Upgraded & { readonly response: Response },
): Response {
  const { c, response, upgraded } = exchange;
  if (response === upgraded.response) return handOver(compiled, exchange);
  c.log.error("the answer of an upgraded connection was dropped", { status: response.status });
  return abandon(compiled, exchange);
}

/** Answers a failure after the connection was handed over: nothing may ask the request any more. */
export function failUpgraded(
  compiled: Compiled,
  failure: Upgraded & { readonly error: unknown },
): Response {
  const { c, error } = failure;
  c.log.error("the handler of an upgraded connection failed", { route: c.pattern, error });
  return abandon(compiled, failure);
}

/** Hands the connection over, and closes its socket as soon as it is open. */
function abandon(compiled: Compiled, exchange: Upgraded): Response {
  const { socket } = exchange.upgraded;
  socket.addEventListener("open", () => socket.close(1011, "the handler failed"));
  return handOver(compiled, exchange);
}

function handOver(compiled: Compiled, { c, upgraded }: Upgraded): Response {
  c.seal();
  compiled.meter?.end(c, 101);
  compiled.accessLog.write(c, 101);
  return upgraded.response;
}
