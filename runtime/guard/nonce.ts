import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import type { Ctx, SecuritySettings } from "../base/types.ts";
import { contextOf } from "../request/context.ts";
import { isNonce, newNonce } from "./csp.ts";

/** Does the work of `c.nonce`: the host's nonce where there is one, else a fresh one. */
export function requestNonce(c: Ctx, security: Pick<SecuritySettings, "nonce">): string {
  if (security.nonce === undefined) return newNonce();
  try {
    const given = security.nonce(c.request);
    if (given === undefined || given === "") return newNonce();
    if (isNonce(given)) return given;
    // What is no nonce could add directives to the policy.
    c.log.error("config.security.nonce gave a text that is no nonce; write base64");
  } catch (error) {
    // The error page needs a nonce as well, also that of a request whose URL nobody can parse.
    c.log.error("config.security.nonce failed", { error });
  }
  return newNonce();
}

/**
 * The attribute that lets a `script` or `style` element run under the Content Security Policy.
 *
 * @returns `nonce="…"`, with the nonce of this answer.
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
 * The nonce of a request's answer, for code that has no context, such as another framework's view.
 *
 * @param request What `c.request` gave.
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
