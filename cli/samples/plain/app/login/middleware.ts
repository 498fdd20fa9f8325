import { limit } from "@fw/fw";

// For each client, twenty tries at once, then one every five seconds: each asks the identity provider.
export const MiddlewareGET = limit(0.2, 20);
