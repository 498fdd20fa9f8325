/** The options of std's `parseArgs` that this project uses. */
export interface ParseOptions {
  "--"?: boolean;
  alias?: Record<string, string | readonly string[]>;
  boolean?: readonly string[] | boolean;
  default?: Record<string, unknown>;
  stopEarly?: boolean;
  string?: readonly string[];
  collect?: readonly string[];
  negatable?: readonly string[];
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
export interface Args {
  _: (string | number)[];
  "--"?: string[];
  [name: string]: unknown;
}
export function parseArgs(args: readonly string[], options?: ParseOptions): Args;
