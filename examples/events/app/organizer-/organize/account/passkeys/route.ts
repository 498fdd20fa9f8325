import { KindPage } from "@fw/fw";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// The CSRF token is checked.
export const Kind = KindPage;

const handlers = organiserKeys.registerHandlers(sessions);

/**
 * Starts to register a passkey: the options of `navigator.credentials.create`.
 *
 * openapi:response 200 PasskeyChallenge
 */
export const GET = handlers.GET;

/**
 * Keeps a passkey, sent as `PublicKeyCredential.toJSON` writes it.
 *
 * openapi:body PasskeyReply
 * openapi:response 201 PasskeyMade
 * openapi:response 400
 */
export const POST = handlers.POST;
