import { KindAPI } from "@fw/fw";

/** Below `/api` every error is a problem document, whatever the client accepts. */
export const Kind = KindAPI;
