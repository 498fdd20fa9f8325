import type { Project } from "./project.ts";
import { commandOf, parseAssignments, programFlags, shellWords } from "./start_task.ts";

export interface OwnRun {
  readonly task: "test" | "start";
  /** Its flags, as far as they say what a program may do. */
  readonly flags: readonly string[];
  /** The variables that it sets, and those of this process that its flags allow it to read. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns how the `test` task runs code, else how `start` does; without either nothing says what it may do. */
export async function readOwnRun(project: Project): Promise<OwnRun | undefined> {
  const command = commandOf(await project.manifest(), "test");
  const test = command === undefined ? undefined : parseTest(command);
  if (test !== undefined) return test;
  const start = await project.startTask();
  if (start === undefined || start.unread.length > 0) return undefined;
  return ownRun("start", programFlags(start.flags), start.env);
}

/** Parses `NAME=value deno test --flag=value …`; `undefined` for a command that only a shell can read. */
function parseTest(command: string): OwnRun | undefined {
  for (const words of shellWords(command)) {
    const texts = words.map(({ text }) => text);
    const deno = texts.indexOf("deno");
    if (deno === -1 || texts[deno + 1] !== "test") continue;
    if (words.some(({ isExpanded }) => isExpanded)) return undefined;
    const flags = texts.slice(deno + 2).filter((word) => word.startsWith("-"));
    const env = parseAssignments(texts.slice(0, deno));
    return ownRun("test", programFlags(flags), env);
  }
  return undefined;
}

function ownRun(
  task: OwnRun["task"],
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): OwnRun {
  const open = /^(?:-[A-Za-z]*A[A-Za-z]*|--allow-all|--allow-env|-E)$/;
  const isOpen = flags.some((flag) => open.test(flag));
  const names = flags.flatMap((flag) =>
    /^(?:--allow-env|-E)=(.*)$/.exec(flag)?.[1]?.split(",") ?? []
  );
  const isAllowed = (name: string): boolean =>
    isOpen ||
    names.some((each) => each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each);
  const readable = Object.entries(Deno.env.toObject()).filter(([name]) => isAllowed(name));
  return { task, flags, env: { ...Object.fromEntries(readable), ...env } };
}
