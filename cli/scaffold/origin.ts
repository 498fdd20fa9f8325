import { version } from "@fw/fw/conventions";
import { fromFileUrl } from "@std/path";

/** The imports of a new project for the library and the command line. */
export interface Origin {
  readonly cli: string;
  readonly library: string;
  /** The checkout that contains the packages, or `undefined` for the registry. */
  readonly checkout: string | undefined;
}

export function findOrigin(url: string = import.meta.url): Origin {
  // Before 1.0 a minor version may break, so the range stays within this one.
  const range = `^${version.split(".").slice(0, 2).join(".")}`;
  const library = `jsr:@fw/fw@${range}`;
  if (!url.startsWith("file:")) {
    return { cli: `jsr:@fw/cli@${range}`, library, checkout: undefined };
  }
  const checkout = slashed(fromFileUrl(new URL("../../", url))).replace(/\/$/, "");
  return { cli: `${checkout}/cli/main.ts`, library, checkout };
}

/** Returns a path with forward slashes, which JSON and tasks accept on every system. */
function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
