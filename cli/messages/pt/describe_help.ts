import type { describeHelpEn } from "../en/describe_help.ts";

export const describeHelpPt: typeof describeHelpEn = {
  openapi:
    `Uso: fw openapi [-o <ficheiro ou ->] [--against <ficheiro ou ref do git>] [--check] [--json]

Escreve o documento OpenAPI 3.1 de cada route.ts, a partir dos tipos, dos schemas e dos comentários.
A aplicação não é executada: Config e Setup não são chamados. Cada erro aparece como
ficheiro:linha:coluna CÓDIGO: mensagem, com a correção.

Opções:
  -o, --output <ficheiro>    destino do documento; - imprime (predefinição openapi.json)
  --against <ficheiro ou ref>  não escreve; lista o que mudou desde um documento anterior, um ficheiro
                             ou o de um commit do git, e falha se os clientes deixam de servir
  --check                    não escreve; falha se o ficheiro difere do código, e diz onde
  --json                     imprime {"ok", "problems", "file", "changed", "operations"}

Linhas no comentário de um handler:
  openapi:response <status> [tipo]              uma resposta; sem tipo, um documento de problema
  openapi:body <tipo>                           o corpo do pedido
  openapi:query <nome> <tipo> [descrição]       um parâmetro da query; nome! é obrigatório
  openapi:tag <nome>                            uma tag no lugar do último segmento fixo do caminho
  openapi:omit                                  deixa a operação fora do documento
Um tipo é um nome no âmbito do ficheiro, uma palavra como string, integer ou date-time, um literal,
qualquer um deles com [] ou |, ou um media type.

Exemplo:
  fw openapi --check
  fw openapi --against main
`,
  routes: `Uso: fw routes [--json]

Lista as rotas: os seus métodos, o seu padrão e o ficheiro que as declara.

Opções:
  --json     imprime {"ok", "problems", "routes"}, cada rota com "methods", "pattern", "params",
             "kind": "page"|"api", "source", "layouts", "middleware";
             "kindSource": o ficheiro cujo Kind vale, onde há um;
             "csrf": false onde um ficheiro desliga a verificação, "site" onde a escrita não pede
             token e só recusa pedidos de outros sites com cookies

Exemplo:
  fw routes --json
`,
  ctx: `Uso: fw ctx [--json]

Imprime o mapa do projeto: as rotas com ficheiros, métodos, ações, guardas e testes, o que cada
operação lê e responde, os tipos envolvidos, o que Setup fornece, configurações, variáveis e ilhas.
Nenhum código da aplicação é executado. A ordem depende apenas dos ficheiros.

Opções:
  --json     imprime o mapa como docs/ctx.schema.json o descreve, com layouts e middleware de cada rota

Exemplo:
  fw ctx
`,
  policy: `Uso: fw policy [--check] [--json]

Escreve policy.txt: uma linha para cada método de cada rota e cada ação, com o tipo, a verificação
CSRF, as origens CORS, o limite do corpo, o limite de pedidos, os prazos, a cache, as guardas e o
middleware. Faça o commit do ficheiro, para que a revisão mostre cada mudança. Imprime o que mudou, e se
ficou mais fraco ou mais forte. As linhas vêm só do código, sem as variáveis do ambiente.

Opções:
  --check    não escreve nada, e falha se o código diverge de policy.txt
  --json     imprime {"ok", "problems", "changes"}

Exemplo:
  fw policy --check
`,
  docs: `Uso: fw docs <palavras> [--json]

Procura nos guias e na referência da API da versão do fw que o projeto usa, sem rede, e imprime as
secções que melhor respondem, com título, lugar e trecho. Os guias são em inglês.

Opções:
  --json     imprime {"ok", "problems", "results"}, cada resultado com o texto inteiro

Exemplo:
  fw docs upload limit
`,
  agents: `Uso: fw agents [--force] [--lang pt]

Escreve AGENTS.md, que diz a agentes de código como trabalhar neste projeto: as suas tarefas, o seu
middleware, os pacotes que usa, as convenções. Uma cópia que ninguém editou é trocada, uma editada
fica. Escreve também CLAUDE.md, se não existir.

Opções:
  --force        troca um AGENTS.md editado
  --lang <lang>  en ou pt (predefinição en)

Exemplo:
  fw agents
`,
  incident: `Uso: fw incident [<id>] [--from <pasta>] [--json]

Escreve, ao lado do ficheiro da rota, um teste que envia de novo um pedido respondido com 5xx. O
teste falha até à correção. Sem id, lista os pedidos guardados, do mais novo ao mais antigo. A
aplicação guarda-os onde config.observability.incidents (FW_INCIDENTS) indica uma pasta; cookies,
autorização, tokens e campos que parecem secretos nunca são guardados.

Opções:
  --from <pasta>     lê outra pasta, como uma copiada de um servidor
                     (predefinição: a das configurações, depois .fw/incidents)
  --json             com a lista, imprime {"ok", "problems", "folder", "incidents"}

Exemplos:
  fw incident
  fw incident 4a1f0c2b9d3e-00007k
`,
  mcp: `Uso: fw mcp

Atende agentes de código pelo Model Context Protocol, na entrada e na saída padrão. As ferramentas
devolvem evidências: project, routes, policy, docs, log, check, render, test, generate. Elas executam o
código do próprio projeto com as permissões da tarefa test e não escrevem nada fora do projeto. Um
agente inicia o comando; veja .mcp.json.

Exemplo:
  fw mcp
`,
};
