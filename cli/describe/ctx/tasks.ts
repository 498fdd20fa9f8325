/** A task of `deno.json`. */
export interface TaskEntry {
  readonly name: string;
  /** What it does: its description, or else its command in backquotes. */
  readonly text: string;
}

/** Describes a task of `deno.json`. */
export function describeTask([name, task]: readonly [string, unknown]): TaskEntry {
  return { name, text: textOf(task) };
}

function textOf(task: unknown): string {
  if (typeof task === "string") return `\`${task}\``;
  if (typeof task !== "object" || task === null) return "";
  const { description, command } = task as { description?: unknown; command?: unknown };
  if (typeof description === "string") return description;
  return typeof command === "string" ? `\`${command}\`` : "";
}
