/** Options of {@link stdio}. */
export interface StdioOptions {
  /** The working directory of the child. @default that of this process */
  readonly cwd?: string | URL;
  /** Environment variables of the child, beyond the harmless ones of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives what the child writes to standard error, line by line. @default dropped */
  readonly onStderr?: (line: string) => void;
  /** The most bytes of one message. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** How long the child has to end by itself, and again after SIGTERM, in milliseconds. @default 2000 */
  readonly shutdownMs?: number;
  /** How long the child has to answer `server/discover`, in milliseconds. @default 3000 */
  readonly probeMs?: number;
}
