import { csrfInput, type Ctx, httpError, type Node } from "../../mod.ts";
import { readJsonBody } from "../../runtime/addon.ts";
import { nextPath } from "../next_path.ts";
import { managers } from "../session_manager.ts";
import type { User } from "../session_record.ts";
import type { PasskeyCalls, Passkeys, PasskeyUser } from "./types.ts";
import * as h from "../../html/mod.ts";

export function registerHandlers(
  keys: PasskeyCalls,
  ...[sessions, describe = describeUser]: Parameters<Passkeys["registerHandlers"]>
): ReturnType<Passkeys["registerHandlers"]> {
  return {
    GET: async (c) => {
      const account = await describe(c, await sessions.require(c));
      return c.json(200, await keys.registrationOptions(c, account));
    },
    POST: async (c) => {
      const { subject } = await describe(c, await sessions.require(c));
      const passkey = await keys.register(c, await readJsonBody(c), { subject });
      if (passkey === undefined) return refusal();
      // While the body arrived, a new password may have ended the session and removed the passkeys.
      if (await managers.get(sessions)?.isLive(c) === false) {
        await keys.remove(c, passkey);
        return refusal();
      }
      return c.json(201, { id: passkey.id });
    },
  };
}

export function signInHandlers(
  keys: PasskeyCalls,
  ...[sessions, findUser, place = {}]: Parameters<Passkeys["signInHandlers"]>
): ReturnType<Passkeys["signInHandlers"]> {
  return {
    GET: async (c) => c.json(200, await keys.signInOptions(c)),
    POST: async (c) => {
      const passkey = await keys.verify(c, await readJsonBody(c));
      const user = passkey === undefined ? undefined : await findUser(c, passkey.subject);
      if (user === undefined) return refusal();
      await sessions.start(c, user);
      // A change to the account ends its sessions, but this session may have started just after it.
      if (await user.isCurrent?.() === false) {
        await sessions.end(c);
        return refusal();
      }
      return c.json(200, { location: nextPath(c, place) });
    },
  };
}

function refusal(): ReturnType<typeof httpError> {
  return httpError(400, "The passkey was not accepted.", { code: "passkey_refused" });
}

function describeUser(_c: Ctx, { provider, subject, email, name }: User): PasskeyUser {
  if (provider !== "") {
    throw httpError(403, "This account signs in at its provider.", { code: "passkey_refused" });
  }
  const shown = email ?? name ?? subject;
  return { subject, name: shown, displayName: name ?? shown };
}

/** Options of {@link passkeyForm}. */
export interface PasskeyFormOptions {
  /** Purpose of the form. */
  readonly kind: "sign-in" | "register";
  /** The path of the route with the handlers, base path included. */
  readonly action: string;
  /** Content of the button. @default "Sign in with a passkey", "Add a passkey" */
  readonly label?: h.Child;
  /** The note shown until the script runs. @default "Passkeys need JavaScript and a browser that supports them." */
  readonly note?: string;
  /**
   * The note shown after a failure.
   *
   * @default "That did not work. Try again, or use another way to sign in.", shortened for `register`
   */
  readonly failed?: string;
  /** The note if the device has a passkey. @default "This device has a passkey for this account already." */
  readonly known?: string;
}

const labels = { "sign-in": "Sign in with a passkey", "register": "Add a passkey" } as const;

/**
 * Returns a form with a passkey button and loads `passkeys.js`. Until the script runs, and if the browser
 * does not support passkeys, the button is disabled and a note says what is missing.
 * @example
 * ```ts
 * import { passkeyForm } from "@fw/fw/auth";
 * import { testPage } from "@fw/fw/testing";
 *
 * const page = (c: import("@fw/fw").Ctx) =>
 *   passkeyForm(c, { kind: "sign-in", action: c.base + "/login/passkey" });
 * await testPage({ page }, "/login").wantContains("Sign in with a passkey");
 * ```
 */
export function passkeyForm(c: Ctx, options: PasskeyFormOptions): Node {
  const {
    kind,
    action,
    label = labels[kind],
    note = "Passkeys need JavaScript and a browser that supports them.",
    failed = kind === "register"
      ? "That did not work. Try again."
      : "That did not work. Try again, or use another way to sign in.",
    known = "This device has a passkey for this account already.",
  } = options;
  return h.form(
    h.method("post"),
    h.action(action),
    h.data("fw-passkey", kind),
    h.data("failed", failed),
    ...kind === "register" ? [h.data("known", known)] : [],
    h.data("csrf", c.app.config.csrf.header || undefined),
    csrfInput(c),
    h.button(
      h.type("submit"),
      h.class(`ui-button ${kind === "register" ? "ui-outline ui-small" : "ui-wide ui-large"}`),
      h.disabled(),
      label,
    ),
    h.p(h.role("status"), note),
    h.script(h.src(c.asset("/passkeys.js")), h.defer()),
  );
}
