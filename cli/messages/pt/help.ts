export const helpPt = {
  main: `fw: um framework web em que a árvore de pastas é a tabela de rotas.

Uso: fw <comando> [opções]

Comandos:
{commands}

Opções:
  -h, --help     este texto, ou o do comando
  --version      a versão

Códigos de saída: 0 feito, 1 falhou ou encontrou problemas, 2 linha de comando errada.
FW_LANG=en seleciona o inglês. NO_COLOR deixa a saída sem cores.

Exemplo:
  fw new meu-app
`,
  new: `Começa um projeto numa pasta nova. O nome pode ser um caminho; "." usa esta pasta, se vazia.
--kit        um layout com o kit de componentes, e os ficheiros dele em public/
--db <motor>  escreve também o que abre uma base de dados: sqlite ou postgres
--agents     escreve também AGENTS.md e CLAUDE.md`,
  dev:
    `Serve o projeto, reinicia a cada gravação e recarrega o navegador. Um erro aparece lá até ser
corrigido.
--addr <endereço>     onde escutar: 3000 para esta máquina, :3000 para toda a rede
                      (predefinição: as variáveis ADDR ou PORT, depois 3000)
FW_DEV_RELOAD=off tira das páginas o script que as recarrega. Um ficheiro .env ao lado de deno.json é
lido a cada início.`,
  gen: `Lê a pasta app/ e escreve fw_gen.ts. Nenhum código da aplicação é executado. Cada fonte em
islands/ é empacotada em public/islands/.
--check     nada escreve; falha se fw_gen.ts ou um pacote estiver desatualizado
--json      imprime {"ok", "problems", "file", "changed", "routes", "bundles"}`,
  generate: `Escreve ficheiros da aplicação, e depois fw_gen.ts. Nada é substituído. Num URL, {nome}
é um parâmetro, {nome...}, no fim, fica com o resto, e nome- é um grupo. Cada um tem a sua ajuda,
como em fw generate page --help:

  page|route|test <url>
  island|job|mail|migration <nome>
  resource <nomes> <campo>:<tipo>[,<regra>…] …
  auth|jobs|serve
  database postgres
  language <etiqueta>`,
  jobs:
    `Lista os trabalhos, põe um na fila, e repete ou elimina alguns. Mostra quantos esperam, correm e
falharam de vez, e os 100 mais novos de cada estado. O comando não corre nenhum trabalho.

  list           a ação predefinida
  retry <id> …   corre já trabalhos que falharam de vez ou adiados
  drop <id> …    elimina trabalhos que não correm
  run <nome> [<json>]
                 põe um trabalho na fila, com um valor ou o do seu horário
--all          repete ou elimina todos os da lista que falharam de vez`,
  migrate: `Aplica as migrações da base de dados: as de migrations/ que ela ainda não tem, numa só
transação, e escreve o esquema em migrations/schema.sql. A base de dados é a que FW_DB indica, ou
data/app.sqlite. A aplicação também as aplica quando inicia.
--status          lista as migrações; código de saída 1 quando uma foi alterada ou está ausente, ou o
                  esquema não é o de schema.sql
--db <ficheiro>   outra base de dados: um ficheiro, ou o endereço de um servidor`,
  ui: `Escreve os ficheiros do kit de componentes, ou atualiza-os. Um ficheiro editado fica como
está, com um aviso. public/ui.theme.css, onde estão as cores, pertence à aplicação.
--brand <cor>  põe uma cor, como "#2563eb", em public/ui.theme.css, legível no claro e no escuro
--passkeys     escreve também public/passkeys.js, o script de passkeyForm; as próximas atualizam-no
--force        substitui também ficheiros editados; nunca ui.theme.css`,
  export:
    `Escreve as páginas como ficheiros que qualquer servidor entrega: as páginas sem parâmetros
ou com os do seu Paths, rotas cujo caminho tem extensão, e os ficheiros estáticos. Falha com cada
link quebrado.
-o, --out <pasta>        onde o site é escrito (predefinição: dist/site)
--base-url <url>         onde será servido, para URL absolutos e sitemap.xml
--only <caminho> …       exporta só as páginas de um caminho e tudo abaixo; / é a página inicial
--exclude <caminho> …    deixa de fora um caminho e tudo abaixo
--elsewhere <caminho> …  não verifica links para um caminho que outro servidor trata`,
  build:
    `Faz um só executável da aplicação. Leva public/ dentro e executa o ficheiro da tarefa start
no deno.json com as permissões dessa tarefa. Antes de ser gravado, é iniciado numa pasta vazia e
responde pela sua saúde e por um ficheiro estático.
--target <sistema>    compila para outro sistema, como aarch64-unknown-linux-gnu ou
                      x86_64-pc-windows-msvc, sem o iniciar aqui
-o, --output <fich>   onde é gravado (predefinição: dist/ e o nome do projeto)
--include <caminho> …  ficheiro ou pasta que vai dentro além de public/
--skip-smoke          não o inicia
O executável diz o que é, sem iniciar o servidor, com --fw version|routes|policy|openapi.
DENORT_BIN indica o executável de base (denort) quando o Deno não o consegue transferir.`,
  check: `Verifica tudo antes de um commit, e termina no primeiro passo que falha: gen, fmt, lint,
types, assets, messages, test, pages, audit, openapi, policy. Cada problema tem ficheiro, linha e
correção.
--fix   escreve fw_gen.ts, openapi.json e os ficheiros do kit, formata, e corrige o que o linter sabe
--json  mostra {"ok", "problems", "steps", "skipped"}`,
  audit:
    `Procura o que não deve ir para a produção: chaves fracas, métricas abertas, rotas sem guarda,
permissões largas, pacotes com vulnerabilidades conhecidas. Nenhum código da aplicação é executado.
Execute com as variáveis da produção. O código de saída é 1 quando algum resultado é crítico.
--json     imprime {"ok", "problems", "counts", "passed"}`,
  openapi: `Escreve o documento OpenAPI 3.1 de cada route.ts: a partir dos tipos, dos schemas e das
diretivas nos comentários, que fw docs openapi directives mostra. Config e Setup não são chamados.
-o, --output <ficheiro>    destino do documento; - imprime (predefinição openapi.json)
--against <ficheiro ou ref>  não escreve; lista o que mudou desde um documento anterior, um ficheiro
                           ou o de um commit do git, e falha se os clientes deixarem de funcionar
--check                    não escreve; falha se o ficheiro difere do código
--json                     imprime {"ok", "problems", "file", "changed", "operations"}`,
  routes: `Lista as rotas: os seus métodos, o seu padrão e o ficheiro que as declara.
--json     imprime {"ok", "problems", "routes"}`,
  ctx:
    `Imprime o mapa do projeto: as rotas com ficheiros, métodos, ações, guardas e testes, o que as
operações leem e respondem, tipos, o que Setup fornece, configurações, variáveis e ilhas.
--json     imprime o mapa como docs/ctx.schema.json o descreve, com layouts e middleware de cada rota`,
  policy: `Regista quem pode chamar o quê: policy.txt tem uma linha para cada método de cada rota e
cada ação. Faça o commit do ficheiro, para que a revisão mostre cada mudança. Imprime o que mudou.
--check    não escreve nada, e falha se o código diverge de policy.txt`,
  docs: `Procura nos guias e na referência da API: os da versão do fw que o projeto usa, sem rede.
Imprime as secções que melhor respondem, com título, lugar e trecho. Os guias são em inglês.`,
  agents: `Escreve AGENTS.md, que diz a agentes de código como trabalhar neste projeto. Também
escreve CLAUDE.md, se não existir. Um AGENTS.md editado fica como está.
--force        substitui um AGENTS.md editado
--lang <lang>  en ou pt (predefinição en)`,
  incident: `Escreve um teste que falha, de um pedido respondido com 5xx, ao lado do ficheiro da
rota. Sem id, lista os pedidos que config.observability.incidents (FW_INCIDENTS) guardou, do mais
novo ao mais antigo.
--from <pasta>     lê outra pasta, como uma copiada de um servidor
                   (predefinição: a das configurações, depois .fw/incidents)`,
  mcp: `Serve agentes de código pelo Model Context Protocol, na entrada e na saída padrão. As
ferramentas executam o código do próprio projeto com as permissões da tarefa test. Um agente inicia
o comando; veja .mcp.json.`,
  "generate page": `Escreve a página de um URL, e depois fw_gen.ts.
--methods <lista>    os métodos além de Page
--bind               um esquema pelo qual as funções leem o corpo
--form               um formulário com esquema, função POST e teste`,
  "generate route": `Escreve a rota de um URL, e depois fw_gen.ts.
--methods <lista>    os seus métodos (predefinição GET)
--bind               um esquema pelo qual as funções leem o corpo, e um teste`,
  "generate test": "Escreve o teste de uma página ou rota que existe.",
  "generate island": "Escreve islands/<nome>.ts, código do navegador, e depois fw_gen.ts.",
  "generate job": `Escreve jobs/<nome>.ts, trabalho fora dos pedidos, com um teste, e acrescenta-o a
jobs/mod.ts. O primeiro traz também work.ts, a tarefa "work" (os trabalhos num processo que não
serve) e a chamada em Setup.`,
  "generate jobs": `Escreve uma página em /jobs para quem tem o papel "admin": quantos trabalhos
esperam e correm, e os que falharam de vez, para correr de novo ou apagar. Precisa de trabalhos e de
um login.`,
  "generate mail": `Escreve mails/<nome>.ts, um e-mail feito de nós, com um teste e uma
pré-visualização, que em desenvolvimento se vê em /_fw/dev/mail/<nome>. O primeiro traz também
lib/mail.ts e a chamada em Setup.`,
  "generate migration":
    "Escreve a próxima migração da base de dados; a primeira traz também lib/database.ts.",
  "generate resource": `Escreve uma lista com pesquisa e páginas, uma página de detalhe, um
formulário para criar e mudar, uma página para apagar, o acesso à base de dados com uma migração, e
um teste. Tipos: text, long, email, url, oneof=a/b/c, int, int64, float, money=EUR, bool, date, day,
datetime, ref=clientes (também /cascade, /null) e, para ficheiros enviados, image, pdf e file, com
as regras required, optional e max=2mb. Regras: required, optional, unique, min=n, max=n.
--api                uma API em JSON ao lado das páginas, com um teste
--audit              na página de uma linha, o que mudou e por quem; e o que se elimina pode recuperar-se
--csv                a lista em CSV, e uma importação com os erros por linha
--inside             sem páginas: linhas no formulário e na página do recurso a que se refere um campo com
                     /cascade, como as linhas de uma fatura
--guard[=<papel>]     só para quem entrou, ou quem tem o papel: precisa de início de sessão
--writers <papel>    com --guard ou --public: só quem tem o papel cria, altera e elimina, e vê os botões para isso
--public             para todos, numa aplicação com início de sessão
--singular <nome>    o nome de uma linha, quando não se deduz do plural
--seed <número>      também seeds/<nomes>.ts, que acrescenta essas linhas de exemplo
--undo               com os mesmos nomes, campos e opções: remove o que escreveu, exceto ficheiros
                     alterados desde então; não com --inside`,
  "generate language": `Acrescenta uma língua: ao Config de app/setup.ts, com uma rota e um
formulário para mudar, e aos catálogos. Os textos que não sabe traduzir ficam em inglês e terminam
em "// translate". Use-o antes de generate page, de generate resource e de generate auth: numa aplicação com várias
línguas, escrevem os seus textos em catálogos.`,
  "generate serve": `Escreve o que serve a aplicação em vários processos: serve.ts para
deno serve --parallel, um Dockerfile, e deploy/ com um ficheiro de compose, Caddy e nginx.`,
  "generate database": `Escreve o que abre uma base de dados de Postgres. Numa aplicação com SQLite
traduz as migrações, altera o código e escreve scripts/move_rows.ts, que copia as linhas. O último
commit tem de ter os ficheiros que mudam.`,
  "generate auth": `Escreve um login com as suas páginas, o seu armazenamento e um teste.
--passwords          contas com palavra-passe
--passkeys           o mesmo, com chaves de acesso; depois de --passwords acrescenta-as
--provider <nome>    oidc, entra, keycloak, cognito, clerk, github ou discord; também ao
                     lado de palavras-passe
--users[=<papel>]    páginas em /users para quem tem o papel (por omissão admin): procurar contas, dar
                     papéis, desativar, terminar sessões, eliminar e convidar; também depois das outras`,
};

/** The words of the usage lines. */
export const wordsPt = {
  flags: "opções",
  ...{ name: "nome", names: "nomes", file: "ficheiro", folder: "pasta", system: "sistema" },
  ...{ engine: "motor", addr: "endereço", what: "assunto", color: "cor", request_id: "id" },
  ...{ words: "palavras", field: "campo", type: "tipo", rule: "regra", tag: "etiqueta" },
  ...{ "file or -": "ficheiro ou -", "file or git ref": "ficheiro ou ref do git" },
};
