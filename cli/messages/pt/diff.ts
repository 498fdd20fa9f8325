/**
 * The Portuguese texts of `fw openapi --against`.
 *
 * @module
 */
import type { diffEn } from "../en/diff.ts";

export const diffPt: typeof diffEn = {
  parts: {
    document: "o documento",
    parameter: (place, name) => `parâmetro "${name}" (${place})`,
    field: (field, owner) => `campo "${field}" de ${owner}`,
    request: "corpo do pedido",
    requestField: (field) => `campo "${field}" do pedido`,
    response: (status) => `resposta ${status}`,
    responseField: (status, field) => `campo "${field}" da resposta ${status}`,
    header: (status, name) => `cabeçalho "${name}" da resposta ${status}`,
    event: (name) => `evento "${name}"`,
    webhook: (name) => `webhook da API "${name}"`,
    callback: (name) => `callback da operação "${name}"`,
  },
  kinds: {
    "operation removed": () => "a operação foi removida",
    "operation added": () => "a operação é nova",
    "operation id": (_subject, _name, from, to) =>
      `o operationId mudou de "${from}" para "${to}", o que renomeia o método do cliente`,
    "deprecated": (subject) => `${subject}: agora obsoleto`,
    "not deprecated": (subject) => `${subject}: já não é obsoleto`,
    "removed": (subject) => `${subject}: removido`,
    "added": (subject) => `${subject}: novo`,
    "added required": (subject) => `${subject}: novo e obrigatório`,
    "became required": (subject) => `${subject}: passou a ser obrigatório`,
    "became optional": (subject) => `${subject}: passou a ser opcional`,
    "serialization": (subject, _name, from, to) =>
      `${subject}: escrito de outra forma, de ${from} para ${to}`,
    "media type removed": (subject, name) => `${subject}: tipo de conteúdo ${name} removido`,
    "media type added": (subject, name) => `${subject}: tipo de conteúdo ${name} novo`,
    "status removed": (subject) => `${subject}: removida`,
    "status added": (subject) => `${subject}: nova`,
    "header removed": (subject) => `${subject}: removido`,
    "header added": (subject) => `${subject}: novo`,
    "event removed": (subject) => `${subject}: removido`,
    "event added": (subject) => `${subject}: novo`,
    "security added": (_subject, _name, from, to) =>
      `a segurança ficou mais rígida: de ${from} para ${to}`,
    "security removed": (_subject, _name, from, to) =>
      `a segurança ficou mais branda: de ${from} para ${to}`,
    "scheme changed": (_subject, name, from, to) =>
      `o esquema de segurança "${name}" mudou de ${from} para ${to}`,
    "scheme removed": (_subject, name) => `o esquema de segurança "${name}" foi removido`,
    "server removed": (_subject, name) => `o servidor ${name} foi removido`,
    "renamed": (subject, _name, from) =>
      `${subject}: chamava-se "${from}", o que o renomeia no cliente`,
    "type": (subject, _name, from, to) => `${subject}: o tipo mudou de ${from} para ${to}`,
    "null added": (subject) => `${subject}: agora pode ser nulo`,
    "null removed": (subject) => `${subject}: já não pode ser nulo`,
    "value removed": (subject, name) => `${subject}: perdeu o valor ${name}`,
    "value added": (subject, name) => `${subject}: tem o novo valor ${name}`,
    "values limited": (subject, _name, _from, to) => `${subject}: limitado aos valores ${to}`,
    "values unlimited": (subject, _name, from) =>
      `${subject}: já não é limitado aos valores ${from}`,
    "limit": (subject, name, from, to) => `${subject}: ${name} mudou de ${from} para ${to}`,
    "limit added": (subject, name, _from, to) => `${subject}: ganhou ${name} ${to}`,
    "limit removed": (subject, name, from) => `${subject}: perdeu ${name} ${from}`,
    "constraint": (subject, name, from, to) => `${subject}: ${name} mudou de ${from} para ${to}`,
    "constraint added": (subject, name, _from, to) => `${subject}: ganhou ${name} ${to}`.trimEnd(),
    "constraint removed": (subject, name, from) => `${subject}: perdeu ${name} ${from}`.trimEnd(),
    "choice removed": (subject, name) => `${subject}: perdeu a alternativa ${name}`,
    "choice added": (subject, name) => `${subject}: tem a nova alternativa ${name}`,
    "members closed": (subject) => `${subject}: já não aceita outros membros`,
    "members opened": (subject) => `${subject}: agora pode ter outros membros`,
    "default": (subject, _name, from, to) =>
      `${subject}: a predefinição mudou de ${from || "nenhum"} para ${to || "nenhum"}`,
    "not compared": (subject) =>
      `${subject}: mudou; webhooks e callbacks não são comparados em detalhe`,
    "too large": (subject) => `${subject}: grande ou aninhado demais para comparar`,
  },
  levels: { breaking: "incompatível", compatible: "compatível", notice: "aviso" },
  fix: {
    breaking: "Mantenha a forma antiga ao lado da nova, ou publique-a em outro caminho ou versão.",
    notice: "Avise os autores de clientes.",
  },
  none: (against) => `Nenhuma diferença em relação a ${against}.`,
  summary: (breaking, notices, compatible) =>
    `Incompatíveis: ${breaking}. Avisos: ${notices}. Compatíveis: ${compatible}.`,
  noRef: "esse ficheiro não existe, e não é uma referência do git",
  noGit: "esse ficheiro não existe, e o git não está instalado",
  unreadable: (against, detail) =>
    `Não é possível comparar com "${against}": ${detail}. Correção: informe um ficheiro, ou uma ` +
    "referência do git como main ou v1.2.0.",
  tooLarge: (against, bytes) =>
    `Não é possível comparar com "${against}": tem mais de ${bytes} bytes.`,
  notDocument: (against, detail) =>
    `Não é possível comparar com "${against}": não é um documento OpenAPI 3.1, pois ${detail}.`,
};
