import { limit } from "@fw/fw";

// For each client, passkeys included: ten tries at once, then one every ten seconds. Each account has a
// limit of its own, in the handler.
export const MiddlewarePOST = limit(0.1, 10);
