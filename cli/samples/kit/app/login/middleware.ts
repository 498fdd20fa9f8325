import { limit } from "@fw/fw";

// Per client, including passkeys: ten tries at once, then one every ten seconds. The handler also
// limits tries per account.
export const MiddlewarePOST = limit(0.1, 10);
