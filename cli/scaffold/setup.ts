/** `app/setup.ts`, to whose functions generators add calls. */
import type { Io } from "../io.ts";
import type { Project } from "../project/project.ts";
import { addTypeImport, changeFile, endOfImports, readImportStyle } from "./imports.ts";

export const setupFile = "app/setup.ts";

/** The calls to add, each with the application as its argument. */
export interface SetupCalls {
  /** The file that exports the functions. */
  readonly file: string;
  readonly open: string;
  /** The function that `Shutdown` calls, if there is one. */
  readonly close?: string;
  /** The calls are awaited. @default false */
  readonly isAsync?: boolean;
}

/** Adds calls to `app/setup.ts`, which keeps all that it has. Prints those that it has no place for. */
export async function joinSetupFile(
  project: Project,
  { written, calls, io }: {
    /** The files that this command wrote. */
    readonly written: readonly string[];
    readonly calls: readonly SetupCalls[];
    readonly io: Io;
  },
): Promise<void> {
  const style = await readImportStyle(project);
  const left: SetupCalls[] = [];
  const change = (present: string): string => {
    let text = present;
    for (const each of calls) {
      if (new RegExp(`\\b${each.open}\\b`).test(text)) continue;
      const joined = joinSetup(text, each, style(each.file, setupFile));
      if (joined === undefined) left.push(each);
      else text = joined;
    }
    return text;
  };
  // That the file was written is printed already.
  const quiet = written.includes(setupFile) ? { ...io, stdout: () => {} } : io;
  await changeFile(project, { file: setupFile, change, io: quiet });
  if (left.length === 0) return;
  const lines = [
    ...left.map((each) => importLine(each, style(each.file, setupFile))),
    ...left.map(({ open, isAsync }) => `  ${isAsync ? "await " : ""}${open}(app); // in Setup`),
    ...left.flatMap(({ close, isAsync }) =>
      close === undefined ? [] : [`  ${isAsync ? "await " : ""}${close}(app); // in Shutdown`]
    ),
  ];
  io.stdout(`${project.messages.generateEdited(setupFile, lines.join("\n"))}\n`);
}

/** Adds calls to `app/setup.ts`; `undefined` for another form than generators write. */
export function joinSetup(
  text: string,
  calls: Omit<SetupCalls, "file">,
  module: string,
): string | undefined {
  const { open, close, isAsync = false } = calls;
  const own = openSetup(text);
  const whole = close === undefined || /\bShutdown\b/.test(own)
    ? own
    : `${own.trimEnd()}\n\n/** Runs after the last request. */\n${emptyShutdown}`;
  const opened = addCall(whole, { owner: "Setup", call: open, isAsync });
  const closed = opened === undefined || close === undefined
    ? opened
    : addCall(opened, { owner: "Shutdown", call: close, isAsync });
  const end = endOfImports(own);
  if (closed === undefined || end === 0 || !/\bApplication\b/.test(own)) return undefined;
  return `${closed.slice(0, end)}${importLine(calls, module)}\n${closed.slice(end)}`;
}

function importLine({ open, close }: Omit<SetupCalls, "file">, module: string): string {
  return `import { ${close === undefined ? "" : `${close}, `}${open} } from "${module}";`;
}

/** Adds the parameter that calls need to the empty `Setup` of a file that has settings alone. */
function openSetup(text: string): string {
  return text.includes(emptySetup) && /^import /m.test(text)
    ? addTypeImport(text, "Application").replace(
      emptySetup,
      "export function Setup(app: Application): void {\n}\n",
    )
    : text;
}

export const emptySetup = "export function Setup(): void {}\n";

const emptyShutdown = "export function Shutdown(app: Application): void {\n}\n";

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
  return `${text.slice(0, head.index)}${opening}${text.slice(start, end + 1)}${line}${
    text.slice(end + 1)
  }`;
}
