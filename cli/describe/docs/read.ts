import { memberOf, textOf } from "../../project/json.ts";
import { askProgram } from "../../project/process/app_program.ts";
import type { GuideText } from "./search.ts";

export interface Documentation {
  readonly guides: readonly GuideText[];
  readonly apiReference: string;
}

/** Reads the guides of the project's version of the library, or else of this command's version. */
export async function readDocumentation(root: string | undefined): Promise<Documentation> {
  const own = root === undefined ? undefined : await readOwn(root);
  return own ?? await import("@fw/fw/docs");
}

const timeoutMs = 15_000;
const maxBytes = 16_777_216;

/** Reads the guides through the import map, without permissions: the project chooses the code. */
export async function readOwn(
  root: string,
  options: { readonly timeoutMs?: number } = {},
): Promise<Documentation | undefined> {
  const { code, said } = await askProgram(
    (say) =>
      `import { apiReference, guides } from "@fw/fw/docs";\n${say}\nsay({ apiReference, guides });`,
    ["--quiet", "--no-check", "--cached-only"],
    { cwd: root, timeoutMs, maxBytes, ...options },
  );
  return code === 0 && isDocumentation(said) ? said : undefined;
}

function isDocumentation(value: unknown): value is Documentation {
  const guides = memberOf(value, "guides");
  return textOf(memberOf(value, "apiReference")) !== undefined && Array.isArray(guides) &&
    guides.every((guide) =>
      ["name", "text"].every((name) => textOf(memberOf(guide, name)) !== undefined)
    );
}
