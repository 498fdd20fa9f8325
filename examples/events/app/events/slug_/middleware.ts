import { limit } from "@fw/fw";

/**
 * A cookie tells visitors apart, and whoever throws it away is somebody new: so one address cannot
 * take all seats of an evening in a minute. A school behind one address still can have thirty.
 */
export const MiddlewarePOST = limit(1, 30);
