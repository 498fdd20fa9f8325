import type { Shape } from "../texts.ts";
import type { openApiEn } from "../en/openapi.ts";

export const openApiPt = {
  undeclared: `o handler de {operation} em {file} envia um valor do tipo {type} na resposta
    {response}[[, em "{path?}"]]
    Fix: Declare o tipo: anote a função ou a variável de onde o valor vem. Para qualquer JSON, declare
    um tipo recursivo como JsonValue.`,
  directiveType: `o comentário de {operation} em {file} cita o tipo {type}, que não está declarado
    ali
    Fix: Importe ou declare o tipo nesse ficheiro, ou corrija o nome.`,
  directive: `"{written}" não é uma diretiva
    Fix: Escreva como \`{example}\`, ou remova a linha.`,
  status: `o handler de {operation} em {file} envia uma resposta cujo status só se conhece na
    execução
    Fix: Escreva o status como número, ou dê à variável um tipo literal como 200 | 201.`,
  unread: `as regras do schema {name} em {file} não podem ser lidas, só os tipos[[: {detail?}]]
    Fix: Mova o schema para um módulo que não faça mais nada e exporte-o como constante.`,
  noResponse: `as respostas de {operation} em {file} não podem ser lidas do código
    Fix: Acrescente uma linha \`openapi:response 200 <tipo>\` ao comentário do handler; veja docs/api.md.`,
  imports: `os imports do projeto não podem ser lidos
    Fix: Execute \`deno check\` e corrija o que ele mostrar.`,
  tooDeep: `o código está aninhado demais para ler os seus tipos
    Fix: Divida a expressão, ou dê às suas partes tipos próprios.`,
  stale: `{file} difere do código: {places}
    Fix: Execute \`deno task openapi\` e faça commit do ficheiro.`,
  missing: `{file} não existe
    Fix: Execute \`deno task openapi\` e faça commit do ficheiro.`,
  driftKinds: { added: "novo", removed: "removido", changed: "alterado" },
  moreDrift: "e mais {count}",
  written: "{file} escrito (operações: {operations}).",
  fresh: "{file} está em dia.",
} as const satisfies Shape<typeof openApiEn>;
