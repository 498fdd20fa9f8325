import {
  checkConfig,
  configFromEnv,
  defaultConfig,
  overlaySettings,
} from "../base/config/config.ts";
import { readVariable } from "../base/env.ts";
import { isThenable } from "../base/values.ts";
import { explainBootError } from "../base/diagnose/error_text.ts";
import type { AppTree } from "../base/ctx/application.ts";
import type { Settings } from "../base/ctx/config.ts";
import { publicFolderOf } from "../serve/static/files.ts";
import { App } from "./app.ts";
import { endPlainly } from "./boot_failure.ts";
import { findDevParent } from "../listen/listen.ts";

/**
 * Creates the application of a folder tree: reads the environment, runs the application's `Config`, adds the
 * routes and runs its `Setup`. The generated `newApp` calls it.
 *
 * @param tree The contents of the folder tree.
 * @param config Settings that win over the environment; the application's own `Config` sees them.
 * @returns The application, ready to serve.
 * @throws The error of `Config` or `Setup`, {TypeError} for invalid settings, and {Error} with the flag to
 * add if a permission is missing.
 */
export async function boot(tree: AppTree, config: Settings = {}): Promise<App> {
  let settings = config;
  try {
    // An executable of `fw build` handles the flag before this code runs.
    if (Deno.args.some((arg) => /^--fw(?:=|$)/.test(arg))) {
      throw new Error(
        "Cannot answer --fw: `fw build` did not make this program. Fix: deno task routes",
      );
    }
    // First, so that a boot that hangs or fails below does not outlive the development server.
    await findDevParent();
    const fromEnv = configFromEnv(config.variables);
    fromEnv.public = publicFolderOf(tree);
    const merged = overlaySettings(fromEnv, config);
    settings = merged;
    await tree.setup?.Config?.(merged);
    // Before `Setup` opens anything, so that an invalid setting leaves no database behind.
    checkConfig(overlaySettings(defaultConfig(), merged));
    const app = new App(merged, tree);
    tellProduction(app, config);
    for (const route of tree.routes) app.route(route);
    const pending = tree.setup?.Setup?.(app);
    if (isThenable(pending)) await finishSetup(app, pending);
    return app;
  } catch (error) {
    throw endPlainly(explainBootError(error), settings);
  }
}

/** Waits for `Setup`, with a warning after a while, since a client that it opens may retry forever. */
async function finishSetup({ log }: App, pending: PromiseLike<void>): Promise<void> {
  // Not `setTimeout`, which loads Node's timers: 5 ms of a start (`bench/start`).
  const late = AbortSignal.timeout(10_000);
  const warn = (): void =>
    log.warn("Setup has not finished after 10 seconds", {
      fix: "check the servers that it connects to, and the permissions of their clients",
    });
  late.addEventListener("abort", warn);
  try {
    await pending;
  } finally {
    // Without a listener the signal does not keep the process running; `onabort = null` would leave one.
    late.removeEventListener("abort", warn);
  }
}

/** Tells the author of a script on a terminal why it gets the rules of production. */
function tellProduction({ env, log, config }: App, given: Settings): void {
  if (env !== "prod" || given.env !== undefined || !Deno.stdout.isTerminal()) return;
  if (readVariable("FW_ENV", config.variables) !== undefined) return;
  log.info("runs in production, because FW_ENV is not set", { fix: "FW_ENV=dev for development" });
}
