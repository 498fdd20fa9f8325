import type { Texts } from "../base/texts.ts";

/**
 * The Portuguese texts of the framework's own error pages, by status: the heading, the sentence below it
 * (`404.text`), and the sentence for an error of the framework by its code. English is written where the errors
 * are made.
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
  "413.back": "Voltar ao formulário",
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
});

const byLanguage: ReadonlyMap<string, Texts | undefined> = new Map([
  ["en", undefined],
  ["pt", portuguese],
]);

/**
 * Returns the framework's texts in the first language that it has.
 *
 * @returns `undefined` for English.
 */
export function errorTexts(chain: readonly string[]): Texts | undefined {
  const tag = chain.map((each) => each.toLowerCase()).find((each) => byLanguage.has(each));
  return tag === undefined ? undefined : byLanguage.get(tag);
}
