/** The tasks of a `deno.json`: each has a description and runs in Deno's own task shell. */

export function findTaskFaults(tasks: Record<string, unknown>): string[] {
  return Object.entries(tasks).flatMap(([name, task]) => {
    if (typeof task !== "object" || task === null) return [`${name}: has no description`];
    const { description, command } = { description: undefined, command: undefined, ...task };
    const faults: string[] = [];
    if (typeof description !== "string") faults.push(`${name}: has no description`);
    if (typeof command !== "string") faults.push(`${name}: has no command`);
    // Deno's task shell supports neither form; it appends arguments itself.
    else if (/\$@|\$\{/.test(command)) faults.push(`${name}: uses $@ or \${…}`);
    return faults;
  });
}
