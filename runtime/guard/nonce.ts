import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import type { SecuritySettings } from "../base/config/settings.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { contextOf } from "../request/context.ts";
import { isNonce, newNonce } from "./csp.ts";

/** Implements `c.nonce`: returns the host application's nonce if there is one, else a fresh one. */
export function requestNonce(c: Ctx, security: Pick<SecuritySettings, "nonce">): string {
  if (security.nonce === undefined) return newNonce();
  try {
    const given = security.nonce(c.request);
    if (given === undefined || given === "") return newNonce();
    if (isNonce(given)) return given;
    // An invalid nonce could add directives to the policy.
    c.log.error("config.security.nonce gave a text that is no nonce; write base64");
  } catch (error) {
    // The error page needs a nonce as well, even for a request whose URL cannot be parsed.
    c.log.error("config.security.nonce failed", { error });
  }
  return newNonce();
}

/**
 * Returns the attribute that allows a `script` or `style` element under the Content Security Policy.
 *
 * @returns `nonce="…"`, with the nonce of this response.
 * @example
 * ```ts
 * import { type Ctx, nonceAttr } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 *
 * const page = (c: Ctx) => h.script(nonceAttr(c), h.raw("document.title = 'Ready';"));
 * await testPage({ page }, "/").wantContains('<script nonce="');
 * ```
 */
export function nonceAttr(c: Ctx): Node {
  return h.nonce(c.nonce);
}

/**
 * Returns the nonce of a request's response, for code without a context, such as another framework's view.
 *
 * @param request The value of `c.request`.
 * @returns The nonce, or `undefined` for a request that no application of the framework handles.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { nonceFrom } from "@fw/fw";
 *
 * assertEquals(nonceFrom(new Request("http://localhost/")), undefined);
 * ```
 */
export function nonceFrom(request: Request): string | undefined {
  return contextOf(request)?.nonce;
}
