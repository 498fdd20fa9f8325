import type { Application, Ctx, Handler } from "../../mod.ts";
import type { Sessions } from "../sessions.ts";
import type { SignIn, User } from "../session_record.ts";
import type { Passkey, PasskeyStore } from "../../runtime/addon.ts";

/** Options of {@link passkeys}. */
export interface PasskeyOptions {
  /** The domain that the passkeys belong to, such as `example.com`; they work on its subdomains too. */
  readonly rpId: string;
  /** The name of the application, which some systems show. @default the domain */
  readonly rpName?: string;
  /** The origins of the pages that use them. @default `https://` and the domain */
  readonly origins?: readonly string[];
  /**
   * Keeps the passkeys; a function returns the store of an application. @default the one of `provideStores`,
   * else the memory of this process
   */
  readonly store?: PasskeyStore | ((app: Application) => PasskeyStore);
  /** Maximum number of passkeys per subject. @default 20 */
  readonly maxPerSubject?: number;
  /** Whether the authenticator must check the user; `"preferred"` lets a stolen key sign in. @default "required" */
  readonly userVerification?: "required" | "preferred";
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/** The account that registers a passkey. */
export interface PasskeyUser {
  /** The account: what `sessions.start` takes. */
  readonly subject: string;
  /** Name of the account in the system's list, such as the email address. */
  readonly name: string;
  /** The display name. @default `name` */
  readonly displayName?: string;
}

/** The `GET` and the `POST` of one route: the first gives a challenge, the second takes the response. */
export interface PasskeyHandlers {
  /** Answers with the options for `navigator.credentials`. */
  readonly GET: Handler;
  /**
   * Verifies what `navigator.credentials` returned.
   *
   * @throws {HttpError} 400 where the passkey is refused, 413, 415.
   */
  readonly POST: Handler;
}

/** The passkeys of an application: what {@link passkeys} returns. */
export interface Passkeys {
  /** Returns options for `navigator.credentials.create`, as JSON, and sets the cookie of the challenge. */
  registrationOptions(c: Ctx, user: PasskeyUser): Promise<Readonly<Record<string, unknown>>>;
  /** Verifies a response as `verify` does, and keeps the passkey of the signed-in `subject`. */
  register(
    c: Ctx,
    response: unknown,
    options: { readonly subject: string },
  ): Promise<Passkey | undefined>;
  /** Returns options for `navigator.credentials.get`, as JSON, and sets the cookie of the challenge. */
  signInOptions(c: Ctx): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Verifies what `toJSON` of a credential returned. Returns the passkey, whose `subject` is to be signed in;
   * `undefined` for a refusal, whose reason is a security event.
   */
  verify(c: Ctx, response: unknown): Promise<Passkey | undefined>;
  /** Returns the passkeys of a subject, the oldest first. */
  list(at: Ctx | Application, subject: string): Promise<readonly Passkey[]>;
  /** Deletes a passkey of a subject; returns whether the subject had it. */
  remove(at: Ctx | Application, passkey: Pick<Passkey, "subject" | "id">): Promise<boolean>;
  /**
   * Makes the handlers of a route on which signed-in users register a passkey.
   *
   * @param describe Returns the account that the passkey signs in. @default the subject, by its email
   * address or name; 403 for users of an identity provider, whose subjects are not those of the application
   */
  registerHandlers(
    sessions: Pick<Sessions, "require">,
    describe?: (c: Ctx, user: User) => PasskeyUser | Promise<PasskeyUser>,
  ): PasskeyHandlers;
  /**
   * Makes the handlers of a route on which a passkey signs in; declare `Kind = "page"`, so that the CSRF
   * token is checked.
   *
   * @param findUser Returns who the subject is, or `undefined` for an account that is closed.
   * @param options `fallback` is the path, without the base path, for a browser that wanted nothing
   * else. @default "/"
   */
  signInHandlers(
    sessions: Pick<Sessions, "start">,
    findUser: (c: Ctx, subject: string) => SignIn | undefined | Promise<SignIn | undefined>,
    options?: { readonly fallback?: string },
  ): PasskeyHandlers;
}

export type PasskeyCalls = Omit<Passkeys, "registerHandlers" | "signInHandlers">;
