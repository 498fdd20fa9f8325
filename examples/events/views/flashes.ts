import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** What the last request had to say, once; nothing when it said nothing. */
export function flashes(c: Ctx): Node | undefined {
  const messages = c.flashes();
  if (messages.length === 0) return undefined;
  return h.div(
    h.class("flashes"),
    h.attr("role", "status"),
    h.map(messages, ({ kind, text }) => h.p(h.class(`flash flash-${kind}`), text)),
  );
}
