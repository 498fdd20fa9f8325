/** The tool `generate`: runs the project's task of that name, and shows what it wrote. */
import { list, struct, text } from "@fw/fw";
import { isRoutePattern } from "./paths.ts";
import { runBounded } from "./run.ts";
import { diffTexts, readTexts } from "./written.ts";

const timeoutMs = 60_000;

/** The subjects of `generate`, and how their names are written. */
const subjects = [
  "page",
  "route",
  "test",
  "island",
  "resource",
  "auth",
  "migration",
  "language",
] as const;
type Subject = typeof subjects[number];

/** The switches, with their flags on the command line. */
const flags = {
  bind: "--bind",
  form: "--form",
  tmpl: "--tmpl",
  tsx: "--tsx",
  passwords: "--passwords",
  passkeys: "--passkeys",
  api: "--api",
  guard: "--guard",
  public: "--public",
  force: "--force",
  dryRun: "--dry-run",
} as const;
type Switch = keyof typeof flags;

/** The input of the tool: the flags are those of the command line. */
export interface GenerateInput extends Readonly<Record<Switch, string | null>> {
  readonly what: string;
  readonly name: string | null;
  readonly fields: readonly string[] | null;
  readonly methods: string | null;
  readonly provider: string | null;
  readonly singular: string | null;
}

const yesNo = () => text("oneof=yes no").optional();

/** The schema of {@linkcode GenerateInput}. */
export const generateInput = struct({
  what: text(`required,oneof=${subjects.join(" ")}`),
  /** A URL, a language, or the name of an island, a resource or a migration; a sign-in has none. */
  name: text("max=200").optional(),
  /** The fields of a resource, each as `title:text,required,max=80`. */
  fields: list(text("required,max=200"), "max=40").optional(),
  methods: text("max=60").optional(),
  provider: text("max=40").optional(),
  singular: text("max=60").optional(),
  bind: yesNo(),
  form: yesNo(),
  tmpl: yesNo(),
  tsx: yesNo(),
  passwords: yesNo(),
  passkeys: yesNo(),
  /** Adds a JSON API to a resource. */
  api: yesNo(),
  /** A resource is for signed-in users alone, in an application with a sign-in. */
  guard: yesNo(),
  public: yesNo(),
  /** Replaces a page, route, test or island, if the last commit has its content. */
  force: yesNo(),
  /** Lists what would be written and changed, and writes nothing. */
  dryRun: yesNo(),
});

/** Runs the task and compares the files before and after it. */
export async function generateFiles(
  root: string,
  { signal, ...asked }: GenerateInput & { readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly isOk: boolean }> {
  const fault = findFault(asked);
  if (fault !== undefined) return { text: fault, isOk: false };
  const before = await readTexts(root);
  const { code, stdout, stderr, stopped } = await runBounded({
    args: ["task", "--quiet", "generate", ...argumentsOf(asked)],
    cwd: root,
    timeoutMs,
    signal,
  });
  const output = `${stdout}${stderr}`.trim() || `stopped: ${stopped ?? code}`;
  const isOk = code === 0 && stopped === undefined;
  // A command that was stopped may have written some of its files.
  const diff = diffTexts(before, await readTexts(root));
  return { text: diff === "" ? output : `${output}\n\n## Diff\n${diff}`, isOk };
}

function argumentsOf(asked: GenerateInput): readonly string[] {
  const valued = ["methods", "provider", "singular"] as const;
  return [
    asked.what,
    ...(asked.name === null || asked.name === "" ? [] : [asked.name]),
    ...asked.fields ?? [],
    ...valued.flatMap((name) => {
      const value = asked[name];
      return value === null ? [] : [`--${name}`, value];
    }),
    ...Object.entries(flags).flatMap(([name, flag]) =>
      asked[name as Switch] === "yes" ? [flag] : []
    ),
  ];
}

const word = /^[A-Za-z][\w-]{0,60}$/;

/** Which names fit what is generated: none has a character with a meaning in a shell. */
const names: Readonly<Record<Subject, readonly [fits: (name: string) => boolean, fix: string]>> = {
  page: [isRoutePattern, "write a URL such as /events/{id}"],
  route: [isRoutePattern, "write a URL such as /api/events/{id}"],
  test: [isRoutePattern, "write the URL of a route, such as /events/{id}"],
  island: [(name) => /^[a-z][a-z0-9_-]{0,60}$/.test(name), "write small letters, digits, - and _"],
  resource: [(name) => word.test(name), "write a plural such as events"],
  migration: [(name) => word.test(name), "write words such as add_venue"],
  language: [
    (name) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,4}){0,2}$/.test(name),
    "write a tag such as pt-PT",
  ],
  auth: [(name) => name === "", "leave the name out"],
};

/** Returns why a call is refused before anything starts. */
function findFault(asked: GenerateInput): string | undefined {
  const what = subjects.find((each) => each === asked.what);
  if (what === undefined) return `Cannot generate this: choose one of ${subjects.join(", ")}.`;
  const [fits, fix] = names[what];
  if (!fits(asked.name ?? "")) return `Cannot generate this ${what}: ${fix}.`;
  if (asked.methods !== null && !/^[A-Za-z]+(?:,[A-Za-z]+)*$/.test(asked.methods)) {
    return "Cannot use these methods: write them as GET,POST.";
  }
  for (const name of ["provider", "singular"] as const) {
    const value = asked[name];
    if (value !== null && !word.test(value)) return `Cannot use this ${name}: write one word.`;
  }
  const wrong = asked.fields?.find((field) => !/^[A-Za-z]\w*:[\w,=.| -]+$/.test(field));
  if (wrong !== undefined) return "Cannot use this field: write one as title:text,required,max=80.";
  return asked.fields !== null && what !== "resource"
    ? `Cannot use fields for this ${what}: only a resource has them.`
    : undefined;
}
