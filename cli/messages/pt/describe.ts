export const describePt = {
  describe: {
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
      added: "novo, com as guardas {guards}",
      removed: "removido",
      fix:
        "Desfaça a mudança, ou execute `deno task policy`, faça o commit de policy.txt e explique-o na revisão.",
    },
  },
  diff: {
    kinds: {
      "added": "{place}: novo",
      "added required": "{place}: novo e obrigatório",
      "removed": "{place}: removido",
      "became required": "{place}: passou a ser obrigatório",
      "became optional": "{place}: passou a ser opcional",
      "changed": "{place}: {name} mudou de {from} para {to}",
      "not compared": "{place}: demasiado aninhado para comparar",
    },
    levels: { breaking: "incompatível", compatible: "compatível", notice: "aviso" },
    fix: {
      breaking:
        "Mantenha a forma antiga ao lado da nova, ou publique a nova noutro caminho ou versão.",
      notice: "Avise os autores de clientes.",
    },
    none: "Nenhuma diferença em relação a {against}.",
    summary: "Incompatíveis: {breaking}. Avisos: {notices}. Compatíveis: {compatible}.",
    unreadable:
      `Não é possível comparar com "{against}": não é um documento que \`fw openapi\` escreveu,
      e o git não encontra lá {file}. Indique um ficheiro, ou uma ref do git como main ou v1.2.0.`,
  },
  incident: {
    none: `Nenhum incidente em {folder} tem o id de pedido "{requestId}". Liste-os com \`deno task
      incident\`, ou indique a pasta com --from.`,
    empty: `Não há incidentes em {folder}. A aplicação guarda-os onde config.observability.incidents
      (FW_INCIDENTS) indica uma pasta; --from lê outra.`,
  },
  openapi: {
    undeclared: `o handler de {operation} em {file} envia um valor do tipo {type} na resposta
      {response}[[, em "{path?}"]]
      Fix: Declare o tipo: anote a função ou a variável de onde o valor vem. Para qualquer JSON, declare
      um tipo recursivo como JsonValue.`,
    directiveType: `o comentário de {operation} em {file} cita um tipo por declarar, {type}
      Fix: Importe ou declare o tipo nesse ficheiro, ou corrija o nome.`,
    directive: `"{written}" não é uma diretiva
      Fix: Escreva como \`{example}\`, com um nome para uma união ou um tipo literal, ou remova a linha.`,
    status: `o handler de {operation} em {file} envia um status que só a execução conhece
      Fix: Escreva o status como número, ou dê à variável um tipo literal como 200 | 201.`,
    unread: `as regras do schema {name} em {file} não podem ser lidas, só os tipos[[: {detail?}]]
      Fix: Mova o schema para um módulo que não faça mais nada e exporte-o como constante.`,
    noResponse: `as respostas de {operation} em {file} não podem ser lidas do código
      Fix: Acrescente uma linha \`openapi:response 200 <tipo>\` ao comentário do handler; veja docs/api.md.`,
    imports: `os imports do projeto não podem ser lidos
      Fix: Execute \`deno check\` e corrija o que ele mostrar.`,
    tooDeep: `o código está demasiado aninhado para se lerem os seus tipos
      Fix: Divida a expressão, ou dê às suas partes tipos próprios.`,
    written: "{file} escrito (operações: {operations}).",
  },
} as const;
