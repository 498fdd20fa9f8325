import { KindPage } from "@fw/fw";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// As for pages, the CSRF token is checked.
export const Kind = KindPage;

const handlers = organiserKeys.registerHandlers(sessions);

/**
 * Starts the registration of a passkey: the options of `navigator.credentials.create`.
 *
 * openapi:response 200 PasskeyChallenge
 */
export const GET = handlers.GET;

/**
 * Stores a passkey in the format of `PublicKeyCredential.toJSON`.
 *
 * openapi:body PasskeyReply
 * openapi:response 201 PasskeyMade
 * openapi:response 400
 */
export const POST = handlers.POST;
