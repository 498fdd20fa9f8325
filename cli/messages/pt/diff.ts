import type { Shape } from "../texts.ts";
import type { diffEn } from "../en/diff.ts";

export const diffPt = {
  kinds: {
    "added": "{place}: novo",
    "added required": "{place}: novo e obrigatório",
    "removed": "{place}: removido",
    "became required": "{place}: passou a ser obrigatório",
    "became optional": "{place}: passou a ser opcional",
    "changed": "{place}: {name} mudou de {from} para {to}",
    "not compared": "{place}: aninhado demais para comparar",
  },
  levels: { breaking: "incompatível", compatible: "compatível", notice: "aviso" },
  fix: {
    breaking: "Mantenha a forma antiga ao lado da nova, ou publique-a em outro caminho ou versão.",
    notice: "Avise os autores de clientes.",
  },
  none: "Nenhuma diferença em relação a {against}.",
  summary: "Incompatíveis: {breaking}. Avisos: {notices}. Compatíveis: {compatible}.",
  unreadable:
    `Não é possível comparar com "{against}": esse ficheiro não existe, e o git não encontra {file} ali.
    Informe um ficheiro, ou uma referência do git como main ou v1.2.0.`,
  tooLarge: 'Não é possível comparar com "{against}": tem mais de {bytes} bytes.',
  notDocument: `Não é possível comparar com "{against}": não é um documento escrito por \`fw
    openapi\`.`,
} as const satisfies Shape<typeof diffEn>;
