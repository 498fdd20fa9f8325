/**
 * Where this command line runs from: a checkout, or a registry.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import { fromFileUrl } from "@std/path";

/** How a new project finds the library and the command line. */
export interface Origin {
  /** The specifier that `deno run` takes. */
  readonly cli: string;
  /** The range of `@fw/fw`. */
  readonly library: string;
  /** The checkout from which the packages are taken, or `undefined` for the registry. */
  readonly checkout: string | undefined;
}

/**
 * Finds out where this command line runs from.
 *
 * @param url The URL of a module of the command line's `project/` folder. @default this one
 */
export function findOrigin(url: string = import.meta.url): Origin {
  // Before 1.0 a minor version may break: the range keeps to this one.
  const range = `^${version.split(".").slice(0, 2).join(".")}`;
  const library = `jsr:@fw/fw@${range}`;
  if (!url.startsWith("file:")) {
    return { cli: `jsr:@fw/cli@${range}`, library, checkout: undefined };
  }
  const checkout = slashed(fromFileUrl(new URL("../../", url))).replace(/\/$/, "");
  return { cli: `${checkout}/cli/main.ts`, library, checkout };
}

/** Forward slashes work on every system, in JSON without escapes and in tasks. */
function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
