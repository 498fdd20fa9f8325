export const statelessRevision = "2026-07-28";

export const newestSessionRevision = "2025-11-25";

export const sessionRevisions: readonly string[] = [newestSessionRevision, "2025-06-18"];

/**
 * The revisions with sessions that the client speaks: older servers differ in what they offer, not in
 * the messages that a client needs.
 */
export const clientSessionRevisions: readonly string[] = [
  ...sessionRevisions,
  "2025-03-26",
  "2024-11-05",
];

export const servedRevisions: readonly string[] = [statelessRevision, ...sessionRevisions];

/** The members of `_meta` that the protocol reserves (revision 2026-07-28, "General fields"). */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Reports whether a revision has no sessions; revisions are dates, so text compares as time. */
export function isStateless(revision: string): boolean {
  return revision >= statelessRevision;
}

/** The methods whose header `Mcp-Name` repeats a parameter ("Request Metadata" of revision 2026-07-28). */
export const namedMethods: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * Reports whether a call of the method may ask the client ("Supported Requests" of "Multi
 * Round-Trip Requests").
 */
export function mayAsk(method: string): boolean {
  return namedMethods.has(method);
}
