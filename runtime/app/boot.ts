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
  const start = { settings: config };
  try {
    return await makeApp(tree, { config, start });
  } catch (error) {
    throw endPlainly(explainBootError(error), start.settings);
  }
}

async function makeApp(
  tree: AppTree,
  { config, start }: { readonly config: Settings; readonly start: { settings: Settings } },
): Promise<App> {
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
  const settings = start.settings = overlaySettings(fromEnv, config);
  await tree.setup?.Config?.(settings);
  // Before `Setup` opens anything, so that an invalid setting leaves no database behind.
  checkConfig(overlaySettings(defaultConfig(), settings));
  const app = new App(settings, tree);
  tellProduction(app, config);
  for (const route of tree.routes) app.route(route);
  const pending = tree.setup?.Setup?.(app);
  if (!isThenable(pending)) return app;
  // A client that `Setup` opens may retry forever. Not `setTimeout`, which loads Node's timers: 5 ms of a
  // start (`bench/start`).
  const late = AbortSignal.timeout(10_000);
  const warn = (): void =>
    app.log.warn("Setup has not finished after 10 seconds", {
      fix: "check the servers that it connects to, and the permissions of their clients",
    });
  late.addEventListener("abort", warn);
  try {
    await pending;
    return app;
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
