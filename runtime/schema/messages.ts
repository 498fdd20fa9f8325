import { currentTexts, type Texts } from "../base/texts.ts";

const portuguese: Readonly<Record<string, string>> = Object.freeze({
  "required": "é obrigatório",
  "required.list": "deve ter pelo menos um",
  "required.bool": "tem de ser aceite",
  "min": "deve ser no mínimo {param}",
  "min.text": "deve ter pelo menos {param} caracteres",
  "min.date": "não pode ser antes de {param}",
  "min.list": "deve ter pelo menos {param}",
  "max": "deve ser no máximo {param}",
  "max.text": "deve ter no máximo {param} caracteres",
  "max.date": "não pode ser depois de {param}",
  "max.list": "deve ter no máximo {param}",
  "len": "deve ter exatamente {param} caracteres",
  "len.list": "deve ter exatamente {param}",
  "email": "deve ser um endereço de email",
  "url": "deve ser um endereço web que começa por http:// ou https://",
  "slug": "use letras minúsculas, algarismos e hífenes isolados",
  "segment": "não pode fazer parte de um endereço: retire as barras",
  "oneof": "deve ser um destes: {param}",
  "eqfield": "deve ser igual a {param}",
  "bindInvalid": "não é válido",
  "bindInvalid.number": "deve ser um número",
  "bindInvalid.int": "deve ser um número inteiro",
  "bindInvalid.date": "deve ser uma data",
  "csvColumn": "tem uma coluna desconhecida ou repetida {param}",
  "csvRows": "o ficheiro pode ter no máximo {param} linhas",
  "csvWidth": "deve ter {param} campos, tantos como a primeira linha",
  "csvLabel": "{param} não existe: corrija o nome ou indique o id",
  "csvLabelTwice": "há mais de um {param}: indique o id",
  "csvLabelOther": "o id não é o de {param}: corrija ou esvazie um dos dois",
  "csvQuote": "falta fechar uma aspa",
  "csvAfterQuote": "há texto depois de um campo entre aspas",
  "csvUtf8": "o texto não é UTF-8: guarde o ficheiro em UTF-8",
  "csvLong": "o registo é demasiado longo",
  "skippedTime": "não existe neste dia, em que a hora avança: escolha {param}",
  "repeatedTime": "repete-se neste dia, em que a hora recua: escolha {param}",
  "tooLarge": "é demasiado grande",
  "tooSmall": "é demasiado pequeno",
  "filemax": "deve ter no máximo {param}",
  "filetype": "deve ser um ficheiro do tipo {param}",
  "errorTitle": "Erro: {param}",
  "taken": "já está a ser usado",
  "noSuch": "não existe",
  "inUse": "ainda está a ser usado",
});

/** The type of a field that selects the wording of a message. */
export type Wording = "text" | "number" | "int" | "date" | "list" | "bool";

type Catalogue = Readonly<Record<string, string>>;

/** A key with a suffix is the message of a rule for one type; the plain key is for all others. */
const english: Catalogue = {
  "required": "is required",
  "required.list": "must have at least one",
  "required.bool": "must be accepted",
  "min": "must be at least {param}",
  "min.text": "must have at least {param} characters",
  "min.date": "must not be before {param}",
  "min.list": "must have at least {param}",
  "max": "must be at most {param}",
  "max.text": "must have at most {param} characters",
  "max.date": "must not be after {param}",
  "max.list": "must have at most {param}",
  "len": "must have exactly {param} characters",
  "len.list": "must have exactly {param}",
  "email": "must be an email address",
  "url": "must be a web address that starts with http:// or https://",
  "slug": "use lower-case letters, digits and single hyphens",
  "segment": "cannot be part of an address: leave out slashes",
  "oneof": "must be one of: {param}",
  "eqfield": "must equal {param}",
  "bindInvalid": "is not valid",
  "bindInvalid.number": "must be a number",
  "bindInvalid.int": "must be a whole number",
  "bindInvalid.date": "must be a date",
  "csvColumn": "has an unknown or repeated column {param}",
  "csvRows": "the file may have {param} rows at most",
  "csvWidth": "must have {param} fields, as many as the first line",
  "csvLabel": "{param} does not exist: correct the name or use the id",
  "csvLabelTwice": "there is more than one {param}: use the id",
  "csvLabelOther": "the id is not that of {param}: correct or empty one of both",
  "csvQuote": "a quote does not end",
  "csvAfterQuote": "text follows a quoted field",
  "csvUtf8": "the text is not UTF-8: save the file as UTF-8",
  "csvLong": "the record is too long",
  "skippedTime": "does not exist on this day, as the clocks go forward: choose {param}",
  "repeatedTime": "occurs twice on this day, as the clocks go back: choose {param}",
  "tooLarge": "is too large",
  "tooSmall": "is too small",
  "filemax": "must be at most {param}",
  "filetype": "must be a file of type {param}",
  "errorTitle": "Error: {param}",
  "taken": "is taken already",
  "noSuch": "does not exist",
  "inUse": "is still in use",
};

/**
 * The messages of the validation rules in Brazilian Portuguese, for `config.validationMessages` of one
 * application; `useValidationPtBr` switches the whole process.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, validationMessagesPtBr } from "@fw/fw";
 *
 * const app = new App({ validationMessages: { ...validationMessagesPtBr, email: "e-mail?" } });
 * assertEquals(app.config.validationMessages?.["required"], "é obrigatório");
 * ```
 */
export const validationMessagesPtBr: Readonly<Record<string, string>> = Object.freeze({
  ...portuguese,
  "required.list": "deve ter ao menos um",
  "required.bool": "precisa ser aceito",
  "min.text": "deve ter ao menos {param} caracteres",
  "min.list": "deve ter ao menos {param}",
  "email": "deve ser um endereço de e-mail",
  "url": "deve ser um endereço web que começa com http:// ou https://",
  "slug": "use letras minúsculas, algarismos e hífens isolados",
  "segment": "não pode fazer parte de um endereço: tire as barras",
  "csvRows": "o arquivo pode ter no máximo {param} linhas",
  "csvUtf8": "o texto não é UTF-8: salve o arquivo em UTF-8",
  "csvLong": "o registro é longo demais",
  "tooLarge": "é grande demais",
  "tooSmall": "é pequeno demais",
  "filetype": "deve ser um arquivo do tipo {param}",
  "taken": "já está em uso",
  "inUse": "ainda está em uso",
});

/** The framework's messages by lower-case tag; those in English are the process's own. */
const byLanguage: ReadonlyMap<string, Catalogue | undefined> = new Map([
  ["en", undefined],
  ["pt", portuguese],
  ["pt-br", validationMessagesPtBr],
]);

/** Returns the framework's messages in the first language that it supports. */
export function findMessages(chain: readonly string[]): Texts | undefined {
  const tag = chain.map((each) => each.toLowerCase()).find((each) => byLanguage.has(each));
  return tag === undefined ? undefined : byLanguage.get(tag);
}

let defaults = english;
/** Incremented by every change of a message (`bench/validate`). */
let version = 0;

/**
 * The messages of the validation rules of every application of the process that does not set
 * `config.validationMessages`, by rule name, plus `bindInvalid` (the value does not fit the type), `tooLarge`
 * and `tooSmall` (a whole number that the type cannot hold), `filemax`, `filetype` and `errorTitle`, which
 * starts the title of a page with form errors. Assign to change one; `{param}` is replaced by the rule's
 * parameter.
 *
 * A key with a suffix (`min.text`, `min.number`, `min.date`, `min.list`, `min.bool`) sets the message for one
 * type and takes precedence over the plain key; `min.int` takes precedence over `min.number`. Setting the
 * plain key replaces all suffixed defaults.
 *
 * @example
 * ```ts
 * import { validationMessages } from "@fw/fw";
 *
 * validationMessages.email = "needs an @ in it";
 * validationMessages["max.text"] = "is longer than {param} characters";
 * ```
 */
export const validationMessages: Record<string, string> = new Proxy(
  Object.assign(Object.create(null), plainKeysOf(english)),
  {
    defineProperty(target, key, descriptor): boolean {
      version++;
      return Reflect.defineProperty(target, key, descriptor);
    },
    deleteProperty(target, key): boolean {
      version++;
      return Reflect.deleteProperty(target, key);
    },
  },
);

/**
 * Switches the default messages to Brazilian Portuguese, for all applications of the process. Messages that
 * the app has set stay.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { useValidationPtBr, validationMessages } from "@fw/fw";
 *
 * useValidationPtBr();
 * assertEquals(validationMessages["required"], "é obrigatório");
 * ```
 */
export function useValidationPtBr(): void {
  setDefaults(validationMessagesPtBr);
}

/** Replaces the default messages of the process; without a catalogue by those in English, for tests. */
export function setDefaults(catalogue: Catalogue = english): void {
  for (const [key, message] of Object.entries(plainKeysOf(catalogue))) {
    if (validationMessages[key] === defaults[key]) validationMessages[key] = message;
  }
  defaults = catalogue;
  version++;
}

/** Options of {@link validationMessage}. */
export interface MessageOptions {
  /** The replacement for `{param}`. @default "" */
  readonly param?: string;
  /** The type of the field, for the wording. @default "text" */
  readonly wording?: Wording;
}

/** Returns the message of a rule in the texts of the current request. */
export function validationMessage(key: string, options: MessageOptions = {}): string {
  // A function, so that "$&" in a parameter stays unchanged.
  return templateOf(key, options.wording ?? "text")
    .replaceAll("{param}", () => options.param ?? "");
}

export function messageLanguage(): string {
  const shown = validationMessage("filetype", { param: "{param}" });
  return currentTexts()?.language ??
    (shown === validationMessagesPtBr["filetype"] ? "pt-BR" : "en");
}

const noMessages: readonly Texts[] = [];

/** Returns the messages of the current application; earlier ones win. */
function ownMessages(): readonly Texts[] {
  return currentTexts()?.validationMessages ?? noMessages;
}

/** Caches a message; it is rebuilt only after some message has changed. */
export function messageCell(key: string, options: Required<MessageOptions>): () => string {
  let wordedAt = -1;
  let message = "";
  return () => {
    if (ownMessages().length > 0) return validationMessage(key, options);
    if (wordedAt !== version) {
      message = validationMessage(key, options);
      wordedAt = version;
    }
    return message;
  };
}

function templateOf(key: string, wording: Wording): string {
  const wordings = wording === "int" ? ["int", "number"] : [wording];
  const worded = wordings.map((suffix) => `${key}.${suffix}`);
  for (const texts of ownMessages()) {
    // A plain key replaces all typed messages of lower priority.
    const found = firstOf(texts, [...worded, key]);
    if (found !== undefined) return found;
  }
  const plain = validationMessages[key];
  const changed = plain === ownOf(defaults, key) ? undefined : plain;
  return firstOf(validationMessages, worded) ?? changed ?? firstOf(defaults, worded) ?? plain ??
    ownOf(defaults, key) ?? validationMessages["bindInvalid"] ?? "";
}

function firstOf(texts: Texts, keys: readonly string[]): string | undefined {
  return keys.map((key) => ownOf(texts, key)).find((text) => text !== undefined);
}

/** Reads an own property: a rule may have the name of an inherited one. */
function ownOf(texts: Texts, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function plainKeysOf(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(Object.entries(catalogue).filter(([key]) => !key.includes(".")));
}
