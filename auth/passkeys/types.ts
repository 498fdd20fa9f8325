import type { Application, Ctx, Handler } from "../../mod.ts";
import type { AccountRow } from "../oidc/auth_options.ts";
import type { Sessions } from "../sessions.ts";
import type { SignIn, User } from "../session_record.ts";
import type { Awaitable, Passkey, PasskeyStore } from "../../runtime/addon.ts";

/** Options of {@link passkeys}. */
export interface PasskeyOptions {
  /**
   * The domain that the passkeys belong to, such as `example.com`, or a function that returns an application's;
   * they work on its subdomains too.
   */
  readonly rpId: string | ((app: Application) => string);
  /** The name of the application, which some systems show. @default the domain */
  readonly rpName?: string;
  /**
   * The origins of the pages that use the passkeys, or a function that returns an application's.
   * @default `https://` and the domain
   */
  readonly origins?: readonly string[] | ((app: Application) => readonly string[]);
  /**
   * Store of the passkeys, or a function that returns an application's store. @default the store of
   * `provideStores`, else the memory of the process
   */
  readonly store?: PasskeyStore | ((app: Application) => PasskeyStore);
  /** Maximum number of passkeys per subject. @default 20 */
  readonly maxPerSubject?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/** The account that registers a passkey. */
export interface PasskeyUser {
  /** The account's subject, as passed to `sessions.start`. */
  readonly subject: string;
  /** Name of the account in the system's list of passkeys, such as the email address. */
  readonly name: string;
  /** The display name. @default `name` */
  readonly displayName?: string;
}

/** The handlers of one route: `GET` returns a challenge, `POST` verifies the response. */
export interface PasskeyHandlers {
  /** Responds with the options for `navigator.credentials`. */
  readonly GET: Handler;
  /**
   * Verifies the result of `navigator.credentials`.
   *
   * @throws {HttpError} 400 for a refused passkey; 413 or 415 for the body.
   */
  readonly POST: Handler;
}

/** The passkeys of an application, as returned by {@link passkeys}. */
export interface Passkeys {
  /** Returns the passkeys of a subject, oldest first. */
  list(at: Ctx | Application, subject: string): Promise<readonly Passkey[]>;
  /** Deletes a passkey of a subject; returns whether the subject had it. */
  remove(at: Ctx | Application, passkey: Pick<Passkey, "subject" | "id">): Promise<boolean>;
  /**
   * Creates the handlers of a route where signed-in users register a passkey. The reason of a refusal is a
   * security event.
   *
   * @param describe Returns the account that the passkey signs in. @default the subject, shown by email
   * address or name; 403 for users of an identity provider, whose subjects are not the application's
   */
  registerHandlers(
    sessions: Pick<Sessions, "require">,
    describe?: (c: Ctx, user: User) => PasskeyUser | Promise<PasskeyUser>,
  ): PasskeyHandlers;
  /**
   * Creates the handlers of a route where users sign in with a passkey; declare `Kind = "page"`, so that
   * the CSRF token is checked.
   *
   * @param findUser Returns the user of a subject, or `undefined` for a closed account. `isCurrent` is called
   * after the session has started; `false` ends that. Without it, a role removed during a sign-in stays until
   * the session ends.
   * @param options `fallback` is the path after a sign-in without `next`, without the base path.
   * @default "/"
   */
  signInHandlers(
    sessions: Pick<Sessions, "start" | "end">,
    findUser: (
      c: Ctx,
      subject: string,
    ) => Awaitable<(SignIn & Pick<AccountRow, "isCurrent">) | undefined>,
    options?: { readonly fallback?: string },
  ): PasskeyHandlers;
}
