/** The file `policy.txt`: its text, and how it is read. */
import { join } from "@std/path";
import { readTextIfThere } from "../../project/files/look.ts";
import { none, policyFields, type PolicyLine } from "./lines.ts";

export const policyFile = "policy.txt";

const head = "# Who may call what, and how much. Written by `fw policy`; commit it.\n";

/** Returns the text of the file. Values without meaning are left out, so that each line is short. */
export function formatPolicy(lines: readonly PolicyLine[]): string {
  return head + lines.map((line) => `${formatLine(line)}\n`).join("");
}

function formatLine({ name, fields }: PolicyLine): string {
  const shown = policyFields.filter((field) => fields[field] !== none);
  return [name, ...shown.map((field) => `${field}=${fields[field]}`)].join(" ");
}

export interface WrittenLine extends PolicyLine {
  readonly at: number;
}

/** Parses the text of the file; what is not a line of it is left out. */
export function parsePolicy(text: string): WrittenLine[] {
  return text.split(/\r?\n/).flatMap((line, index): WrittenLine[] => {
    const [, name = "", rest = ""] = /^([A-Z]+ \/\S*)(.*)$/.exec(line) ?? [];
    if (name === "") return [];
    const given = new Map(
      rest.trim().split(/\s+/).map((part): [string, string] => {
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
