import { limit } from "@fw/fw";

/**
 * Visitors are identified by a cookie, and a client that drops it counts as a new one. The limit keeps
 * one address from taking all seats at once, but still allows thirty to a school behind one address.
 */
export const MiddlewarePOST = limit(1, 30);
