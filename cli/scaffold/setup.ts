/** Adds the calls of generators to `app/setup.ts`. */
import type { Edits } from "./edits.ts";
import { addImports, awaken, endOfImports } from "./imports.ts";
import { renderRegion, renderSample } from "./sample.ts";

export const setupFile = "app/setup.ts";

export const setupParts = { Setup: true, Shutdown: true, database: true };

/** The regions of a sample with the calls to add. */
export interface SetupPart {
  readonly part: string;
  /** @default app/setup.ts */
  readonly sample?: string;
  readonly names?: Names;
}

type Names = Readonly<Record<string, string>>;

export async function joinSetupFile(edits: Edits, parts: readonly SetupPart[]): Promise<void> {
  await edits.addMissing({ file: setupFile, text: "" });
  const left: string[] = [];
  for (const { part, sample = setupFile, names = {} } of parts) {
    const region = renderRegion(`kit/${sample}`, part, { names });
    const calls = await edits.insert(setupFile, region, joinSetup);
    if (calls === undefined) continue;
    const { text } = edits.restyle({ file: setupFile, text: region });
    left.push(
      text.slice(0, endOfImports(text)).trim(),
      ...calls.split("\n").map((call) => `  ${call.trim()} // in ${findCaller(call)}`),
    );
  }
  if (left.length === 0) return;
  edits.tell(edits.project.messages.generateEdited(setupFile, left.join("\n")));
}

/** Adds calls to `app/setup.ts`; `undefined` if they do not fit its text. */
export function joinSetup(present: string, calls: string): string | undefined {
  const joined = calls.split("\n").reduce<string | undefined>((text, call) => {
    const whole = text && addFunction(text, findCaller(call));
    const [name = ""] = /\w+(?=\()/.exec(call) ?? [];
    return whole && hasCall(whole, name) ? whole : whole && addCall(whole, call.trim());
  }, present.replace(emptySetup, "") || "\n");
  const isUsable = joined !== undefined && endOfImports(joined) > 0;
  return isUsable && /\bApplication\b/.test(joined) ? joined : undefined;
}

function findCaller(call: string): "Setup" | "Shutdown" {
  return /^\s*(?:await )?close/.test(call) ? "Shutdown" : "Setup";
}

/** A `Setup` without parameter and content, which a file with only settings has. */
const emptySetup = /(?:^\/\*\* Runs at boot.*\n)?^export function Setup\(\): void \{\s*\}\n/m;

function hasCall(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

/** Adds an empty function of `app/setup.ts` as in the sample, unless the file has one. */
export function addFunction(
  text: string,
  name: "Config" | "Setup" | "Shutdown",
  names: Names = {},
): string {
  if (hasCall(text, name)) return text;
  const sample = renderSample(`kit/${setupFile}`, setupFile, { names, parts: { [name]: true } });
  const code = sample.text.slice(endOfImports(sample.text));
  const type = name === "Config" ? "Config as Settings" : "Application";
  const isTyped = text.includes(type) || names === bareSetup;
  const typed = isTyped ? text : addImports(text, `import type { ${type} } from "@fw/fw";\n`);
  const end = name === "Config" ? endOfImports(typed) : typed.length;
  const parts = [typed.slice(0, end), code, typed.slice(end)].map((part) => part.trim());
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Removes the parameter of an empty `Setup`, which a linter would report. */
export const bareSetup: Names = { "app: Application": "" };

function addCall(text: string, call: string): string | undefined {
  const caller = findCaller(call);
  const head = new RegExp(
    `^export (?:async )?function ${caller}\\((\\w+): Application\\)[^{\\n]*\\{\\n`,
    "m",
  ).exec(text);
  const start = head === null ? -1 : head.index + head[0].length;
  const end = start === -1 ? -1 : text.indexOf("\n}\n", start - 1);
  if (head === null || end === -1) return undefined;
  const line = `  ${call.replace("(app)", `(${head[1]})`)}\n`;
  const body = text.slice(start, end + 1);
  // Closing runs in the reverse order of opening.
  const changed = caller === "Setup" ? body + line : line + body;
  return awaken(text.slice(0, start) + changed + text.slice(end + 1), caller);
}
