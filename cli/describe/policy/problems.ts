import type { Messages } from "../../messages/catalog.ts";
import type { Place, Problem } from "../../problem.ts";
import type { Project } from "../../project/project.ts";
import { diffPolicies, type PolicyChange } from "./diff.ts";
import { parsePolicy, policyFile, readPolicyFile } from "./file.ts";
import { none, type PolicyLine, readPolicy } from "./lines.ts";

export interface PolicyReport {
  readonly changes: readonly PolicyChange[];
  readonly problems: readonly Problem[];
}

/** Compares `policy.txt` with the code. */
export async function checkPolicy(project: Project): Promise<PolicyReport> {
  const texts = project.messages.describe.policy;
  const written = await readPolicyFile(project.root);
  if (written === undefined) {
    const place = { file: policyFile, line: 1 };
    return {
      changes: [],
      problems: [{ code: "E_POLICY", severity: "error", place, ...texts.missing(policyFile) }],
    };
  }
  const before = parsePolicy(written);
  const after = await readPolicy(project);
  const lines = new Map(after.map((line) => [line.name, line]));
  const old = new Map(before.map(({ name, at }) => [name, at]));
  const changes = diffPolicies(before, after);
  const problems = changes.map((change): Problem => {
    const place = placeOf(lines.get(change.name)) ??
      { file: policyFile, line: old.get(change.name) ?? 1 };
    const message = `${texts.directions[change.direction]}: ${policyChangeText(change, texts)}`;
    const fix = change.direction === "weaker" ? texts.fixWeaker : texts.fix;
    return { code: "E_POLICY", severity: "error", place, message, fix };
  });
  return { changes, problems };
}

function placeOf(line: PolicyLine | undefined): Place | undefined {
  if (line?.file === undefined) return undefined;
  return { file: line.file, line: line.line ?? 1, column: 1 };
}

function addedText(guards: string, texts: Messages["describe"]["policy"]): string {
  return guards === none ? texts.added : texts.addedGuarded(guards);
}

/** Returns a change as a reviewer reads it: `POST /x: guard requireRole(editor) removed`. */
export function policyChangeText(
  change: PolicyChange,
  texts: Messages["describe"]["policy"],
): string {
  const { name } = change;
  switch (change.kind) {
    case "added":
      return `${name}: ${addedText(change.line.fields.guards, texts)}`;
    case "removed":
      return `${name}: ${texts.removed}`;
    case "member-added":
      return `${name}: ${texts.memberAdded(texts.fields[change.field], change.value)}`;
    case "member-removed":
      return `${name}: ${texts.memberRemoved(texts.fields[change.field], change.value)}`;
    case "value":
      return `${name}: ${texts.fields[change.field]} ${change.before} → ${change.after}`;
  }
}
