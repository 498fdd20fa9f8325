import { type Application, type Ctx, type HttpError, httpError } from "../../mod.ts";
import {
  askStore,
  type Awaitable,
  findApplication,
  findStores,
  hideCredentials,
  memoryOnce,
  noteStoreState,
  type Passkey,
  type PasskeyStore,
  perApplication,
  randomToken,
  readJsonBody,
} from "../../runtime/addon.ts";
import { nextPath } from "../next_path.ts";
import { managers } from "../session_manager.ts";
import { parseDevice, type User } from "../session_record.ts";
import {
  type CeremonyRules,
  checkAssertion,
  checkRegistration,
  parseCredential,
} from "./ceremony.ts";
import { algorithms } from "./cose_key.ts";
import { need, PasskeyFault } from "./fault.ts";
import { ceremonyMs, providedPasskeys, startCeremony, takeChallenge } from "./stores.ts";
import type { PasskeyOptions, Passkeys, PasskeyUser } from "./types.ts";

/**
 * Creates sign-in with passkeys (Web Authentication, level 3): discoverable credentials with ES256,
 * EdDSA or RS256, without attestation. The browser needs `passkeys.js`, which the CLI writes to
 * `public/`, and `passkeyForm`.
 *
 * @throws {TypeError} for a domain that is not a host name, without origins, and for one outside the domain; if
 * they are functions, at the first request.
 * @throws {RangeError} for a `maxPerSubject` that is not an integer of at least 1.
 * @example
 * ```ts
 * import { createSessions, memoryPasskeyStore, passkeys } from "@fw/fw/auth";
 *
 * const sessions = createSessions();
 * const keys = passkeys({ rpId: "example.com", store: memoryPasskeyStore() });
 * // app/login/passkey/route.ts
 * const Kind = "page";
 * const { GET, POST } = keys.signInHandlers(sessions, (_c, subject) => ({ subject }));
 * console.assert([Kind, GET, POST].length === 3);
 * ```
 */
export function passkeys(options: PasskeyOptions): Passkeys {
  const { rpId, rpName, origins, store = providedPasskeys(), now = Date.now } = options;
  const { maxPerSubject = 20 } = options;
  const stores = perApplication((app) =>
    refuseFaults(typeof store === "function" ? store(app) : store)
  );
  const storeAt = (at: Ctx | Application): PasskeyStore => stores(findApplication(at));
  if (!Number.isSafeInteger(maxPerSubject) || maxPerSubject < 1) {
    throw new RangeError(
      `Cannot use passkeys with maxPerSubject "${maxPerSubject}": use an integer from 1 up.`,
    );
  }
  const findRules = perApplication((app) =>
    checkedRules(
      typeof rpId === "function" ? rpId(app) : rpId,
      typeof origins === "function" ? origins(app) : origins,
    )
  );
  if (typeof rpId === "string" && typeof origins !== "function") checkedRules(rpId, origins);
  noteStoreState("used registrations of passkeys", "once");
  const used = perApplication((app) => findStores(app).once ?? memoryOnce({ now }));
  const isFirst = (c: Ctx, challenge: string): Awaitable<boolean> =>
    askStore("ticket", () => used(c.app).take(`passkey:${challenge}`, ceremonyMs));
  const ceremony = { storeAt, isFirst, findRules, now, maxPerSubject, rpName };
  const remove: Passkeys["remove"] = async (at, { subject, id }) =>
    // The browser sends the id, and not every store accepts every string.
    /^[\w-]{1,1364}$/.test(id) && await storeAt(at).remove(subject, id);
  return {
    list: async (at, subject) => await storeAt(at).list(subject),
    remove,
    registerHandlers: (sessions, describe = describeUser) => ({
      GET: async (c) => {
        const account = await describe(c, await sessions.require(c));
        return c.json(200, await registrationOptions(c, account, ceremony));
      },
      POST: async (c) => {
        const { subject } = await describe(c, await sessions.require(c));
        const response = await readJsonBody(c);
        const passkey = await orRefusal(
          c,
          () => register(c, response, { ...ceremony, subject }),
        );
        // While the body arrived, a new password may have ended the session and removed the passkeys.
        if (await managers.get(sessions)?.isLive(c) !== false) {
          return c.json(201, { id: passkey.id });
        }
        await remove(c, passkey);
        throw refusal();
      },
    }),
    signInHandlers: (sessions, findUser, place = {}) => ({
      GET: (c) => {
        const started = { kind: "get", atMs: now(), subject: "", userHandle: "" } as const;
        const challenge = startCeremony(c, started);
        // No list: the system offers the passkeys for this domain, and no page reveals who has any.
        const { rpId } = findRules(c.app);
        const about = { timeout: ceremonyMs, challenge, rpId, userVerification: "required" };
        return c.json(200, { ...about, allowCredentials: [] });
      },
      POST: async (c) => {
        const response = await readJsonBody(c);
        const { subject } = await orRefusal(c, () => verify(c, response, ceremony));
        const user = await findUser(c, subject);
        if (user === undefined) throw refusal();
        await sessions.start(c, user);
        // A change to the account ends its sessions, but this session may have started just after it.
        if (await user.isCurrent?.() !== false) {
          return c.json(200, { location: nextPath(c, place) });
        }
        await sessions.end(c);
        throw refusal();
      },
    }),
  };
}

function refusal(): HttpError {
  return httpError(400, "The passkey was not accepted.", { code: "passkey_refused" });
}

function describeUser(_c: Ctx, { provider, subject, email, name }: User): PasskeyUser {
  if (provider !== "") {
    throw httpError(403, "This account signs in at its provider.", { code: "passkey_refused" });
  }
  const shown = email ?? name ?? subject;
  return { subject, name: shown, displayName: name ?? shown };
}

interface Ceremony {
  readonly storeAt: (c: Ctx) => PasskeyStore;
  readonly isFirst: (c: Ctx, challenge: string) => Awaitable<boolean>;
  readonly maxPerSubject: number;
  readonly findRules: (app: Application) => Omit<CeremonyRules, "challenge">;
  readonly now: () => number;
  readonly rpName: string | undefined;
}

async function registrationOptions(
  c: Ctx,
  { subject, name, displayName = name }: PasskeyUser,
  { storeAt, findRules, rpName, now }: Ceremony,
): Promise<Readonly<Record<string, unknown>>> {
  const { rpId } = findRules(c.app);
  const present = await storeAt(c).list(subject);
  const userHandle = present[0]?.userHandle ?? randomToken();
  const challenge = startCeremony(c, { kind: "create", atMs: now(), subject, userHandle });
  return {
    timeout: ceremonyMs,
    challenge,
    rp: { id: rpId, name: rpName ?? rpId },
    user: { id: userHandle, name, displayName },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
    excludeCredentials: present.map(({ id }) => ({ type: "public-key", id })),
  };
}

async function register(
  c: Ctx,
  response: unknown,
  { subject, storeAt, isFirst, findRules, now, maxPerSubject }: Ceremony & {
    readonly subject: string;
  },
): Promise<Passkey> {
  const store = storeAt(c);
  const started = takeChallenge(c, { kind: "create", now: now() });
  need(started.subject === subject, "user", "another user started the registration");
  const { challenge, userHandle } = started;
  const registered = await checkRegistration(response, { ...findRules(c.app), challenge });
  // A browser can resend its cookie, which would restore a passkey removed since then.
  need(await isFirst(c, challenge), "challenge", "the response was already used");
  const passkey: Passkey = {
    ...registered,
    subject,
    userHandle,
    label: parseDevice(c.request.headers.get("user-agent")),
    createdAtMs: now(),
    usedAtMs: now(),
    challengedAtMs: 0,
  };
  const added = await store.add(passkey, { max: maxPerSubject });
  need(added !== "too-many", "too-many", "the account has the maximum number of passkeys");
  need(added !== "handle", "user", "another registration set the account's user handle");
  need(added === "added", "registered", "the passkey is already registered");
  return passkey;
}

async function verify(
  c: Ctx,
  response: unknown,
  { storeAt, findRules, now }: Ceremony,
): Promise<Passkey> {
  const store = storeAt(c);
  const { challenge, atMs } = takeChallenge(c, { kind: "get", now: now() });
  const passkey = await store.find(parseCredential(response).id);
  need(passkey !== undefined, "unknown", "the passkey is not registered");
  const { signCount, isBackupEligible, isBackedUp } = await checkAssertion(
    response,
    { ...findRules(c.app), challenge },
    passkey,
  );
  const isBehind = passkey.signCount !== 0 && signCount <= passkey.signCount;
  // A single-device authenticator whose counter goes back was copied (section 6.1.1). Copies of a synced passkey
  // count separately, and a new provider changes the kind, which must not lock the owner out.
  need(
    !isBehind || isBackupEligible || passkey.isBackupEligible,
    "counter",
    "the counter has gone back",
  );
  if (isBehind) c.app.security.report(c, "auth", { reason: "passkey-counter-back" });
  if (isBackupEligible !== passkey.isBackupEligible) {
    c.app.security.report(c, "auth", { reason: "passkey-backup-changed" });
  }
  const use = { signCount, isBackupEligible, isBackedUp, usedAtMs: now(), challengedAtMs: atMs };
  need(await store.use(passkey.id, use), "challenge", "the response was already used");
  return { ...passkey, ...use };
}

/** Turns a store's failures into 503, so that none counts as a refused passkey. */
function refuseFaults(store: PasskeyStore): PasskeyStore {
  return {
    add: (passkey, options) => askStore("passkey", () => store.add(passkey, options)),
    find: (id) => askStore("passkey", () => store.find(id)),
    list: (subject) => askStore("passkey", () => store.list(subject)),
    use: (id, use) => askStore("passkey", () => store.use(id, use)),
    remove: (subject, id) => askStore("passkey", () => store.remove(subject, id)),
  };
}

/** Turns a fault into a refusal, whose reason is in the log and a security event. */
async function orRefusal<T>(c: Ctx, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    c.app.security.report(c, "auth", { reason: `passkey-${error.reason}` });
    c.log.warn("a passkey was refused", { reason: error.reason, detail: error.message });
    throw refusal();
  }
}

/** Checks the domain and the origins of an application. @throws {TypeError} */
function checkedRules(
  rpId: string,
  origins: readonly string[] = [`https://${rpId}`],
): Omit<CeremonyRules, "challenge"> {
  // Browsers refuse an IP address, whose last part has no letter.
  if (!/^(?:[a-z0-9-]+\.)*[0-9-]*[a-z][a-z0-9-]*$/.test(rpId) || origins.length === 0) {
    throw new TypeError(
      `Cannot use passkeys of "${rpId}": use a lower-case host name as rpId, such as "club.example", ` +
        "and at least one origin.",
    );
  }
  for (const origin of origins) checkOrigin(origin, rpId);
  return { rpId, origins };
}

function checkOrigin(origin: string, rpId: string): void {
  const url = URL.parse(origin);
  const isInside = url?.origin === origin &&
    (url.hostname === rpId || url.hostname.endsWith(`.${rpId}`));
  // Browsers offer passkeys only in secure contexts.
  const isSecure = url?.protocol === "https:" || url?.hostname === "localhost" ||
    url?.hostname.endsWith(".localhost");
  if (isInside && isSecure) return;
  const shown = hideCredentials(origin);
  throw new TypeError(
    `Cannot use passkeys of "${rpId}" on the origin "${shown}": use an origin such as ` +
      `"https://${rpId}", on this domain or a subdomain.`,
  );
}
