import { csrfInput, type Ctx, type Node } from "../../mod.ts";
import * as h from "../../html/mod.ts";

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
