/**
 * The usage and the examples of each command, separated by semicolons. They are the same in every
 * language, except for the words in angle brackets.
 */
const usages = {
  new: "<name> [--kit] [--db <engine>] [--agents]; fw new my-app; fw new my-app --kit",
  dev: "[--addr <addr>]; fw dev --addr 8080",
  gen: "[--check] [--json]; fw gen --check",
  generate:
    "<what> … [flags]; fw generate page /blog/{slug}; fw generate resource events title:text,required seats:int,min=1; fw generate auth --provider keycloak",
  jobs:
    "[list|run|retry|drop] [<id> …] [--all]; fw jobs; fw jobs run digest; fw jobs retry 17; fw jobs drop --all",
  migrate: "[--status] [--db <file>]; fw migrate; fw migrate --status",
  ui: "[--passkeys] [--force] [--brand <color>]; fw ui",
  export:
    "[--out <folder>] [--base-url <url>] [flags]; fw export --base-url https://example.com; fw export -o public_html --exclude /admin; fw export --only / --only /docs",
  build:
    "[--target <system>] [--output <file>] [flags]; fw build; fw build --target aarch64-unknown-linux-gnu -o out/shop-arm64",
  check: "[--fix] [--json]; fw check --fix",
  audit: "[--json]; fw audit --json",
  openapi:
    "[-o <file or ->] [--against <file or git ref>] [--check] [--json]; fw openapi --check; fw openapi --against main",
  routes: "[--json]; fw routes --json",
  ctx: "[--json]; fw ctx",
  policy: "[--check]; fw policy --check",
  docs: "<words> …; fw docs upload limit",
  agents: "[--force] [--lang pt]; fw agents",
  incident: "[<request_id>] [--from <folder>]; fw incident; fw incident 4a1f0c2b9d3e-00007k",
  mcp: "; fw mcp",
  "generate page": "<url> [flags]; fw generate page /blog/{slug}",
  "generate route": "<url> [flags]; fw generate route /api/events --methods GET,POST --bind",
  "generate test": "<url> [flags]; fw generate test /contact",
  "generate island": "<name> [flags]; fw generate island counter",
  "generate job": "<name> [flags]; fw generate job send_digest",
  "generate jobs": "[flags]; fw generate jobs",
  "generate mail": "<name> [flags]; fw generate mail welcome",
  "generate migration": "<name> [flags]; fw generate migration add_place_to_events",
  "generate resource":
    "<names> <field>:<type>[,<rule>…] … [flags]; fw generate resource events title:text,required seats:int,min=1",
  "generate language": "<tag> [flags]; fw generate language pt-PT",
  "generate serve": "[flags]",
  "generate database": "<engine> [flags]; fw generate database postgres",
  "generate auth":
    "[flags]; fw generate auth --provider keycloak; fw generate auth --passkeys --users",
} as const;

type Command = keyof typeof usages;

/** Adds to the help of each command its usage, as the first line, and its examples. */
export function withUsages(
  helps: Readonly<Record<Command | "main", string>>,
  words: Readonly<Record<string, string>> = {},
): Readonly<Record<Command | "main", string>> {
  const whole = Object.entries(usages).map(([command, written]) => {
    const [usage = "", ...examples] = written.split("; ");
    const own = usage.replaceAll(
      /(?<=<)[^>]+(?=>)|\bflags\b/g,
      (word) => Object.hasOwn(words, word) ? words[word] ?? word : word,
    );
    return [command, [own, helps[command as Command], ...examples].join("\n")];
  });
  return { ...helps, ...Object.fromEntries(whole) };
}
