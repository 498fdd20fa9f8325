import { limit } from "@fw/fw";

/**
 * A cookie identifies a visitor, and a client that drops it counts as a new one: so one address cannot
 * take all seats of an evening in a minute. A school behind one address still can have thirty.
 */
export const MiddlewarePOST = limit(1, 30);
