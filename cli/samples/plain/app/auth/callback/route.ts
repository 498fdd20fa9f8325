import { auth } from "../../../lib/auth.ts";

/**
 * GET /auth/callback: completes the sign-in when the identity provider redirects back.
 *
 * openapi:omit
 */
export const GET = auth.callback;
