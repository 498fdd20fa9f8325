import { dirname, fromFileUrl, join, relative, toFileUrl } from "@std/path";
// `testApp` imports the application at run time, which needs read permission for every module that is not
// loaded yet. Loaded here, so that an application with TSX files does not need it for the library's folder.
import "../../html/jsx_runtime.ts";
import type { App } from "../app/app.ts";
import type { Config } from "../base/config/config.ts";
import { generatedFile } from "../base/conventions.ts";
import { testConfig } from "./request.ts";

/** Options of {@link testApp}. */
export interface TestAppOptions {
  /** Settings that differ from the test defaults. */
  readonly config?: Partial<Config>;
  /** Start of the upward search. @default the folder of the calling file, then the working folder */
  readonly dir?: string;
}

/**
 * Creates the application of the nearest `fw_gen.ts`, for development, without the reload script and with a
 * log of warnings only. `Setup` runs now; `Shutdown` runs at the end of the scope of `await using`, or when
 * `app.shutdown()` is called.
 *
 * @returns A new application, ready for `testRequest` and `newTestClient`.
 * @throws {Error} when there is no `fw_gen.ts` in the folder or above it, or it lacks the page or the route
 * of the folder.
 * @example
 * ```ts ignore
 * import { testApp, testRequest } from "@fw/fw/testing";
 *
 * Deno.test("the start page answers", async () => {
 *   await using app = await testApp();
 *   await testRequest(app, "GET", "/").wantStatus(200);
 * });
 * ```
 */
export function testApp(options: TestAppOptions = {}): Promise<App> {
  // The stack is read before the first await: afterwards the caller is no longer on it.
  const starts = options.dir === undefined ? [callerDir(new Error()), Deno.cwd()] : [options.dir];
  return loadApp(starts.filter((dir) => dir !== undefined), options.config ?? {});
}

async function loadApp(starts: readonly string[], config: Partial<Config>): Promise<App> {
  const file = await findGenerated(starts);
  await checkListed(file, starts[0] ?? "");
  const { newApp } = await import(toFileUrl(file).href);
  if (typeof newApp !== "function") {
    throw new Error(`Cannot test "${file}": it does not export newApp(); run \`deno task gen\`.`);
  }
  return await newApp({ ...testConfig(), ...config });
}

function callerDir(here: Error): string | undefined {
  for (const [, url = ""] of (here.stack ?? "").matchAll(/\(?(file:\/\/\S+?):\d+:\d+\)?$/gm)) {
    if (url !== import.meta.url) return dirname(fromFileUrl(url));
  }
  return undefined;
}

/** Refuses to test a route that is missing from the generated file: all its requests would be 404s. */
async function checkListed(file: string, dir: string): Promise<void> {
  const folder = relative(dirname(file), dir).replaceAll("\\", "/");
  if (!/^app(?:\/|$)/.test(folder) || /\/(?:[_.]|testdata(?:\/|$))/.test(folder)) return;
  const source = await Deno.readTextFile(file);
  for (const name of ["page.ts", "page.tsx", "route.ts"]) {
    const path = `${folder}/${name}`;
    if (source.includes(JSON.stringify(`./${path}`)) || !await isFile(join(dir, name))) continue;
    throw new Error(`Cannot test "${path}": ${generatedFile} lacks it; run \`deno task gen\`.`);
  }
}

function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

async function findGenerated(starts: readonly string[]): Promise<string> {
  for (const start of starts) {
    for (let dir = start;; dir = dirname(dir)) {
      const file = join(dir, generatedFile);
      if (await isFile(file)) return file;
      if (dirname(dir) === dir) break;
    }
  }
  throw new Error(
    `Cannot find ${generatedFile} in "${
      starts[0] ?? "."
    }" or above it: run \`deno task gen\`, or give testApp({ dir }).`,
  );
}
