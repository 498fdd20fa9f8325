import type { Shape } from "../texts.ts";
import type { describeEn } from "../en/describe.ts";

export const describePt = {
  ctx: {
    intro: `fw {version}, {routes} {routes:rota|rotas}. Os layouts e o middleware de uma pasta
      aplicam-se a tudo o que está abaixo dela.`,
    routes: "Rotas",
    layouts: "Layouts, com o número de rotas",
    middleware: "Middleware, com o número de rotas",
    types: "Tipos",
    provides: "Fornecido por Setup",
    settings: "Configurações",
    variables: "Variáveis",
    islands: "Ilhas",
  },
  docs: {
    nothing: 'Nada foi encontrado para "{query}". Use menos palavras; os guias são em inglês.',
  },
  policy: {
    missing: `não há o ficheiro {file}
      Fix: Execute \`deno task policy\` e faça o commit do ficheiro.`,
    directions: { weaker: "mais fraco", stronger: "mais forte", changed: "mudou" },
    fields: {
      kind: "tipo",
      csrf: "verificação CSRF",
      cors: "origem CORS",
      body: "limite do corpo",
      rate: "limite de pedidos",
      read: "prazo de leitura",
      write: "prazo de escrita",
      cache: "cache da resposta",
      guards: "guarda",
      middleware: "o middleware",
    },
    added: "novo, sem guarda",
    addedGuarded: "novo, com a guarda {guards}",
    removed: "removido",
    memberAdded: "{field} {value} adicionado",
    memberRemoved: "{field} {value} removido",
    fix:
      "Se for intencional, execute `deno task policy` e faça o commit de policy.txt; senão, desfaça.",
    fixWeaker:
      "Desfaça a mudança. Se for intencional, execute `deno task policy`, faça o commit de policy.txt e explique na revisão.",
  },
} as const satisfies Shape<typeof describeEn>;
