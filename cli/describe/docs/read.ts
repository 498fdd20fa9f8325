/**
 * Reads the guides of the version of the library that a project uses.
 *
 * @module
 */
import { runDeno } from "../../project/process/deno.ts";
import type { GuideText } from "./search.ts";

/** The texts that are searched. */
export interface Documentation {
  readonly guides: readonly GuideText[];
  /** One line for each exported symbol. */
  readonly apiReference: string;
  /** Whether they are of the project's own version; else of this command line's. */
  readonly isOwn: boolean;
}

const program = `import { apiReference, guides } from "@fw/fw/docs";
console.log(JSON.stringify({ apiReference, guides }));`;

/**
 * Reads the guides.
 *
 * @param root The project, whose import map decides the version; `undefined` outside a project.
 */
export async function readDocumentation(root: string | undefined): Promise<Documentation> {
  const own = root === undefined ? undefined : await readOwn(root);
  if (own !== undefined) return { ...own, isOwn: true };
  const { apiReference, guides } = await import("@fw/fw/docs");
  return { apiReference, guides, isOwn: false };
}

async function readOwn(root: string): Promise<Omit<Documentation, "isOwn"> | undefined> {
  const { code, stdout } = await runDeno(["eval", "--quiet", program], { cwd: root });
  if (code !== 0) return undefined;
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}
