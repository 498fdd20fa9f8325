/**
 * The files of tests that take longest. Those that compute start first, so that none of them is left to run
 * alone at the end. Those that wait run beside all others from the start.
 *
 * A run prints its slowest files: name here those that take more than 20 seconds, or wait for more than 5.
 *
 * @module
 */

/** Files of the kinds `inside` and `child` that mostly wait, for a clock or a process. Relative to the root. */
export const waitingTests: readonly string[] = [
  "tests/security/floods/slow_clients_test.ts",
  "tests/security/floods/stream_abuse_test.ts",
  "tests/security/bodies/bodies_test.ts",
  "tests/runtime/guard/deadlines_test.ts",
  "tests/ai/transport_test.ts",

  "tests/cli/mcp/mcp_test.ts",
  "tests/e2e/observe/prometheus_test.ts",
  "tests/cli/dev/process_test.ts",
  "tests/e2e/listen/linger_test.ts",
  "tests/e2e/listen/socket_handshake_test.ts",
];

/** Relative to the root, the longest of each kind first. */
export const slowTests: readonly string[] = [
  "tests/e2e/publish/publish_test.ts",
  "tests/cli/commands/check_test.ts",
  "tests/cli/commands/new_app_test.ts",
  "tests/cli/commands/mistakes_test.ts",
  "tests/cli/dev/dev_test.ts",
  "tests/cli/export/export_test.ts",
  "tests/e2e/soak/soak_test.ts",
  "tests/cli/commands/generate_auth_test.ts",
  "tests/e2e/build_test.ts",

  "tests/browser/gallery/looks_test.ts",
  "tests/browser/gallery/gallery_test.ts",

  // It measures processor time, which what shares its worker would add to.
  "tests/runtime/serve/costs_test.ts",

  "tests/auth/passwords_test.ts",
  "tests/security/headers/breach_test.ts",
];

/** Sorts files so that the slow ones come first; the others keep their order. */
export function slowestFirst(paths: readonly string[]): string[] {
  const rankOf = (path: string): number => {
    const rank = slowTests.indexOf(path);
    return rank < 0 ? slowTests.length : rank;
  };
  return paths.toSorted((one, other) => rankOf(one) - rankOf(other));
}
