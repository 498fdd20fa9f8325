/** A software authenticator, every byte of which tests can change. */

/** CBOR values to write. */
export type Writable =
  | number
  | string
  | boolean
  | Uint8Array
  | Writable[]
  | Map<number | string, Writable>;

function head(major: number, value: number): number[] {
  if (value < 24) return [major << 5 | value];
  if (value < 256) return [major << 5 | 24, value];
  return [major << 5 | 25, value >> 8, value & 255];
}

/** Writes CBOR in the canonical form of CTAP2. */
export function encodeCbor(value: Writable): Uint8Array<ArrayBuffer> {
  if (typeof value === "number") {
    return new Uint8Array(value < 0 ? head(1, -1 - value) : head(0, value));
  }
  if (typeof value === "boolean") return new Uint8Array([value ? 0xf5 : 0xf4]);
  if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    return new Uint8Array([...head(3, bytes.length), ...bytes]);
  }
  if (value instanceof Uint8Array) return new Uint8Array([...head(2, value.length), ...value]);
  if (Array.isArray(value)) {
    return new Uint8Array([
      ...head(4, value.length),
      ...value.flatMap((item) => [...encodeCbor(item)]),
    ]);
  }
  const entries = [...value].flatMap((entry) => entry.flatMap((part) => [...encodeCbor(part)]));
  return new Uint8Array([...head(5, value.size), ...entries]);
}

export function textOf(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromBase64(text, { alphabet: "base64url" });

async function sha256(text: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export interface Changes {
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** The text of the client data, instead of the generated JSON. */
  readonly clientText?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly signCount?: number;
  readonly id?: Uint8Array<ArrayBuffer>;
  readonly key?: Writable;
  readonly format?: string;
  readonly statement?: Writable;
  /** Bytes appended to the authenticator data. */
  readonly tail?: Uint8Array<ArrayBuffer>;
  readonly userHandle?: string | null;
  readonly sign?: (signature: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
  readonly member?: Readonly<Record<string, unknown>>;
  readonly top?: Readonly<Record<string, unknown>>;
}

export class Authenticator {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly #pair: CryptoKeyPair;
  readonly #key: Map<number, Writable>;
  userHandle = "";
  signCount = 0;

  private constructor(
    pair: CryptoKeyPair,
    key: Map<number, Writable>,
    id: Uint8Array<ArrayBuffer>,
  ) {
    this.#pair = pair;
    this.#key = key;
    this.id = id;
  }

  static async make(id = crypto.getRandomValues(new Uint8Array(32))): Promise<Authenticator> {
    const isExtractable = 1 > 0;
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(algorithm, isExtractable, ["sign", "verify"]);
    const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const key = new Map<number, Writable>([[1, 2], [3, -7], [-1, 1], [-2, bytesOf(x)], [
      -3,
      bytesOf(y),
    ]]);
    return new Authenticator(pair, key, id);
  }

  keyWith(changes: readonly (readonly [number, Writable])[]): Map<number, Writable> {
    return new Map<number, Writable>([...this.#key, ...changes]);
  }

  async register(
    options: { readonly challenge: string; readonly user: { readonly id: string } },
    changes: Changes = {},
  ): Promise<unknown> {
    this.userHandle = options.user.id;
    const { id = this.id, key = this.#key, tail = new Uint8Array() } = changes;
    const credential = [
      ...new Uint8Array(16),
      id.length >> 8,
      id.length & 255,
      ...id,
      ...encodeCbor(key),
    ];
    const authData = new Uint8Array([...await this.#data(0x45, changes), ...credential, ...tail]);
    const { format = "none", statement = new Map() } = changes;
    const attestationObject = encodeCbor(
      new Map<string, Writable>([["fmt", format], ["attStmt", statement], ["authData", authData]]),
    );
    const response = {
      clientDataJSON: textOf(clientData("webauthn.create", options.challenge, changes)),
      attestationObject: textOf(attestationObject),
      ...changes.member,
    };
    return { id: textOf(this.id), type: "public-key", response, ...changes.top };
  }

  async signIn(options: { readonly challenge: string }, changes: Changes = {}): Promise<unknown> {
    const data = clientData("webauthn.get", options.challenge, changes);
    const authData = new Uint8Array([
      ...await this.#data(0x05, changes),
      ...changes.tail ?? new Uint8Array(),
    ]);
    const signed = new Uint8Array([...authData, ...await sha256(data)]);
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const raw = new Uint8Array(await crypto.subtle.sign(algorithm, this.#pair.privateKey, signed));
    const { sign = (signature) => signature, userHandle = this.userHandle } = changes;
    const response = {
      clientDataJSON: textOf(data),
      authenticatorData: textOf(authData),
      signature: textOf(sign(toDer(raw))),
      userHandle,
      ...changes.member,
    };
    return { id: textOf(this.id), type: "public-key", response, ...changes.top };
  }

  async #data(usual: number, changes: Changes): Promise<number[]> {
    const { rpId = "example.org", flags = usual, signCount = this.signCount } = changes;
    const count = [24, 16, 8, 0].map((shift) => signCount >>> shift & 255);
    return [...await sha256(rpId), flags, ...count];
  }
}

function clientData(type: string, challenge: string, changes: Changes): Uint8Array<ArrayBuffer> {
  const known = { type, challenge, origin: "https://example.org", crossOrigin: 1 < 0 };
  const made = JSON.stringify({ ...known, ...changes.clientData });
  return new TextEncoder().encode(changes.clientText ?? made);
}

export function toDer(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts = [raw.subarray(0, 32), raw.subarray(32)].map((part) => {
    const start = part.findIndex((byte) => byte !== 0);
    const digits = [...part.subarray(start < 0 ? 31 : start)];
    const number = (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits;
    return [0x02, number.length, ...number];
  }).flat();
  return new Uint8Array([0x30, parts.length, ...parts]);
}
