import type { Upgrade } from "../base/ctx/answers.ts";
import type { Exchange } from "../request/exchange.ts";
import type { AccessLog } from "../serve/access_log.ts";
import type { RequestMetrics } from "../serve/request_metrics.ts";

/** The last steps of a request whose connection was handed over. */
export interface UpgradeEnd {
  /**
   * Responds with the upgraded connection. If the handler returned another response, the socket is closed:
   * the server stops altogether unless it gets the response of the upgrade.
   */
  finish(c: Exchange, ended: { readonly upgraded: Upgrade; readonly response: Response }): Response;
  /** Handles a failure after the upgrade, when the request must not be read any more. */
  fail(c: Exchange, ended: { readonly upgraded: Upgrade; readonly error: unknown }): Response;
}

/** Creates the last steps of upgraded requests. */
export function createUpgradeEnd({ meter, accessLog }: {
  readonly meter: RequestMetrics | undefined;
  readonly accessLog: AccessLog;
}): UpgradeEnd {
  const handOver = (c: Exchange, upgraded: Upgrade): Response => {
    c.seal();
    meter?.end(c, 101);
    accessLog.write(c, 101);
    return upgraded.response;
  };
  /** Hands the connection over, and closes its socket as soon as it is open. */
  const abandon = (c: Exchange, upgraded: Upgrade): Response => {
    const { socket } = upgraded;
    socket.addEventListener("open", () => socket.close(1011, "the handler failed"));
    return handOver(c, upgraded);
  };
  return {
    finish: (c, { upgraded, response }) => {
      if (response === upgraded.response) return handOver(c, upgraded);
      c.log.error("the answer of an upgraded connection was dropped", { status: response.status });
      return abandon(c, upgraded);
    },
    fail: (c, { upgraded, error }) => {
      c.log.error("the handler of an upgraded connection failed", { route: c.pattern, error });
      return abandon(c, upgraded);
    },
  };
}
