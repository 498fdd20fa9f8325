import { hash } from "node:crypto";
import type { Ctx } from "../../mod.ts";
import {
  askStore,
  equalSecrets,
  isLookahead,
  type JsonObject,
  parseCookies,
  prefixedCookieName,
  randomToken,
} from "../../runtime/addon.ts";
import { appPath, checkNext, pendingNext } from "../next_path.ts";
import { createUseRecord, hashId, userOf } from "../session_record.ts";
import {
  clientName,
  describe,
  refuseSignIn,
  type RegisteredClient,
  requestTokenResponse,
  tokenExpectations,
  type TokenResponse,
} from "./client.ts";
import { type IdTokenClaims, isId, toleranceSeconds, verifyIdToken } from "./id_token.ts";
import { verifyJws, withoutNulls } from "./jws.ts";
import type { ProviderMetadata } from "./provider.ts";
import { maxRoles, parseUser, type ProviderPlan } from "./provider_plan.ts";
import type { Registration } from "./token_vault.ts";

const maxCodeChars = 8_192;

/** Redirects to the provider (OpenID Connect Core, 3.1.2.1). @throws {ProviderError} without its metadata. */
export async function startSignIn(
  c: Ctx,
  client: RegisteredClient,
  session?: string,
): Promise<Response> {
  const { plan, settings, directory } = client;
  const { authorizationEndpoint } = await directory(c.app).metadata();
  const { hostname, origin } = new URL(plan.redirectUrl);
  if (hostname !== c.url.hostname) {
    c.log.warn(
      "this sign-in will be refused: it returns to a host that does not receive its cookie",
      {
        host: c.url.hostname,
        fix: `open the application at ${origin}, or change redirectUrl`,
      },
    );
  }
  const attempt = openAttempt(c, client, session);
  const { maxAgeSeconds } = settings;
  const url = new URL(authorizationEndpoint);
  const parameters: Record<string, string> = {
    ...settings.authorizationParameters,
    ...(maxAgeSeconds === undefined ? {} : { max_age: String(maxAgeSeconds) }),
    ...(attempt.isAgain ? plan.again ?? { max_age: "0" } : {}),
    response_type: "code",
    client_id: plan.clientId,
    redirect_uri: plan.redirectUrl,
    scope: settings.scope,
    state: attempt.state,
    ...(plan.oauth === undefined ? { nonce: attempt.nonce } : {}),
    code_challenge: hash("sha256", attempt.verifier, "base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return c.redirect(url.href, c.method === "POST" ? 303 : 302);
}

/** Completes the sign-in. @throws {HttpError} if a check fails; {ProviderError} for an outage. */
export async function finishSignIn(c: Ctx, client: Registration): Promise<Response> {
  const { plan, settings, directory, manager, vault } = client;
  const answer = readAnswer(c);
  const attempt = takeAttempt(c, answer.state, settings.now());
  const { usedStates } = directory(c.app);
  if (attempt === undefined) {
    const refusal = refuseSignIn(c, "state");
    // The back button and a second click at the provider send a signed-in user here again.
    if (await manager.find(c) === undefined) throw refusal;
    return c.redirect(appPath(c, settings.afterLogin));
  }
  if (attempt.provider !== clientName(client)) throw refuseSignIn(c, "provider");
  // A middleware that shows the refusal may lead back to the sign-in.
  c.set(pendingNext, attempt.next);
  const metadata = await directory(c.app).metadata();
  // A browser can resend its cookie, and each copy would cost a token request.
  if (!await askStore("ticket", () => usedStates.take(`state:${attempt.state}`, lifetimeMs))) {
    throw refuseSignIn(c, "state");
  }
  const code = checkedCode(c, answer, { metadata, isIssuer: plan.isIssuer });
  const exchanged = await requestTokenResponse(c, client, {
    grant_type: "authorization_code",
    code,
    redirect_uri: plan.redirectUrl,
    code_verifier: attempt.verifier,
  });
  if (!exchanged.ok) throw refuseSignIn(c, "exchange", { detail: exchanged.reason });
  const tokens = exchanged.value;
  const claims = plan.oauth === undefined
    ? await readClaims(c, client, { nonce: attempt.nonce, tokens })
    : await readIdentity(c, client, { ...plan.oauth, accessToken: tokens.accessToken });
  await useOnce(c, client, attempt);
  const fault = plan.describeFault?.(claims);
  if (fault !== undefined) c.log.warn(fault, { subject: claims.sub });
  const { issuer: provider } = plan;
  const user = parseUser(claims, plan, settings);
  const asked = attempt.session === undefined ? undefined : await manager.find(c);
  // Read again, because the session may have ended while the provider was asked.
  const isLive = asked === undefined || await manager.isLive(c);
  if (asked?.id !== attempt.session || !isLive) throw refuseSignIn(c, "session");
  const connectTo = asked && userOf(asked);
  const authenticated = checkedTime(c, claims, attempt);
  const row = await settings.account?.(c, { provider, ...user, connectTo });
  if (connectTo !== undefined) return c.redirect(attempt.next, 303);
  const more = row?.roles ?? [];
  // The provider alone may send as many roles as a session holds.
  const roles = [...user.roles.slice(0, maxRoles - more.length), ...more];
  const who = row?.own ? { ...row.own, subject: row.id } : { ...user, id: row?.id };
  const part = row?.own ? { provider: "", ...authenticated } : {
    provider,
    ...authenticated,
    ...(isId(claims.sid) ? { sid: claims.sid } : {}),
    ...(vault && { data: vault.seal(c.app, { provider, subject: claims.sub }, tokens) }),
  };
  await manager.start(c, { ...who, roles }, part);
  // A change to the row ends its sessions, but this session may have started just after it.
  if (await row?.isCurrent?.() === false) {
    await manager.end(c);
    throw refuseSignIn(c, "account");
  }
  return c.redirect(attempt.next, 303);
}

/** Reads when the user authenticated. @throws {HttpError} 400 if that had to happen again. */
function checkedTime(
  c: Ctx,
  { auth_time: seconds }: JsonObject,
  { isAgain, startedMs }: Attempt,
): { readonly authenticatedMs?: number } {
  if (typeof seconds !== "number") return {};
  const authenticatedMs = Math.max(0, Math.floor(seconds)) * 1_000;
  const isOld = authenticatedMs < startedMs - toleranceSeconds * 1_000;
  if (!isAgain || !isOld) return { authenticatedMs };
  const detail = "the provider did not ask the user to sign in again: give it " +
    'again: { prompt: "login" }, beside clientId';
  throw refuseSignIn(c, "token-auth-time", { detail });
}

/** Marks an attempt as used on all replicas. @throws {HttpError} 400 if it was already used. */
async function useOnce(
  c: Ctx,
  { plan, settings, manager }: RegisteredClient,
  attempt: Attempt,
): Promise<void> {
  const usedAtMs = settings.now();
  const times = { usedAtMs, endsAtMs: usedAtMs + lifetimeMs };
  const record = createUseRecord(`state.${hashId(attempt.state)}`, plan.issuer, times);
  const isFirst = await manager.findStore(c.app)?.create(record);
  if (isFirst === false) throw refuseSignIn(c, "state");
}

type Answer = Readonly<Record<"state" | "code" | "error" | "iss", string | undefined>>;

function readAnswer(c: Ctx): Answer {
  const query = c.url.searchParams;
  const one = (name: string): string | undefined => {
    const values = query.getAll(name);
    // RFC 6749, section 3.1: two readers may pick different values of a repeated parameter.
    if (values.length > 1) throw refuseSignIn(c, "parameter-repeated", { detail: name });
    return values[0];
  };
  return { state: one("state"), code: one("code"), error: one("error"), iss: one("iss") };
}

function checkedCode(
  c: Ctx,
  { code, error, iss }: Answer,
  provider: { readonly metadata: ProviderMetadata; readonly isIssuer: (iss: string) => boolean },
): string {
  // RFC 9207: a code from another provider must not be accepted.
  const isWrong = iss === undefined ? provider.metadata.namesIssuer : !provider.isIssuer(iss);
  if (isWrong) throw refuseSignIn(c, "iss-parameter", { detail: describe(iss) });
  if (error !== undefined) {
    const isOutage = error === "temporarily_unavailable" || error === "server_error";
    const status = error === "access_denied" ? 403 : isOutage ? 503 : 400;
    const code = status === 403 ? "sign_in_cancelled" : "sign_in_refused";
    throw refuseSignIn(c, "provider-error", { status, code, detail: describe(error) });
  }
  if (code === undefined || code === "" || code.length > maxCodeChars) {
    throw refuseSignIn(c, "code");
  }
  return code;
}

async function readClaims(
  c: Ctx,
  client: RegisteredClient,
  { nonce, tokens }: { readonly nonce: string; readonly tokens: TokenResponse },
): Promise<IdTokenClaims> {
  const { plan, settings } = client;
  const { accessToken, idToken } = tokens;
  if (idToken === undefined) throw refuseSignIn(c, "token-response", { detail: "no ID token" });
  const expected = tokenExpectations(c, client);
  const checked = await verifyIdToken(idToken, {
    ...expected,
    nonce,
    accessToken,
    maxAgeSeconds: settings.maxAgeSeconds,
  });
  if (!checked.ok) throw refuseSignIn(c, checked.reason);
  const claims = checked.value;
  const others: JsonObject[] = [];
  if (plan.accessTokenClaims.length > 0) {
    const jws = await verifyJws(accessToken, { keys: expected.keys, types: ["jwt", "at+jwt"] });
    const found = jws.ok ? jws.value.payload : {};
    const isOurs = found.iss === claims.iss && found.sub === claims.sub &&
      found.azp === plan.clientId;
    const taken = plan.accessTokenClaims.map((name) => [name, found[name]]);
    if (isOurs) others.push(Object.fromEntries(taken));
  }
  if (settings.userInfo) {
    others.push(await readUserinfo(c, client, { accessToken, subject: claims.sub }));
  }
  return others.reduce<IdTokenClaims>((all, more) => {
    // `email_verified` must come from the same source as `email`.
    const { email, email_verified } = all.email === undefined ? more : all;
    return { ...more, ...all, email, email_verified };
  }, claims);
}

/** Reads the userinfo endpoint (OpenID Connect Core, section 5.3). */
async function readUserinfo(
  c: Ctx,
  { directory }: RegisteredClient,
  { accessToken, subject }: { readonly accessToken: string; readonly subject: string },
): Promise<JsonObject> {
  const { userinfoEndpoint } = await directory(c.app).metadata();
  if (userinfoEndpoint === undefined) throw refuseSignIn(c, "userinfo", { detail: "no endpoint" });
  const info = await directory(c.app).readObject(userinfoEndpoint, accessToken);
  // Section 5.3.2: the claims of another user must not be used.
  if (info.sub === subject) return withoutNulls(info);
  throw refuseSignIn(c, "userinfo", { detail: `subject ${describe(info.sub)}` });
}

async function readIdentity(
  c: Ctx,
  { directory }: RegisteredClient,
  { endpoints: { userinfoEndpoint }, identity, accessToken }:
    & NonNullable<ProviderPlan["oauth"]>
    & { readonly accessToken: string },
): Promise<JsonObject & { readonly sub: string }> {
  const provider = directory(c.app);
  const fetchJson = async (text: string): Promise<unknown> => {
    const url = URL.parse(text, userinfoEndpoint);
    // A link in the user's data must not lead the access token to another server.
    if (url?.origin !== new URL(userinfoEndpoint).origin) {
      const detail = `fetchJson reads the origin of userinfoEndpoint, not ${describe(text)}`;
      throw refuseSignIn(c, "userinfo", { detail });
    }
    return await provider.readJson(url.href, accessToken);
  };
  const userInfo = await provider.readObject(userinfoEndpoint, accessToken);
  const { subject, email, isEmailVerified, name, roles } = await identity(userInfo, fetchJson);
  // JSON rounds larger integers, so two users would share a subject.
  const isNumber = Number.isSafeInteger(subject) && Number(subject) > 0;
  const sub = isNumber ? String(subject) : subject;
  if (isId(sub)) return { sub, email, email_verified: isEmailVerified, name, roles };
  throw refuseSignIn(c, "userinfo", { detail: `no usable subject: ${typeof subject}` });
}

const lifetimeMs = 600_000;

/** Maximum number of pending sign-ins per browser, for example in several tabs. */
const maxAttempts = 5;

/** Maximum length of `next`: five cookies must fit into the head of a request. */
const maxNextChars = 512;

/** Prefix of the cookie's name, which the beginning of the state follows. */
const cookieName = "fw_attempt_";
const nameChars = 12;

/** A pending sign-in, kept in the browser's cookie until the provider redirects back. */
interface Attempt {
  readonly provider: string;
  /** Binds the response to the browser. */
  readonly state: string;
  /** Binds the ID token to the attempt. */
  readonly nonce: string;
  /** Binds the code to the attempt (RFC 7636). */
  readonly verifier: string;
  readonly next: string;
  /** The id of the session that called `connect`; absent for a sign-in. */
  readonly session: string | undefined;
  /** Whether a guard requires a recent sign-in. */
  readonly isAgain: boolean;
  readonly startedMs: number;
}

/** Starts an attempt (at most five), in its own cookie. @throws {TypeError} in production without `FW_SECRET`. */
function openAttempt(c: Ctx, client: RegisteredClient, session: string | undefined): Attempt {
  const { settings } = client;
  const fallback = session === undefined ? appPath(c, settings.afterLogin) : c.url.pathname;
  const next = checkNext(c) ?? fallback;
  const attempt: Attempt = {
    provider: clientName(client),
    state: randomToken(),
    nonce: randomToken(),
    verifier: randomToken(),
    next: next.length > maxNextChars ? fallback : next,
    session,
    isAgain: c.query("again") !== undefined,
    startedMs: settings.now(),
  };
  const [prefix = "", suffix = ""] = prefixedCookieName(c, `${cookieName} `).split(" ");
  const started = [...parseCookies(c.request.headers.get("cookie")).keys()]
    // Skip the attempts of applications at parent paths.
    .filter((name) => name.startsWith(prefix) && name.slice(prefix.length + nameChars) === suffix)
    .map((name) => ({ name, startedMs: decode(c.signed(name))?.startedMs ?? -Infinity }))
    .sort((a, b) => b.startedMs - a.startedMs);
  // No client follows the redirect of a HEAD.
  if (isLookahead(c)) return attempt;
  for (const { name } of started.slice(maxAttempts - 1)) expire(c, name);
  c.setSigned(attemptCookieName(c, attempt.state), JSON.stringify(attempt), lifetimeMs);
  return attempt;
}

/** Removes and returns the attempt of a state; `undefined` for an expired one or another browser's. */
function takeAttempt(c: Ctx, state: string | undefined, nowMs: number): Attempt | undefined {
  if (state === undefined || !/^[A-Za-z0-9_-]{43}$/.test(state)) return undefined;
  const name = attemptCookieName(c, state);
  const attempt = decode(c.signed(name));
  if (c.cookie(name) !== undefined) expire(c, name);
  const isOwn = attempt !== undefined && equalSecrets(attempt.state, state);
  return isOwn && nowMs - attempt.startedMs < lifetimeMs ? attempt : undefined;
}

function attemptCookieName(c: Ctx, state: string): string {
  return prefixedCookieName(c, cookieName + state.slice(0, nameChars));
}

function expire(c: Ctx, name: string): void {
  c.setCookie({ name, value: "", maxAgeSeconds: 0 });
}

/** Parses a signed attempt without checks, because the signature proves that this file wrote it. */
function decode(value: string | undefined): Attempt | undefined {
  return value === undefined ? undefined : JSON.parse(value);
}
