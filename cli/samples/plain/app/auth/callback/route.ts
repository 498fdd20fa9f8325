import { auth } from "../../../lib/auth.ts";

/**
 * GET /auth/callback: where the identity provider sends it back.
 *
 * openapi:omit
 */
export const GET = auth.callback;
