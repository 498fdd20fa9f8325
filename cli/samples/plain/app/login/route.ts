import { auth } from "../../lib/auth.ts";

/**
 * GET /login: redirects the browser to the identity provider.
 *
 * openapi:omit
 */
export const GET = auth.start;
