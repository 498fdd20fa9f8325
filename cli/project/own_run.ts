import type { Project } from "./project.ts";
import { commandOf, denoCommands, isAllowAll, programFlags } from "./start_task.ts";

export interface OwnRun {
  /** The flags that decide what a program may do. */
  readonly flags: readonly string[];
  /** The variables that it sets, and those of this process that its flags allow it to read. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns how the `test` task runs code, else how `start` does; `undefined` without both. */
export async function readOwnRun(project: Project): Promise<OwnRun | undefined> {
  const command = commandOf(await project.manifest(), "test") ?? "";
  const [test] = denoCommands(command, "test");
  // A command with shell expansion cannot be read.
  if (test !== undefined && test.unread.length === 0) {
    return ownRun(test.args.filter((word) => word.startsWith("-")), test.env);
  }
  const start = await project.startTask();
  if (start === undefined || start.unread.length > 0) return undefined;
  return ownRun(start.flags, start.env);
}

function ownRun(written: readonly string[], env: Readonly<Record<string, string>>): OwnRun {
  const flags = programFlags(written);
  const isOpen = flags.some((flag) => isAllowAll(flag) || /^(?:--allow-env|-E)$/.test(flag));
  const names = flags.flatMap((flag) =>
    /^(?:--allow-env|-E)=(.*)$/.exec(flag)?.[1]?.split(",") ?? []
  );
  const isAllowed = (name: string): boolean =>
    isOpen ||
    names.some((each) => each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each);
  const readable = Object.entries(Deno.env.toObject()).filter(([name]) => isAllowed(name));
  return { flags, env: { ...Object.fromEntries(readable), ...env } };
}
