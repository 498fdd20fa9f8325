import { addTypeImport, endOfImports } from "./imports.ts";

/** The calls to add, each with the application as its argument. */
export interface SetupCalls {
  readonly module: string;
  readonly open: string;
  /** The function that `Shutdown` calls, if there is one. */
  readonly close?: string;
  /** The calls are awaited. @default false */
  readonly isAsync?: boolean;
}

/**
 * Adds calls to the text of `app/setup.ts`.
 *
 * @returns The text; `undefined` where it has another form than the one that generators write.
 */
export function joinSetup(text: string, calls: SetupCalls): string | undefined {
  const { open, close, isAsync = false } = calls;
  const whole = openSetup(text);
  const withOpen = addCall(whole, { owner: "Setup", call: open, isAsync });
  if (withOpen === undefined) return undefined;
  const withClose = close === undefined
    ? withOpen
    : /\bShutdown\b/.test(text)
    ? addCall(withOpen, { owner: "Shutdown", call: close, isAsync })
    : addCall(`${withOpen.trimEnd()}\n\n/** Runs after the last request. */\n${emptyShutdown}`, {
      owner: "Shutdown",
      call: close,
      isAsync,
    });
  const end = endOfImports(whole);
  if (withClose === undefined || end === 0 || !/\bApplication\b/.test(whole)) return undefined;
  return `${withClose.slice(0, end)}${importLine(calls)}\n${withClose.slice(end)}`;
}

export function importLine({ module, open, close }: SetupCalls): string {
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
