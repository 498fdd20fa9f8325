/** A parameter of a message: numbers and dates are formatted by the rules of the language. */
export type MessageValue = string | number | bigint | Date;

/**
 * The forms of a text by plural category (`Intl.PluralRules`); the parameter `count` selects one.
 * `other` is used for a category without a form.
 */
export type PluralForms =
  & Readonly<Partial<Record<"zero" | "one" | "two" | "few" | "many", string>>>
  & { readonly other: string };

/** Formats numbers, dates and plurals by the rules of one language. */
export interface Format {
  /** The tag of the language. */
  readonly language: string;
  /** Formats a number: `1234.5` is "1,234.5" in English. */
  number(value: number | bigint, options?: Intl.NumberFormatOptions): string;
  /**
   * Formats a date, in UTC unless `timeZone` is set.
   *
   * @param options Options of `Intl.DateTimeFormat`. @default { dateStyle: "long" }
   */
  date(value: Date, options?: Intl.DateTimeFormatOptions): string;
  /** Returns the form for a count, or for a rank with `{ type: "ordinal" }`. */
  plural(count: number, forms: PluralForms, options?: Intl.PluralRulesOptions): string;
}

/** A message of a catalog: a text with `{name}`, its plural forms, or a function. */
export type Message = string | PluralForms | ((params: never, format: Format) => string);

/** The messages of a catalog by language and key. */
export type CatalogSource = Readonly<Record<string, Readonly<Record<string, Message>>>>;

/** The keys of a catalog: those of all its languages. */
export type MessageKey<T extends CatalogSource> =
  & { [L in keyof T]: keyof T[L] }[keyof T]
  & string;

/** The parameters of a message in all languages together; none for a text without `{name}`. */
export type MessageParams<T extends CatalogSource, K extends string> = CatalogParams<T> extends
  { readonly [P in K]: infer A extends [params?: unknown] } ? A
  : MessageArguments<ParamsOfEach<T, K>>;

/** The parameters by key; a mapped type, because the compiler caches its result for each key. */
export type CatalogParams<T extends CatalogSource> = {
  readonly [K in keyof T[keyof T] & string]: MessageArguments<
    string extends T[keyof T][K] ? ParamsOfEach<T, K>
      : T[keyof T][K] extends infer M extends string ? TextParams<TextWithNames<M>>
      : Together<ParamsOfMessage<T[keyof T][K]>>
  >;
};

/** The parameters of a message whose text the compiler does not know in one language. */
export type ParamsOfEach<T extends CatalogSource, K extends string> = Together<
  {
    [L in keyof T]: T[L] extends { readonly [P in K]: infer M } ? ParamsOfMessage<M>
      : string extends keyof T[L] ? ParamsOfMessage<T[L][string]>
      : never;
  }[keyof T]
>;

/** The texts of a union that have names in braces. */
export type TextWithNames<M> = Extract<M, `${string}{${string}`>;

/**
 * The type that the source of a catalog must satisfy: every language has every key, with the same parameters.
 * It describes only the faulty keys, so a correct catalog costs the compiler little more than its texts.
 */
export type CheckedCatalog<T extends CatalogSource> =
  & ([LackedKeys<T>] extends [never] ? unknown
    : { readonly [L in keyof T]: { readonly [K in LackedKeys<T>]: Message } })
  & ([UnequalKeys<T[keyof T]>] extends [never] ? unknown : {
    readonly [L in keyof T]: {
      readonly [K in UnequalKeys<T[keyof T]>]: T[L] extends { readonly [P in K]: infer M }
        ? [MessageNames<T, K>] extends [keyof ParamsOfMessage<M>] ? Message
        : { readonly "every language needs the parameters": MessageNames<T, K> }
        : Message;
    };
  });

/** The keys that a language lacks, as far as the compiler knows them. */
export type LackedKeys<T extends CatalogSource> = KnownNames<
  Exclude<MessageKey<T>, keyof T[keyof T]>
>;

/**
 * The keys whose parameters differ between the languages of a union. The intersection in
 * `[K in keyof M & string]` keeps the compiler from mapping one language after another: it compares the
 * messages under a key as one union.
 */
export type UnequalKeys<M> = KnownNames<
  {
    readonly [K in keyof M & string]: M[K] extends string
      ? [M[K]] extends [TextWith<TextNames<TextWithNames<M[K]>>>] ? never : K
      : LacksNames<M[K], NamesOf<M[K]>> extends false ? never
      : K;
  }[keyof M & string]
>;

/** A text that contains each of the names in braces. */
export type TextWith<N extends string> = [N] extends [never] ? string
  : Together<N extends string ? `${string}{${N}}${string}` : never>;

/** All parameter names of a union of messages. */
export type NamesOf<M> = M extends unknown ? KnownNames<keyof ParamsOfMessage<M>> : never;

/** `false` if every member of a union of messages has all of the names. */
export type LacksNames<M, N> = M extends unknown
  ? [N] extends [keyof ParamsOfMessage<M>] ? false : true
  : never;

/** The messages of an application in its languages, as `catalog` of `@fw/fw/i18n` creates them. */
export interface Catalog<T extends CatalogSource = CatalogSource> {
  /** The tags of its languages, the default language first. */
  readonly languages: readonly string[];
  /**
   * Returns a message in a language, else in the nearest one that the catalog has, else in its first.
   *
   * @throws {TypeError} for a key that does not exist, and for a missing parameter.
   */
  text<K extends MessageKey<T>>(language: string, key: K, ...params: MessageParams<T, K>): string;
}

/** The arguments after the key: the parameters, if the message has any. */
export type MessageArguments<P> = keyof P extends never ? [params?: Readonly<Record<string, never>>]
  : string extends keyof P ? [params?: P]
  : [params: P];

/** The parameters of one message. */
export type ParamsOfMessage<M> = M extends string ? TextParams<M>
  : M extends (...given: infer A) => string ? A extends readonly [infer P, ...unknown[]] ? P
    : unknown
  : { readonly count: number } & TextParams<Extract<M[keyof M], string>>;

/** The parameters of a text: a value for each `{name}`. */
export type TextParams<S extends string> = string extends S ? Readonly<Record<string, MessageValue>>
  : { readonly [N in TextNames<S>]: MessageValue };

/** The names in the braces of a text. */
export type TextNames<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | TextNames<Rest>
  : never;

/** The names of a message's parameters in all languages; none for a text unknown to the compiler. */
export type MessageNames<T extends CatalogSource, K extends string> = {
  [L in keyof T]: T[L] extends { readonly [P in K]: infer M } ? KnownNames<keyof ParamsOfMessage<M>>
    : never;
}[keyof T];

/** The names if they are literal types, else `never`. */
export type KnownNames<N> = string extends N ? never : N;

/** The intersection of the members of a union. */
export type Together<U> = (U extends unknown ? (value: U) => void : never) extends
  (value: infer I) => void ? I : never;
