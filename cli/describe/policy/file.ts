/** Writes and parses `policy.txt`, and compares it with the code. */
import { join } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import type { Place, Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import type { Project } from "../../project/project.ts";
import { none, policyFields, type PolicyLine, readPolicy } from "./lines.ts";

export const policyFile = "policy.txt";

const head = "# Who may call what, and how much. Written by `fw policy`; commit it.\n";

/** Returns the text of the file. Fields without a setting are omitted, which keeps lines short. */
export function formatPolicy(lines: readonly PolicyLine[]): string {
  const texts = lines.map(({ name, fields }) => {
    const shown = policyFields.filter((field) => fields[field] !== none);
    return [name, ...shown.map((field) => `${field}=${fields[field]}`)].join(" ");
  });
  return head + texts.map((text) => `${text}\n`).join("");
}

/** Parses the text of the file; other lines are skipped. */
export function parsePolicy(text: string): (PolicyLine & { readonly at: number })[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [, name = "", rest = ""] = /^([A-Z]+ \/\S*)(.*)$/.exec(line) ?? [];
    if (name === "") return [];
    const given = new Map(
      rest.trim().split(/\s+/).map((part) => {
        const equals = part.indexOf("=");
        return [part.slice(0, equals), part.slice(equals + 1)];
      }),
    );
    const fields = Object.fromEntries(policyFields.map((key) => [key, given.get(key) ?? none]));
    return [{ at: index + 1, name, fields: fields as PolicyLine["fields"] }];
  });
}

export async function readPolicyFile(root: string): Promise<string | undefined> {
  return await readTextIfThere(join(root, policyFile));
}

export interface PolicyChange {
  readonly name: string;
  /** The change in readable form: `POST /x: guards requireRole(editor) → -`. */
  readonly text: string;
}

/** Lists the changed lines, each with its changed fields. */
export function diffPolicies(
  before: readonly PolicyLine[],
  after: readonly PolicyLine[],
  texts: Messages["describe"]["policy"],
): PolicyChange[] {
  const old = new Map(before.map(({ name, fields }) => [name, fields]));
  const now = new Set(after.map(({ name }) => name));
  const found = [
    ...after.map(({ name, fields }) => {
      const was = old.get(name);
      const differing = policyFields.filter((field) => was?.[field] !== fields[field]);
      const what = was === undefined
        ? texts.added(fields.guards)
        : differing.map((field) => `${field} ${was[field]} → ${fields[field]}`).join("; ");
      return { name, what };
    }),
    ...before.filter(({ name }) => !now.has(name)).map(({ name }) => ({
      name,
      what: texts.removed,
    })),
  ];
  return found.filter(({ what }) => what !== "")
    .map(({ name, what }) => ({ name, text: `${name}: ${what}` }));
}

export async function checkPolicy(project: Project): Promise<{
  readonly changes: readonly PolicyChange[];
  readonly problems: readonly Problem[];
}> {
  const texts = project.messages.describe.policy;
  const written = await readPolicyFile(project.root);
  const start = { file: policyFile, line: 1 };
  const failure = { code: "E_POLICY", severity: "error" } as const;
  if (written === undefined) {
    return { changes: [], problems: [{ ...failure, place: start, ...texts.missing(policyFile) }] };
  }
  const before = parsePolicy(written);
  const after = await readPolicy(project);
  const changes = diffPolicies(before, after, texts);
  const places = new Map<string, Place>([
    ...before.map(({ name, at }) => [name, { ...start, line: at }] as const),
    ...after.map(({ name, file = policyFile, line = 1 }) =>
      [name, { file, line, column: 1 }] as const
    ),
  ]);
  const problems = changes.map(({ name, text }): Problem => {
    const place = places.get(name) ?? start;
    return { ...failure, place, message: text, fix: texts.fix };
  });
  return { changes, problems };
}
