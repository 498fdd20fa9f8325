/** Runs a program to its end; returns its output on both streams. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(program, { args: [...args], ...options })
    .output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}
