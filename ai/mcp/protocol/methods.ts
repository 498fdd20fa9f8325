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
