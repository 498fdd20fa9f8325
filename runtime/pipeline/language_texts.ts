import type { Config, LanguageTexts } from "../base/ctx/config.ts";
import { trimBasePath } from "../base/config/config.ts";
import type { AppTexts, Texts } from "../base/texts.ts";
import {
  languageCookie,
  Languages,
  lookupChain,
  parseLanguages,
  parseTag,
} from "../i18n/languages.ts";
import { prefixedName } from "../request/cookies.ts";
import { findMessages } from "../schema/messages.ts";

type TextSettings = Pick<
  Config,
  "basePath" | "languages" | "languagePrefix" | "languageTexts" | "validationMessages" | "labels"
>;

/** Returns the texts of an application that lists no languages; `undefined` if it has none of its own. */
export function fixedTexts(
  { validationMessages, labels }: Pick<Config, "validationMessages" | "labels">,
): AppTexts | undefined {
  if (validationMessages === undefined && labels === undefined) return undefined;
  return {
    language: undefined,
    validationMessages: listed(validationMessages),
    labels,
    errorPages: undefined,
  };
}

/**
 * Compiles the languages of an application with their texts.
 *
 * @returns `undefined` if it lists none.
 * @throws {TypeError} for an invalid setting.
 */
export function compileLanguages(config: TextSettings): Languages | undefined {
  const tags = parseLanguages(config);
  if (tags === undefined) return undefined;
  const own = new Map(
    Object.entries(config.languageTexts).map(([text, texts]) => [parseTag(text) ?? text, texts]),
  );
  const textsOf = (language: string): AppTexts => {
    const chain = lookupChain(language);
    const given = chain.flatMap((tag) => listed(own.get(tag)));
    // Texts without a language belong to the first one.
    const all: { readonly [Name in keyof LanguageTexts]: Texts | undefined }[] = [
      ...given,
      ...language === tags[0] ? [config] : [],
    ];
    return {
      language,
      validationMessages: [
        ...all.flatMap((texts) => listed(texts.validationMessages)),
        ...listed(findMessages(chain)),
      ],
      labels: merge(all.map((texts) => texts.labels)),
      errorPages: merge([...all.map((texts) => texts.errorPages), errorTexts(chain)]),
    };
  };
  // A choice made over HTTP also applies over HTTPS, so the name has no prefix.
  const cookie = prefixedName(languageCookie, {
    path: trimBasePath(config.basePath) || "/",
    isSecure: false,
  });
  return new Languages(tags, { hasPrefix: config.languagePrefix, cookie, textsOf });
}

function listed<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function merge(texts: readonly (Texts | undefined)[]): Texts {
  // No prototype, so that a name such as "constructor" has no text.
  return Object.assign(Object.create(null), ...texts.toReversed());
}

/**
 * The Portuguese texts of the framework's own error pages, by status: the heading, the sentence below it
 * (`404.text`), and the sentence for an error of the framework by its code. The English texts are where the
 * errors are created.
 */
const portuguese: Texts = Object.freeze({
  "400": "Pedido inválido",
  "400.text": "Não foi possível compreender o pedido.",
  "401": "Não autenticado",
  "401.text": "É preciso iniciar sessão.",
  "403": "Acesso recusado",
  "403.text": "Isto não é permitido.",
  "404": "Página não encontrada",
  "404.text": "Não há nada neste endereço.",
  "405": "Método não permitido",
  "405.text": "Este endereço não aceita esse método.",
  "406": "Formato indisponível",
  "408": "Tempo esgotado",
  "409": "Conflito",
  "410": "Já não existe",
  "412": "Condição não cumprida",
  "413": "Conteúdo demasiado grande",
  "413.text": "O que foi enviado é demasiado grande.",
  "414": "Endereço demasiado longo",
  "415": "Tipo de conteúdo não suportado",
  "422": "Conteúdo por corrigir",
  "422.text": "Parte do que foi enviado ainda não está certa.",
  "426": "Atualização necessária",
  "429": "Demasiados pedidos",
  "429.text": "Demasiados pedidos. Aguarde um momento.",
  "500": "Erro do servidor",
  "501": "Não implementado",
  "502": "Erro do servidor",
  "503": "Serviço indisponível",
  "504": "Tempo esgotado",
  "4xx.text": "Não foi possível responder ao pedido.",
  "5xx.text": "Algo correu mal do nosso lado. Tente novamente.",
  "start": "Voltar ao início",
  "reference": "Referência: ",
  "body_timeout": "O que foi enviado não chegou a tempo.",
  "body_too_large": "O que foi enviado é demasiado grande.",
  "csrf_failed":
    "O formulário já não é válido. Volte atrás, recarregue a página e envie-o novamente.",
  "form_too_large": "O formulário é demasiado grande.",
  "invalid_form": "O formulário não é válido.",
  "invalid_query": "O endereço não é válido.",
  "host_not_allowed": "Este endereço não é servido aqui.",
  "bad_target": "O endereço não é válido.",
  "target_too_long": "O endereço é demasiado longo.",
  "rate_limited": "Demasiados pedidos. Aguarde um momento.",
  "unknown_language": "Essa língua não existe aqui.",
  "precondition_failed": "Isto foi alterado entretanto.",
  "unsupported_media_type": "Este tipo de conteúdo não é aceite.",
  "sign_in_required": "É preciso iniciar sessão.",
  "recent_sign_in_required": "Inicie sessão de novo: isto exige um início de sessão recente.",
  "role_missing": "O seu papel não permite isto.",
  "passkey_refused": "A chave de acesso não foi aceite.",
  "sign_in_refused": "O início de sessão não foi aceite.",
  "logout_refused": "O pedido para terminar a sessão veio de outro sítio.",
});

/** Returns the framework's texts in the first language that it supports. @returns `undefined` for English. */
function errorTexts(chain: readonly string[]): Texts | undefined {
  const tag = chain.map((each) => each.toLowerCase()).find((each) => /^(?:en|pt)$/.test(each));
  return tag === "pt" ? portuguese : undefined;
}
