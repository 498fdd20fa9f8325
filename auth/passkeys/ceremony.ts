import { equalSecrets, isJsonObject, type JsonObject, type Passkey } from "../../runtime/addon.ts";
import { decodeBase64url, encodeBase64url, parseJsonObject } from "../strict_json.ts";
import {
  type Cbor,
  CborReader,
  decodeCbor,
  importKey,
  parseCoseKey,
  verifySignature,
} from "./cose_key.ts";
import { need } from "./fault.ts";

/** Maximum length of a response's member, in base64url characters; certificates take up most of it. */
const maxMemberChars = 64_000;

export interface CeremonyRules {
  readonly rpId: string;
  readonly origins: readonly string[];
  readonly challenge: string;
}

type Told = Pick<Passkey, "signCount" | "isBackupEligible" | "isBackedUp">;

/** Verifies a registration (Web Authentication, 7.1) without attestation. @throws {PasskeyFault} for a refusal. */
export async function checkRegistration(
  given: unknown,
  rules: CeremonyRules,
): Promise<Told & Pick<Passkey, "id" | "publicKey">> {
  const { id, response } = parseCredential(given);
  checkClientData(readBytes(response, "clientDataJSON"), { ...rules, type: "webauthn.create" });
  const object = decodeCbor(readBytes(response, "attestationObject"));
  need(object instanceof Map, "format", "the attestation object is not a map");
  const [format, statement, bytes] = ["fmt", "attStmt", "authData"].map((name) => object.get(name));
  need(typeof format === "string" && statement instanceof Map, "format", "it has no statement");
  const isNone = format === "none";
  need(
    !isNone || statement.size === 0,
    "format",
    "an attestation of the format none has a statement",
  );
  need(bytes instanceof Uint8Array, "format", "the authenticator data is missing");
  const data = await readAuthenticatorData(bytes, rules);
  need(data.credential !== undefined, "format", "the credential is missing");
  need(encodeBase64url(data.credential.id) === id, "format", "the identifiers differ");
  const publicKey = parseCoseKey(data.credential.key);
  importKey(publicKey);
  const { signCount, isBackupEligible, isBackedUp } = data;
  return { id, publicKey, signCount, isBackupEligible, isBackedUp };
}

/** Verifies a sign-in (Web Authentication, 7.2) except for the counter. @throws {PasskeyFault} for a refusal. */
export async function checkAssertion(
  given: unknown,
  rules: CeremonyRules,
  passkey: Pick<Passkey, "publicKey" | "userHandle">,
): Promise<Told> {
  const { response } = parseCredential(given);
  // Required, because the ceremony does not know the user before (section 7.2, step 6).
  const isOwner = response.userHandle === passkey.userHandle;
  need(isOwner, "user", "the passkey names no user, or another one");
  const clientData = readBytes(response, "clientDataJSON");
  checkClientData(clientData, { ...rules, type: "webauthn.get" });
  const bytes = readBytes(response, "authenticatorData");
  const data = await readAuthenticatorData(bytes, rules);
  const signed = new Uint8Array([...bytes, ...await sha256(clientData)]);
  const isGenuine = verifySignature(passkey.publicKey, readBytes(response, "signature"), signed);
  need(isGenuine, "signature", "the signature does not match the key");
  const { signCount, isBackupEligible, isBackedUp } = data;
  return { signCount, isBackupEligible, isBackedUp };
}

/** @throws {PasskeyFault} `format` for a malformed response. */
export function parseCredential(
  given: unknown,
): { readonly id: string; readonly response: JsonObject } {
  need(isJsonObject(given), "format", "the credential is not an object");
  const { id, type, response } = given;
  const bytes = typeof id === "string" && id.length <= 1_364 ? decodeBase64url(id) : undefined;
  need(bytes !== undefined && bytes.length > 0, "format", "the identifier is invalid");
  const isPublicKey = type === "public-key" && isJsonObject(response);
  need(isPublicKey, "format", "the credential is of another type");
  return { id: encodeBase64url(bytes), response };
}

function readBytes(object: JsonObject, name: string): Uint8Array<ArrayBuffer> {
  const text = object[name];
  const bytes = typeof text === "string" && text.length <= maxMemberChars
    ? decodeBase64url(text)
    : undefined;
  need(bytes !== undefined, "format", `the member "${name}" is not base64url`);
  return bytes;
}

function checkClientData(
  bytes: Uint8Array,
  rules: CeremonyRules & { readonly type: string },
): void {
  const data = parseJsonObject(bytes);
  need(data !== undefined, "format", "the client data is not a JSON object");
  need(data["type"] === rules.type, "format", `the client data is not for ${rules.type}`);
  const { challenge, origin, crossOrigin, topOrigin } = data;
  const isAnswer = typeof challenge === "string" && equalSecrets(challenge, rules.challenge);
  need(isAnswer, "challenge", "the challenge does not match");
  need(typeof origin === "string" && rules.origins.includes(origin), "origin", String(origin));
  // Another site could use a frame to trick the user into it (Web Authentication, section 13.4.9).
  const isTop = crossOrigin !== true && topOrigin === undefined;
  need(isTop, "origin", "the page was in a frame of another site");
}

interface AuthenticatorData extends Told {
  readonly credential: { readonly id: Uint8Array; readonly key: Cbor } | undefined;
}

/** Reads authenticator data (Web Authentication, section 6.1) and checks its flags. */
async function readAuthenticatorData(
  bytes: Uint8Array,
  { rpId }: CeremonyRules,
): Promise<AuthenticatorData> {
  need(bytes.length >= 37, "format", "the authenticator data is cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = await sha256(new TextEncoder().encode(rpId));
  need(hash.every((byte, at) => byte === bytes[at]), "rp-id", "the passkey is for another domain");
  const flags = view.getUint8(32);
  const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
  need(has(0), "presence", "the user was not present");
  need(has(2), "verification", "the user was not verified");
  need(has(3) || !has(4), "backup", "a single-device passkey claims a backup");
  const rest = readRest(bytes, has);
  const [isBackupEligible, isBackedUp] = [has(3), has(4)];
  return { signCount: view.getUint32(33), isBackupEligible, isBackedUp, credential: rest };
}

function readRest(
  bytes: Uint8Array,
  has: (bit: number) => boolean,
): AuthenticatorData["credential"] {
  let at = 37;
  let credential: AuthenticatorData["credential"];
  if (has(6)) {
    need(bytes.length >= at + 18, "format", "the credential is cut off");
    const length = (bytes[at + 16] ?? 0) * 256 + (bytes[at + 17] ?? 0);
    const id = bytes.subarray(at + 18, at + 18 + length);
    need(length > 0 && length <= 1_023 && id.length === length, "format", "an ID is invalid");
    const reader = new CborReader(bytes, at + 18 + length);
    credential = { id, key: reader.read() };
    at = reader.at;
  }
  if (has(7)) {
    const reader = new CborReader(bytes, at);
    need(reader.read() instanceof Map, "format", "the extensions are not a map");
    at = reader.at;
  }
  need(at === bytes.length, "format", "extra bytes follow the authenticator data");
  return credential;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
