/** The tool `generate`: runs the project's task of that name and returns its output. */
import { type Infer, list, struct, text } from "@fw/fw";
import { runBounded } from "./run.ts";

const timeoutMs = 60_000;

const subjects = "page route test island resource auth migration language";

const yesNo = () => text("oneof=yes no").optional();

export const generateInput = struct({
  what: text(`required,oneof=${subjects}`),
  /** A URL, a language, or the name of an island, resource or migration; absent for `auth`. */
  name: text("max=200").optional(),
  /** The fields of a resource, each as `title:text,required,max=80`. */
  fields: list(text("required,max=200"), "max=40").optional(),
  methods: text("max=60").optional(),
  provider: text("max=40").optional(),
  singular: text("max=60").optional(),
  bind: yesNo(),
  form: yesNo(),
  passwords: yesNo(),
  passkeys: yesNo(),
  api: yesNo(),
  /** Whether only signed-in users may use the resource; needs a sign-in. */
  guard: yesNo(),
  public: yesNo(),
  dryRun: yesNo(),
});

/** Matches arguments without shell characters that are not flags and stay inside a folder. */
const plain = /^[A-Za-z/](?!.*\.\.(?:\/|$))[\w./{}~@+,=-]*$/;
const plainField = /^[A-Za-z]\w*:[\w,=./ -]+$/;

export async function generateFiles(
  root: string,
  { signal, ...asked }: Infer<typeof generateInput> & { readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly isOk: boolean }> {
  const { what, name, fields, methods, provider, singular, ...switches } = asked;
  const values = Object.entries({ name, methods, provider, singular })
    .flatMap(([key, value]) => value === null || value === "" ? [] : [{ key, value }]);
  const wrong = values.find(({ value }) => !plain.test(value))?.key ??
    (fields?.every((field) => plainField.test(field)) === false ? "fields" : undefined);
  if (wrong !== undefined) {
    const text = `Cannot use this for ${wrong}: write a URL such as /events/{id}, a name such as ` +
      "add_venue, and fields such as title:text,required,max=80.";
    return { text, isOk: false };
  }
  const args = [
    what,
    ...values.flatMap(({ key, value }) => key === "name" ? [value] : []),
    ...fields ?? [],
    ...values.flatMap(({ key, value }) => key === "name" ? [] : [`--${key}`, value]),
    ...Object.entries(switches).flatMap(([key, value]) =>
      value === "yes" ? [key === "dryRun" ? "--dry-run" : `--${key}`] : []
    ),
  ];
  const { code, stdout, stderr, stopped } = await runBounded(
    ["task", "--quiet", "generate", ...args],
    { cwd: root, timeoutMs, signal },
  );
  const output = `${stdout}${stderr}`.trim() || `stopped: ${stopped ?? code}`;
  return { text: output, isOk: code === 0 && stopped === undefined };
}
