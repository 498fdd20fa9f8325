/** Adds the calls of generators to `app/setup.ts`. */
import type { Edits } from "./edits.ts";
import { addTypeImport, endOfImports } from "./imports.ts";
import { renderSample } from "./sample.ts";

export const setupFile = "app/setup.ts";

/** The parts of a setup that opens a database. */
export const setupParts = { Setup: true, Shutdown: true, database: true };

/** The calls to add, each with the application as its argument. */
export interface SetupCalls {
  readonly file: string;
  readonly open: string;
  /** The function that `Shutdown` calls, if there is one. */
  readonly close?: string;
  readonly isAsync?: boolean;
}

export async function joinSetupFile(edits: Edits, calls: readonly SetupCalls[]): Promise<void> {
  await edits.addMissing({ file: setupFile, text: "" });
  const left: SetupCalls[] = [];
  const placed: SetupCalls[] = [];
  const isChanged = await edits.change(setupFile, (present) =>
    calls.reduce((text, each) => {
      if (hasCall(text, each.open) && (each.close === undefined || hasCall(text, each.close))) {
        return text;
      }
      const joined = joinSetup(text, each, edits.style(each.file, setupFile));
      (joined === undefined ? left : placed).push(each);
      return joined ?? text;
    }, present));
  // Nothing is written if the file is a link out of the project.
  if (!isChanged) left.push(...placed);
  if (left.length === 0) return;
  const awaited = ({ isAsync }: SetupCalls): string => isAsync ? "await " : "";
  const lines = [
    ...left.map((each) => importLine(each, edits.style(each.file, setupFile))),
    ...left.map((each) => `  ${awaited(each)}${each.open}(app); // in Setup`),
    ...left.filter(({ close }) => close !== undefined)
      .map((each) => `  ${awaited(each)}${each.close}(app); // in Shutdown`),
  ];
  edits.tell(edits.project.messages.generateEdited(setupFile, lines.join("\n")));
}

/** Adds calls to `app/setup.ts`; `undefined` if they do not fit its text. */
export function joinSetup(
  text: string,
  calls: Omit<SetupCalls, "file">,
  module: string,
): string | undefined {
  const { open, close, isAsync = false } = calls;
  const own = addFunction(text.replace(emptySetup, ""), "Setup");
  const whole = close === undefined ? own : addFunction(own, "Shutdown");
  const isOpen = hasCall(own, open);
  const opened = isOpen ? whole : addCall(whole, { owner: "Setup", call: open, isAsync });
  const closed = opened === undefined || close === undefined
    ? opened
    : addCall(opened, { owner: "Shutdown", call: close, isAsync });
  const end = endOfImports(own);
  if (closed === undefined || end === 0 || !/\bApplication\b/.test(own)) return undefined;
  const [before, line] = [importLine({ open }, module), importLine(calls, module)];
  if (isOpen) return own.includes(before) ? closed.replace(before, line) : undefined;
  return `${closed.slice(0, end)}${line}\n${closed.slice(end)}`;
}

/** A `Setup` without parameter and content, which a file with only settings has. */
const emptySetup = /(?:^\/\*\* Runs at boot.*\n)?^export function Setup\(\): void \{\s*\}\n/m;

function hasCall(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

function importLine({ open, close }: Omit<SetupCalls, "file">, module: string): string {
  return `import { ${close === undefined ? "" : `${close}, `}${open} } from "${module}";`;
}

type Names = Readonly<Record<string, string>>;

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
  const typed = isTyped ? text : addTypeImport(text, type);
  const end = name === "Config" ? endOfImports(typed) : typed.length;
  const parts = [typed.slice(0, end), code, typed.slice(end)].map((part) => part.trim());
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Removes the parameter of an empty `Setup`, which a linter would report. */
export const bareSetup: Names = { "app: Application": "" };

function addCall(
  text: string,
  { owner, call, isAsync }: {
    readonly owner: string;
    readonly call: string;
    readonly isAsync: boolean;
  },
): string | undefined {
  const head = new RegExp(
    `^export (?:async )?function ${owner}\\((\\w+): Application\\)[^{\\n]*\\{\\n`,
    "m",
  ).exec(text);
  const start = head === null ? -1 : head.index + head[0].length;
  const end = start === -1 ? -1 : text.indexOf("\n}\n", start - 1);
  if (head === null || end === -1) return undefined;
  const line = `  ${isAsync ? "await " : ""}${call}(${head[1]});\n`;
  const opening = !isAsync || head[0].startsWith("export async")
    ? head[0]
    : head[0].replace("export function", "export async function").replace("void", "Promise<void>");
  const body = text.slice(start, end + 1);
  // Closing runs in the reverse order of opening.
  const changed = owner === "Setup" ? body + line : line + body;
  return `${text.slice(0, head.index)}${opening}${changed}${text.slice(end + 1)}`;
}
