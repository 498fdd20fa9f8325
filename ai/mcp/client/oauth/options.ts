/** Keeps registrations and tokens, which are secrets, for the next start. */
export interface OAuthStore {
  /** Reads a text; `undefined` where there is none. */
  get(key: string): string | undefined | Promise<string | undefined>;
  /** Writes a text. */
  set(key: string, value: string): void | Promise<void>;
  /** Removes a text. */
  delete(key: string): void | Promise<void>;
}

/** Options of `auth` of `http`: how the client signs in where the server wants it. */
export interface OAuthOptions {
  /** What people see of the client when they agree. */
  readonly clientName: string;
  /** Where the authorization server sends the user back: HTTPS, or a loopback address. */
  readonly redirectUri: string;
  /**
   * Lets the user visit the page of the authorization server, and returns the whole address at which the
   * user came back to `redirectUri`.
   */
  readonly authorize: (url: URL, signal: AbortSignal) => string | URL | Promise<string | URL>;
  /** A client that was registered beforehand, with the server that knows it. @default none */
  readonly client?: {
    /** The issuer of the authorization server. */
    readonly issuer: string;
    /** The id of the client there. */
    readonly clientId: string;
    /** The secret of the client there. @default none, a public client */
    readonly clientSecret?: string;
  };
  /**
   * The HTTPS address of the client's metadata document, for servers that read such.
   *
   * @default the client registers itself where it can
   */
  readonly clientMetadataUrl?: string;
  /** The scopes to ask for when the server names none. @default those that the server supports */
  readonly scopes?: readonly string[];
  /** Keeps registrations and tokens. @default in memory, one for each transport */
  readonly store?: OAuthStore;
}
