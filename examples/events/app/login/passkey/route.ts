import { KindPage, use } from "@fw/fw";
import { Organisers } from "@/lib/organisers.ts";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// As for pages, the CSRF token is checked.
export const Kind = KindPage;

const handlers = organiserKeys.signInHandlers(
  sessions,
  (c, subject) => use(c, Organisers).find(subject),
  { fallback: "/organize" },
);

/**
 * Starts a sign-in: the options of `navigator.credentials.get`.
 *
 * openapi:response 200 PasskeyChallenge
 */
export const GET = handlers.GET;

/**
 * Signs in with a passkey in the format of `PublicKeyCredential.toJSON`.
 *
 * openapi:body PasskeyReply
 * openapi:response 200 PasskeySignIn
 * openapi:response 400
 */
export const POST = handlers.POST;
