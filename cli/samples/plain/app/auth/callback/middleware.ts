import { limit } from "@fw/fw";

// Per client: twenty tries at once, then one every five seconds. Each calls the identity provider.
export const MiddlewareGET = limit(0.2, 20);
