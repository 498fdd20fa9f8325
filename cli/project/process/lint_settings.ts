/**
 * Passes the rules of a project to the linter without its settings file, which may name plugins: programs that
 * read every file and variable of the user.
 */
import { memberOf, textsOf } from "../json.ts";
import type { Manifest } from "../manifest.ts";

export function hasLintPlugins(manifest: Manifest): boolean {
  return textsIn(memberOf(manifest["lint"], "plugins")).length > 0;
}

export function lintFlags(
  manifest: Manifest,
): { readonly flags: readonly string[]; readonly files: readonly string[] } {
  const lint = manifest["lint"];
  const rules = memberOf(lint, "rules");
  const left = [...textsIn(manifest["exclude"]), ...textsIn(memberOf(lint, "exclude"))];
  const flags = [
    ...flagOf("rules-tags", textsIn(memberOf(rules, "tags"))),
    ...flagOf("rules-include", textsIn(memberOf(rules, "include"))),
    ...flagOf("rules-exclude", textsIn(memberOf(rules, "exclude"))),
    // What is taken back from the list has no flag.
    ...flagOf("ignore", left.filter((path) => !path.startsWith("!"))),
  ];
  // A project names files of its own.
  const isInside = (path: string): boolean => !/^[/\\!]|^\w:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
  const files = textsIn(memberOf(lint, "include")).filter(isInside);
  return { flags: ["--no-config", ...flags], files };
}

function flagOf(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`--${name}=${values.join(",")}`];
}

function textsIn(value: unknown): string[] {
  return textsOf(value).filter((each) => each !== "");
}
