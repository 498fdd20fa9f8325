import { runForeign } from "../../project/process/foreign.ts";
import type { GuideText } from "./search.ts";

export interface Documentation {
  readonly guides: readonly GuideText[];
  readonly apiReference: string;
  /** They are of the project's own version; else of this command line's. */
  readonly isOwn: boolean;
}

const program = `import { apiReference, guides } from "@fw/fw/docs";
console.log(JSON.stringify({ apiReference, guides }));`;

export async function readDocumentation(root: string | undefined): Promise<Documentation> {
  const own = root === undefined ? undefined : await readOwn(root);
  if (own !== undefined) return { ...own, isOwn: true };
  const { apiReference, guides } = await import("@fw/fw/docs");
  return { apiReference, guides, isOwn: false };
}

const timeoutMs = 15_000;
const maxBytes = 16_777_216;

/** Reads the guides that the import map names. Its files decide what runs, so that it may do nothing. */
export async function readOwn(
  root: string,
  options: { readonly timeoutMs?: number } = {},
): Promise<Omit<Documentation, "isOwn"> | undefined> {
  const args = ["run", "--no-prompt", "--quiet", "--no-check", "--cached-only", "-"];
  const limits = { timeoutMs, maxBytes, ...options };
  const { code, stdout } = await runForeign(args, { cwd: root, input: program, ...limits });
  if (code !== 0) return undefined;
  try {
    const found: unknown = JSON.parse(stdout);
    return isDocumentation(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isDocumentation(value: unknown): value is Omit<Documentation, "isOwn"> {
  if (typeof value !== "object" || value === null) return false;
  const { guides, apiReference } = value as Readonly<Record<string, unknown>>;
  return typeof apiReference === "string" && Array.isArray(guides) && guides.every(isGuide);
}

function isGuide(value: unknown): value is GuideText {
  if (typeof value !== "object" || value === null) return false;
  const { name, text } = value as Readonly<Record<string, unknown>>;
  return typeof name === "string" && typeof text === "string";
}
