/** The tool `generate`: runs the project's task of that name and returns its output. */
import { type Infer, list, struct, text } from "@fw/fw";
import { messagesIn } from "../messages/catalog.ts";
import { runBounded } from "./run.ts";

const timeoutMs = 60_000;

/** All that `fw generate` writes, except for a database, which replaces files. */
const kinds = Object.keys(messagesIn("en").help)
  .flatMap((command) => /^generate (?!database)(.+)$/.exec(command)?.[1] ?? []);

export const generateInput = struct({
  what: text(`required,oneof=${kinds.join(" ")}`),
  /** The arguments and flags of the command: `["books", "title:text,required", "--api"]`. */
  args: list(text("required,max=200"), "max=60").optional(),
});

/** Matches arguments that contain no shell characters, stay inside a folder and remove nothing. */
const plain = /^(?:--(?!undo))?[A-Za-z/](?!.*\.\.(?:\/|$))[\w./{}~@+,=: -]*$/;

export async function generateFiles(
  root: string,
  { what, args, signal }: Infer<typeof generateInput> & { readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly isOk: boolean }> {
  const wrong = args?.find((arg) => !plain.test(arg));
  if (wrong !== undefined) {
    const text = `Cannot use "${wrong}": write a URL such as /events/{id}, a name such as ` +
      "add_venue, fields such as title:text,required,max=80, and flags such as --dry-run.";
    return { text, isOk: false };
  }
  const { code, stdout, stderr, stopped } = await runBounded(
    ["task", "--quiet", "generate", what, ...args ?? []],
    { cwd: root, timeoutMs, signal },
  );
  const output = `${stdout}${stderr}`.trim() || `stopped: ${stopped ?? code}`;
  return { text: output, isOk: code === 0 && stopped === undefined };
}
