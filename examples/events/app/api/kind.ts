import { KindAPI } from "@fw/fw";

/** Under `/api` every error is a problem document, whatever the client accepts. */
export const Kind = KindAPI;
