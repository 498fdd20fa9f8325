import type { Problem } from "../../problem.ts";
import type { Project } from "../../project/project.ts";
import { diffPolicies, type PolicyChange } from "./diff.ts";
import { parsePolicy, policyFile, readPolicyFile } from "./file.ts";
import { readPolicy } from "./lines.ts";

export async function checkPolicy(project: Project): Promise<{
  readonly changes: readonly PolicyChange[];
  readonly problems: readonly Problem[];
}> {
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
  const changes = diffPolicies(before, after, texts);
  const problems = changes.map(({ name, direction, text }): Problem => {
    const { file, line = 1 } = lines.get(name) ?? {};
    const place = file === undefined
      ? { file: policyFile, line: old.get(name) ?? 1 }
      : { file, line, column: 1 };
    const fix = direction === "weaker" ? texts.fixWeaker : texts.fix;
    return { code: "E_POLICY", severity: "error", place, message: text, fix };
  });
  return { changes, problems };
}
