import { assertEquals } from "@std/assert";
import { newTestClient } from "../../runtime/testing/mod.ts";
import { Authenticator, type Changes, encodeCbor, textOf, type Writable } from "./authenticator.ts";
import { optionsFor, passkeyApp, register, registered } from "./passkey_app.ts";

const flip = (bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> => {
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

/** Changes refused by both ceremonies. */
const common: readonly (readonly [name: string, reason: string, changes: Changes])[] = [
  ["another challenge", "challenge", { clientData: { challenge: "A".repeat(43) } }],
  ["no challenge", "challenge", { clientData: { challenge: undefined } }],
  ["a challenge that is an array", "challenge", { clientData: { challenge: ["x"] } }],
  ["the origin of another site", "origin", { clientData: { origin: "https://evil.example" } }],
  ["a longer origin", "origin", { clientData: { origin: "https://example.org.evil.example" } }],
  ["an unlisted origin", "origin", { clientData: { origin: "https://a.example.org" } }],
  ["an origin without TLS", "origin", { clientData: { origin: "http://example.org" } }],
  ["an origin with a port", "origin", { clientData: { origin: "https://example.org:8443" } }],
  ["an origin with a slash", "origin", { clientData: { origin: "https://example.org/" } }],
  ["an origin in capitals", "origin", { clientData: { origin: "HTTPS://EXAMPLE.ORG" } }],
  ["no origin", "origin", { clientData: { origin: undefined } }],
  ["a frame of another site", "origin", { clientData: { crossOrigin: 1 > 0 } }],
  ["a parent page of another site", "origin", {
    clientData: { topOrigin: "https://evil.example" },
  }],
  ["another type", "format", { clientData: { type: "payment.get" } }],
  ["no type", "format", { clientData: { type: undefined } }],
  ["client data that is not JSON", "format", { clientText: "{" }],
  ["client data that is an array", "format", { clientText: "[]" }],
  ["two types", "format", { clientText: '{"type":"webauthn.get","type":"webauthn.create"}' }],
  ["client data with a byte order mark", "format", { clientText: "\ufeff{}" }],
  ["another domain", "rp-id", { rpId: "evil.example" }],
  ["a domain below", "rp-id", { rpId: "a.example.org" }],
  ["the user not present", "presence", { flags: 0x44 }],
  ["the user not verified", "verification", { flags: 0x41 }],
  ["backed up though not eligible for backup", "backup", { flags: 0x55 }],
  ["missing extensions", "format", { flags: 0xc5 }],
  ["extensions that are an array", "format", { flags: 0xc5, tail: encodeCbor([]) }],
  ["extensions with a repeated name", "format", {
    flags: 0xc5,
    tail: Uint8Array.fromHex("a2616101616102"),
  }],
  ["trailing bytes after the data", "format", { tail: new Uint8Array([0]) }],
  ["no client data", "format", { member: { clientDataJSON: undefined } }],
  ["client data that is not base64url", "format", { member: { clientDataJSON: "a+b/" } }],
  ["client data with padding", "format", { member: { clientDataJSON: "e30=" } }],
  ["client data of a megabyte", "format", { member: { clientDataJSON: "A".repeat(900_000) } }],
  ["another type of credential", "format", { top: { type: "password" } }],
  ["no identifier", "format", { top: { id: undefined } }],
  ["an empty identifier", "format", { top: { id: "" } }],
  ["an identifier that is not base64url", "format", { top: { id: "a b" } }],
  ["an identifier that is too long", "format", { top: { id: "A".repeat(1_368) } }],
  ["an identifier that is a number", "format", { top: { id: 5 } }],
  ["no response", "format", { top: { response: undefined } }],
  ["a response that is an array", "format", { top: { response: [] } }],
];

const der = (list: readonly number[]) => (): Uint8Array<ArrayBuffer> => new Uint8Array(list);

const onlySignIn: readonly (readonly [name: string, reason: string, changes: Changes])[] = [
  ["a response of a registration", "format", { clientData: { type: "webauthn.create" } }],
  ["another user's handle", "user", { userHandle: "A".repeat(43) }],
  ["no user handle", "user", { userHandle: null }],
  ["an empty user handle", "user", { userHandle: "" }],
  ["an unknown passkey", "unknown", { top: { id: "AAAA" } }],
  ["a changed signature", "signature", { sign: (bytes) => flip(bytes, bytes.length - 1) }],
  ["a signature with another key", "signature", { sign: (bytes) => flip(bytes, 8) }],
  ["an empty signature", "signature", { sign: der([]) }],
  ["a signature of zeros", "signature", { sign: der([0x30, 6, 2, 1, 0, 2, 1, 0]) }],
  ["a signature of ones", "signature", { sign: der([0x30, 6, 2, 1, 1, 2, 1, 1]) }],
  ["signature: negative numbers", "signature", { sign: der([0x30, 6, 2, 1, 0x80, 2, 1, 0x80]) }],
  ["a signature with a leading zero", "signature", { sign: (bytes) => padded(bytes) }],
  ["a longer signature", "signature", { sign: (bytes) => new Uint8Array([...bytes, 0]) }],
  ["a truncated signature", "signature", { sign: (bytes) => bytes.slice(0, -1) }],
  ["a signature without numbers", "signature", { sign: der([0x30, 4, 2, 0, 2, 0]) }],
  ["a raw signature of r and s", "signature", { sign: () => new Uint8Array(64).fill(1) }],
  ["a signature of 10 KB", "signature", { sign: () => new Uint8Array(10_000) }],
  ["no signature", "format", { member: { signature: undefined } }],
  ["truncated authenticator data", "format", { member: { authenticatorData: "AAAA" } }],
  ["a credential flag without its data", "format", { flags: 0x45 }],
];

/** Returns the signature with an extra leading zero in the first number. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const [, total = 0, , length = 0, ...rest] = bytes;
  return new Uint8Array([0x30, total + 1, 2, length + 1, 0, ...rest]);
}

for (const [name, reason, changes] of [...common, ...onlySignIn]) {
  Deno.test(`passkeys: refuse a sign-in: ${name} (${reason})`, async () => {
    const made = passkeyApp();
    const key = await registered(made);
    made.clock.now += 1_000;
    const client = newTestClient(made.app);
    // The flags of a sign-in contain no credential data.
    const flags = changes.flags === undefined
      ? {}
      : { flags: changes.flags & (name.startsWith("a credential flag") ? 255 : 0xbf) };
    const response = await key.signIn(await optionsFor(client, "/login"), { ...changes, ...flags });
    await client.postJson("/login", response).wantStatus(400);
    await client.get("/me").wantStatus(401);
    assertEquals(made.events[0]?.reason, `passkey-${reason}`);
    assertEquals(client.cookie("fw_passkey"), undefined);
  });
}

const long = new Map<number, Writable>([[1, 3], [3, -257], [-2, new Uint8Array([1, 0, 1])]]);
const rsa = (bytes: number, exponent?: number): Map<number, Writable> =>
  new Map<number, Writable>([
    ...long,
    [-1, new Uint8Array(bytes).fill(0xff)],
    ...exponent === undefined ? [] : [[-2, Uint8Array.of(exponent)] as const],
  ]);

const ed25519 = (x: string, curve = 6): Map<number, Writable> =>
  new Map<number, Writable>([[1, 1], [3, -8], [-1, curve], [-2, Uint8Array.fromHex(x)]]);

/** All encodings of points of small order: y and y + p of orders 1, 2, 4 and 8, with either sign. */
const smallOrder = [
  "00".repeat(32),
  "01".padEnd(64, "0"),
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
].flatMap((y) => [y, y.slice(0, -2) + (Number(`0x${y.slice(-2)}`) | 0x80).toString(16)]);

const object = (...bytes: number[]): Changes => ({
  member: { attestationObject: textOf(Uint8Array.from(bytes)) },
});

/** Returns the authenticator's public key with another parameter. */
const changed = (label: number, value: Writable) => (key: Authenticator): Changes => ({
  key: key.keyWith([[label, value]]),
});

const onlyRegistration: readonly (readonly [
  name: string,
  reason: string,
  changes: Changes | ((key: Authenticator) => Changes),
])[] = [
  ["a response to a sign-in", "format", { clientData: { type: "webauthn.get" } }],
  ["an identifier that differs from the one in the data", "format", { id: new Uint8Array(16) }],
  ["an identifier of zero length", "format", { id: new Uint8Array() }],
  ["an identifier of 1,024 bytes", "format", { id: new Uint8Array(1_024) }],
  ["no credential", "format", { flags: 0x05 }],
  ["a none attestation with a statement", "format", { statement: new Map([["sig", 1]]) }],
  ["a statement that is an array", "format", { statement: [] }],
  ["no attestation object", "format", { member: { attestationObject: undefined } }],
  ["an attestation object that is an array", "format", object(...encodeCbor([]))],
  ["an attestation without data", "format", object(...encodeCbor(new Map([["fmt", "none"]])))],
  ["an array of a billion items", "format", object(0x9a, 0x3b, 0x9a, 0xca, 0)],
  ["a map of a billion entries", "format", object(0xba, 0x3b, 0x9a, 0xca, 0)],
  ["a text of 2^60 bytes", "format", object(0x7b, 0x10, 0, 0, 0, 0, 0, 0, 0)],
  ["lists in lists", "format", object(...new Uint8Array(1_000).fill(0x81))],
  ["an indefinite length", "format", object(0xbf, 0xff)],
  ["a number in a long encoding", "format", object(0x18, 1)],
  ["a tag", "format", object(0xc0, 0)],
  ["a fraction", "format", object(0xf9, 0, 0)],
  ["a key twice", "format", object(0xa2, 1, 1, 1, 1)],
  ["a key that is a map", "format", object(0xa1, 0xa0, 1)],
  ["a string that is not UTF-8", "format", object(0x61, 0xff)],
  ["a public key that is a string", "key", { key: "key" }],
  ["a public key without an algorithm", "key", { key: new Map([[1, 2]]) }],
  ["an algorithm that was not requested", "key", changed(3, -35)],
  ["HMAC as the algorithm", "key", changed(3, 5)],
  ["another curve", "key", changed(-1, 2)],
  ["another kind of key", "key", changed(1, 3)],
  ["a point on no curve", "key", changed(-2, new Uint8Array(32).fill(1))],
  ["a coordinate that is too long", "key", changed(-2, new Uint8Array(33))],
  ["a coordinate that is too short", "key", changed(-3, new Uint8Array(31))],
  ["half a point", "key", changed(-3, 1 > 0)],
  ["a short RSA key", "key", { key: rsa(128) }],
  ["a huge RSA key", "key", { key: rsa(2_048) }],
  ["an RSA key with the exponent 1", "key", { key: rsa(256, 1) }],
  ["an RSA key with an even exponent", "key", { key: rsa(256, 2) }],
  ["an RSA key of another kind", "key", { key: new Map([...rsa(256, 3), [1, 2]]) }],
  ["an RSA key of another algorithm", "key", { key: new Map([...rsa(256, 3), [3, -258]]) }],
  ["an RSA key with numbers as texts", "key", { key: new Map([...rsa(256, 3), [-1, "n"]]) }],
  ["an Ed25519 key of another kind", "key", {
    key: new Map([...ed25519("aa".repeat(32)), [1, 2]]),
  }],
  ["an Ed25519 key on another curve", "key", { key: ed25519("02".padEnd(64, "0"), 7) }],
  ...smallOrder.map((y) =>
    [`an Ed25519 key of small order ${y}`, "key", { key: ed25519(y) }] as const
  ),
];

for (const [name, reason, given] of [...common, ...onlyRegistration]) {
  Deno.test(`passkeys: refuse a registration: ${name} (${reason})`, async () => {
    const made = passkeyApp();
    const key = await Authenticator.make();
    const changes = typeof given === "function" ? given(key) : given;
    (await register(made, key, changes)).wantStatus(400);
    assertEquals(made.events[0]?.reason, `passkey-${reason}`);
    assertEquals(await made.store.list("42"), []);
  });
}

const accepted: readonly (readonly [name: string, changes: Changes])[] = [
  ["extensions", {
    flags: 0xc5,
    tail: encodeCbor(new Map([["credProps", new Map([["rk", 1 > 0]])]])),
  }],
  ["an unrequested attestation statement", { format: "packed", statement: new Map([["alg", -7]]) }],
  ["unknown members of the client data", { clientData: { extra: { a: [1] } } }],
  ["an identifier of 1,023 bytes", {}],
];

for (const [name, changes] of accepted) {
  Deno.test(`passkeys: accept a registration: ${name}`, async () => {
    const key = await Authenticator.make(
      name.includes("1,023") ? crypto.getRandomValues(new Uint8Array(1_023)) : undefined,
    );
    (await register(passkeyApp(), key, changes)).wantStatus(201);
  });
}
