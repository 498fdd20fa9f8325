import { KindPage } from "@fw/fw";
import { auth } from "../../lib/auth.ts";

// A page's route: the CSRF token is checked, so that no other site can sign a user out.
export const Kind = KindPage;

/**
 * POST /logout
 *
 * openapi:omit
 */
export const POST = auth.logout;
