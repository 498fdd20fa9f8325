import { limit } from "@fw/fw";

// Each request is a mail: five at once, then one every 50 seconds for each client.
export const MiddlewarePOST = limit(0.02, 5);
