import type { CommandArgs } from "../args.ts";

/** What `fw generate` writes. */
export type Subject =
  | "page"
  | "route"
  | "test"
  | "island"
  | "job"
  | "jobs"
  | "mail"
  | "migration"
  | "resource"
  | "auth"
  | "language"
  | "serve";

const allFlags: readonly string[] = [
  "methods",
  "bind",
  "form",
  "tmpl",
  "tsx",
  "provider",
  "passwords",
  "passkeys",
  "singular",
  "seed",
  "api",
  "csv",
  "guard",
  "public",
  "force",
];

const flagsOf: Readonly<Record<Subject, (args: CommandArgs) => readonly string[]>> = {
  page: (args) => {
    if (args.has("tmpl")) return ["tmpl", "force"];
    return args.has("form")
      ? ["form", "bind", "tsx", "force"]
      : ["methods", "bind", "tsx", "force"];
  },
  route: () => ["methods", "bind", "force"],
  test: () => ["force"],
  island: () => ["force"],
  job: () => [],
  jobs: () => [],
  mail: () => [],
  migration: () => [],
  language: () => [],
  serve: () => [],
  resource: () => ["singular", "seed", "api", "csv", "guard", "public"],
  auth: () => ["passwords", "passkeys", "provider"],
};

/** Returns a flag that has no effect on what is generated, as it is written. */
export function misfitOf(subject: Subject, args: CommandArgs): string | undefined {
  const own = flagsOf[subject](args);
  const flag = allFlags.find((name) => args.has(name) && !own.includes(name));
  return flag === undefined ? undefined : `--${flag}`;
}
