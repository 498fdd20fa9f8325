import type { helpEn } from "../en/help.ts";

export const helpPt: typeof helpEn = {
  main: `fw: um framework web em que a árvore de pastas é a tabela de rotas.

Uso: fw <comando> [opções]

Comandos:
  new        começa um projeto
  dev        serve o projeto e recarrega o navegador a cada gravação
  gen        escreve fw_gen.ts a partir da pasta app/
  generate   escreve page, route, test, island, job, mail, resource, migration, auth, language ou serve
  routes     lista as rotas
  build      faz um executável da aplicação
  export     escreve as páginas como site estático
  check      verifica tudo antes de um commit, até à primeira falha
  audit      procura o que não deve ir para a produção
  incident   escreve um teste que falha, de um pedido respondido com 5xx
  migrate    aplica as migrações da base de dados
  jobs       lista os trabalhos, e repete ou elimina os que falharam
  ui         escreve os ficheiros do kit de componentes
  openapi    escreve o documento OpenAPI das rotas de API
  ctx        imprime o mapa do projeto
  policy     anota quem pode chamar o quê, e compara com o código
  docs       procura nos guias e na referência da API
  agents     escreve AGENTS.md para agentes de código
  mcp        atende agentes de código pelo Model Context Protocol

Opções:
  -h, --help     este texto, ou o do comando
  --version      a versão

Códigos de saída: 0 feito, 1 falhou ou encontrou problemas, 2 linha de comando errada.
FW_LANG=en seleciona o inglês. NO_COLOR deixa a saída sem cores.

Exemplo:
  fw new meu-app
`,
  new: `Uso: fw new <nome> [--kit] [--agents]

Começa um projeto numa pasta nova. O nome pode ser um caminho; "." usa esta pasta, se vazia.

Opções:
  --kit        um layout com o kit de componentes, e os ficheiros dele em public/
  --agents     escreve também AGENTS.md e CLAUDE.md

Exemplos:
  fw new meu-app
  fw new meu-app --kit
`,
  dev: `Uso: fw dev [--addr <endereço>]

Serve o projeto, reinicia a cada gravação e recarrega o navegador. Uma folha de estilo é trocada
sem recarregar, uma ilha é empacotada sem reiniciar; um erro aparece no navegador até ser corrigido.

Opções:
  --addr <endereço>     onde escutar: 3000 ou localhost:3000 para esta máquina,
                        :3000 para toda a rede, 192.0.2.7:3000 para um endereço
                        (predefinição: as variáveis ADDR ou PORT, depois 3000)

FW_DEV_RELOAD=off tira das páginas o script de recarga. Um ficheiro .env ao lado de deno.json é lido a
cada início. Ctrl-C encerra o servidor com código 0.

Exemplo:
  fw dev --addr 8080
`,
  gen: `Uso: fw gen [--check] [--json]

Lê a pasta app/ e escreve fw_gen.ts. Nenhum código da aplicação é executado. Cada erro aparece como
ficheiro:linha:coluna CÓDIGO: mensagem, com a correção. Cada fonte em islands/ é empacotada em
public/islands/.

Opções:
  --check     nada escreve; falha se fw_gen.ts ou um pacote estiver desatualizado
  --json      imprime {"ok", "problems", "file", "changed", "routes", "bundles"}

Exemplo:
  fw gen --check
`,
  generate: `Uso: fw generate page|route|test <url> [opções]
     fw generate island <nome>
     fw generate job <nome>
     fw generate jobs
     fw generate mail <nome>
     fw generate migration <nome>
     fw generate resource <nomes> <campo>:<tipo>[,<regra>…] … [--api] [--singular <nome>]
     fw generate auth [--passwords] [--passkeys] [--provider <nome>]
     fw generate language <etiqueta>
     fw generate serve

Escreve a pasta e o ficheiro que a convenção pede, e depois fw_gen.ts. Nada é substituído sem
--force. Cada um tem a sua ajuda, como em fw generate page --help.
Numa URL, {nome} é um parâmetro, {nome...}, no fim, toma o resto, e nome- é um grupo.

Opções:
  --methods <lista>     os métodos de uma rota (predefinição GET), ou os de uma página além de Page
  --bind                um esquema, e funções que leem o corpo por ele (com POST, PUT ou PATCH)
  --form                uma página com formulário, o seu esquema e a sua função POST
  --tsx                 uma página em JSX
  --tmpl                uma página que mostra um modelo ao lado dela
  --passwords           contas com palavra-passe, em SQLite: entrar, registo, palavra-passe nova, teste
  --passkeys            o mesmo, com chaves de acesso; depois de --passwords acrescenta-as
  --provider <nome>     entrar por oidc, entra, keycloak, cognito ou clerk; também ao lado de palavras-passe
  --api                 uma API em JSON ao lado das páginas de um recurso, com um teste
  --csv                a lista de um recurso em CSV, e uma importação com os erros por linha
  --singular <nome>     o nome de uma linha, quando não se deduz do plural
  --seed <número>       também seeds/<nomes>.ts, que acrescenta essas linhas de exemplo
  --force               substitui uma página, rota, teste ou ilha, se o último commit tem o seu conteúdo
  --dry-run             mostra o que seria escrito e alterado, sem escrever nada

Um recurso é uma lista com pesquisa e páginas, uma página de detalhe, um formulário para criar e mudar, uma
página para apagar, o acesso ao SQLite com uma migração, e um teste; com o kit quando o layout o tem.
Tipos: text, long, email, url, enum, int, int64, float, number, bool, date, datetime e, para ficheiros
enviados, image e file, com as regras required, optional e max=2mb.
Regras: required, optional, min=n, max=n, len=n, email, url, oneof=a|b|c, eqfield=outro (| entre aspas).

Exemplos:
  fw generate page /blog/{slug}
  fw generate page /contacto --form
  fw generate route /api/eventos --methods GET,POST --bind
  fw generate page /socios-/conta
  fw generate test /contacto
  fw generate island contador
  fw generate job enviar_resumo
  fw generate mail boas_vindas
  fw generate resource eventos titulo:text,required lugares:int,min=1 inicio:date
  fw generate migration add_place_to_eventos
  fw generate auth --provider keycloak
  fw generate language pt-PT
`,
  jobs: `Uso: fw jobs [list|retry|drop] [<id> …] [--all] [--json]

Lista os trabalhos: quantos esperam, correm e falharam de vez, e os 100 mais novos de cada estado.
Inicia a aplicação com as permissões da tarefa start, e não corre trabalho algum.

  list           o que faz sem mais
  retry <id> …   volta a correr trabalhos que falharam de vez
  drop <id> …    elimina trabalhos que não correm

Opções:
  --all          repete ou elimina todos os da lista que falharam de vez
  --json         escreve {"ok", "problems", "counts", "jobs", "changed"}

Exemplos:
  fw jobs
  fw jobs retry 17
  fw jobs drop --all
`,
  migrate: `Uso: fw migrate [--status] [--db <ficheiro>] [--json]

Aplica as migrações de migrations/ que a base de dados SQLite ainda não tem, em ordem e numa só
transação. A base de dados é o ficheiro que FW_DB indica, ou data/app.sqlite. A aplicação faz o mesmo
quando inicia.

Opções:
  --status          lista as migrações: aplicadas, pendentes, alteradas depois, ausentes no projeto,
                    mais novas; código de saída 1 quando uma foi alterada ou está ausente
  --db <ficheiro>   outra base de dados
  --json            imprime {"ok", "problems", "database", "applied"}; com --status, em vez de "applied",
                    "migrations", cada uma com "name", "state" e "appliedAt"

Exemplos:
  fw migrate
  fw migrate --status
`,
  ui: `Uso: fw ui [--passkeys] [--force]

Escreve ou atualiza public/ui.css, public/ui.js, as suas partes (ui.swap.js, ui.live.js, ui.parts.js) e os seus source
maps, os ficheiros do kit de componentes. Um ficheiro que foi editado fica como está, com um aviso. public/ui.theme.css, com
as cores, é escrito só quando não existe, e depois é seu.

Opções:
  --brand     põe uma cor, como "#2563eb", em public/ui.theme.css, clara e escura, legível
  --passkeys  escreve também public/passkeys.js, o script de passkeyForm; depois ele é atualizado
  --force     substitui também ficheiros editados; nunca ui.theme.css

Exemplo:
  fw ui
`,
  export: `Uso: fw export [--out <pasta>] [--base-url <url>] [opções]

Escreve as páginas como ficheiros que qualquer servidor entrega: cada página sem parâmetros, as outras
para o que dá o Paths do seu ficheiro, rotas cujo caminho tem extensão, e os ficheiros estáticos. Uma
segunda exportação escreve o que mudou e remove o que já não existe. Falha com cada link quebrado.

A aplicação é executada com as permissões da tarefa start no deno.json, e FW_ENV=prod.

Opções:
  -o, --out <pasta>        onde o site é escrito (predefinição: dist/site)
  --base-url <url>         onde será servido, para URLs absolutas e sitemap.xml
  --base-path <caminho>    o prefixo das URLs (predefinição: o caminho de --base-url, depois FW_BASE_PATH)
  --exclude <caminho>      deixa de fora um caminho e tudo abaixo; pode repetir
  --elsewhere <caminho>    outra coisa o responde: links para ele não são vistos; pode repetir
  --layout folder|file     se /about é about/index.html (predefinição) ou about.html
  --concurrency <número>   quantas páginas são feitas ao mesmo tempo (predefinição: 8)
  --force                  escreve entre ficheiros que exportação nenhuma escreveu, sem remover nenhum
  --json                   imprime {"ok", "problems", "report"}

Exemplos:
  fw export --base-url https://example.com
  fw export -o public_html --exclude /admin
`,
  build: `Uso: fw build [--target <sistema>] [--output <ficheiro>] [opções]

Faz um executável da aplicação, com public/ dentro. Antes as ilhas são empacotadas, e são verificados
o ficheiro gerado, os ficheiros estáticos e as ilhas que o código nomeia e os tipos; nada é compilado
enquanto um deles está errado. No fim o executável é iniciado numa pasta vazia, numa porta livre, e
responde pela sua saúde e por um ficheiro estático; só então é gravado.

As suas permissões são as da tarefa start no deno.json, para que os dois sejam executados da mesma
forma: amplie-as lá. O ficheiro que a tarefa start executa é o que se compila. Um caminho relativo
numa permissão, como .fw/spool, conta a partir da pasta em que o executável é iniciado.

Opções:
  --target <sistema>    compila para outro sistema, sem iniciar aqui:
                        x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu,
                        x86_64-apple-darwin, aarch64-apple-darwin,
                        x86_64-pc-windows-msvc, aarch64-pc-windows-msvc
  -o, --output <fich>   onde é gravado (predefinição: dist/ e o nome do projeto)
  --include <caminho>   ficheiro ou pasta que vai dentro além de public/; pode repetir
  --skip-smoke          não o inicia
  --json                imprime {"ok", "problems", "output", "target", …}

O executável diz o que é, sem iniciar o servidor, com
--fw version|routes|policy|openapi.

DENORT_BIN nomeia o executável de base (denort) quando o Deno não o consegue transferir.

Exemplos:
  fw build
  fw build --target aarch64-unknown-linux-gnu -o saida/loja-arm64
`,
  check: `Uso: fw check [--changed] [--fix] [--json]

Confere tudo o que deve valer antes de um commit, e para no primeiro passo que falha:
  gen      fw_gen.ts está em dia, e as ilhas estão empacotadas
  fmt      todos os ficheiros estão formatados
  lint     o linter nada encontra
  types    os tipos estão certos, também os de links, ilhas e testes
  assets   os ficheiros estáticos e as ilhas que o código nomeia existem
  messages cada mensagem de um catálogo é usada, em cada idioma da aplicação (avisos)
  test     os testes passam
  pages    cada link e formulário das páginas que os testes receberam funciona sem script
  audit    nada é crítico em produção; supõe-se que há FW_SECRET, que fw audit exige
  openapi  o código é o que openapi.json diz, se o projeto tem o ficheiro
  policy   o código é o que policy.txt diz, se o projeto tem o ficheiro
Cada problema tem ficheiro, linha e correção.

Opções:
  --changed  olha só o que difere do último commit: formato e linter desses ficheiros, e os testes
             que os importam; tipos, audit e policy são conferidos por inteiro
  --fix      escreve fw_gen.ts, openapi.json, formata, corrige o que o linter
             sabe corrigir, e escreve policy.txt se nenhuma mudança o enfraquece
  --json     mostra {"ok", "problems", "steps", "skipped"}

Exemplo:
  fw check --fix
`,
  audit: `Uso: fw audit [--json]

Procura o que não deve ir para a produção: chaves e tokens, métricas e hosts abertos, rotas sem
verificação de CSRF, permissões, versões, o ficheiro gerado, lint, tipos, e pacotes com
vulnerabilidades conhecidas. Nenhum código da aplicação é executado: as configurações são lidas do
ambiente, da tarefa start no deno.json e do texto de Config em app/setup.ts. Execute com as variáveis
da produção para ver o que a produção terá.

Cada resultado é crítico, um aviso ou uma nota, e diz o que fazer. O código de saída é 1 quando algum é
crítico.

Opções:
  --json     imprime {"ok", "problems", "counts", "passed"}, cada problema com "code", "severity",
             "place", "message", "fix"; "place" e "fix" são opcionais

Exemplo:
  fw audit --json
`,
};
