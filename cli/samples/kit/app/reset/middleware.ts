import { limit } from "@fw/fw";

// Each request sends a mail. Per client: five at once, then one every 50 seconds.
export const MiddlewarePOST = limit(0.02, 5);
