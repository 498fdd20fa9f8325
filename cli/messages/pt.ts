import type { en } from "./en.ts";
import { describePt } from "./pt/describe.ts";
import { generatePt } from "./pt/generate.ts";
import { helpPt, wordsPt } from "./pt/help.ts";
import { problemsPt } from "./pt/problems.ts";
import { productionPt } from "./pt/production.ts";
import { runPt } from "./pt/run.ts";
import type { Shape } from "./texts.ts";
import { withUsages } from "./usages.ts";

export const pt = {
  ...describePt,
  ...generatePt,
  ...productionPt,
  ...runPt,
  help: withUsages(helpPt, wordsPt),
  problems: problemsPt,
  printed: {
    dryRun: "--dry-run            mostra o que seria escrito e alterado, sem escrever nada",
    usage: "Uso",
    flags: "Opções",
    example: "Exemplo",
    examples: "Exemplos",
    severity: { critical: "crítico", error: "erro", warning: "aviso", info: "nota" },
    fix: "Correção",
    also: "também {place}",
    more: "e mais {count} {count:lugar|lugares}",
  },

  unknownCommand: 'O comando "{name}" não existe.[[ Queria dizer "{nearest?}"?]]',
  unknownFlag: "A opção {flag} não existe.[[ Queria dizer {nearest?}?]]",
  flagNeedsValue: "{flag} precisa de um valor.",
  flagTakesNoValue: "{flag} não aceita valor: escreva-a sem valor, ou omita-a.",
  missingArgument: '"fw {command}" precisa de um argumento: {argument}.',
  extraArgument: '"{text}" é um argumento a mais.',
  seeHelp: "Veja `{command}`.",
  refused:
    "O sistema recusa isto: {detail}\nEscolha outra pasta, liberte espaço, ou altere as permissões.",
  tooDeep:
    "Não é possível ler o projeto: o código é demasiado profundo, ou milhares de módulos exportam uns " +
    "dos outros. Fix: importe do módulo que declara o nome.",
  crashed: "O comando falhou; isto é um defeito do fw: {detail}",
  stopped: "Interrompido.",
  noProject: `Nem {cwd} nem uma pasta acima tem um deno.json ao lado de uma pasta app/.
Vá para a pasta do projeto, ou comece um com \`fw new <nome>\`.`,
  library: `Não é possível executar "{command}" aqui: {file} tem "exports", logo esta aplicação é
    uma biblioteca que um hospedeiro monta. Use o "{command}" do hospedeiro, ou remova "exports".`,
  problemCount: "{count} {count:problema|problemas}; nada foi escrito.",
  stale: `{file} falta ou está desatualizado
    Fix: Execute \`deno task {task}\` e faça commit do ficheiro.`,

  genWritten: "{file} escrito ({routes} {routes:rota|rotas}).",
  routesHeaders: ["METHODS", "PATTERN", "SOURCE"],
  routesNoCsrf: "sem verificação de CSRF",
  routesSiteCsrf: "sem token, outros sites recusados",
  routesNone: "A aplicação ainda não tem rotas: crie app/page.ts.",

  files: {
    made: "{file} escrito.",
    updated: "{file} atualizado.",
    fresh: "{file} está em dia.",
    kept: "{file} é seu e ficou como está.",
    changed: "{file} alterado.",
  },

  uiOutside: `Não é possível escrever em {folder}: é um link que leva para fora do projeto. Ponha
    uma pasta no lugar.`,
  uiEdited: `Aviso: {file} foi editado e ficou como está. Passe as alterações para um ficheiro seu,
    depois execute \`deno task ui --force\`.`,
  uiBrandSyntax: '"{color}" não é uma cor: use seis dígitos, como em --brand "#2563eb".',
  uiBrandTheme:
    "Não é possível pôr a cor em {file}: faltam os blocos :root e .dark com cores oklch().",
  uiNext: `Agora: ponha ui.head(c) no head de app/layout.ts, e ui.body() e ui.flashes(c) no
    body,
com \`import * as ui from "@fw/fw/ui";\`. As cores estão em public/ui.theme.css.
O
    public/style.css inicial fica abaixo do kit e pode ficar.`,

  newBadName: `"{name}" não serve como nome de projeto: use letras minúsculas, números, "-", "_"
    ou ".", a começar por letra ou número.`,
  newBadEngine: '--db "{name}" não é conhecido: use sqlite ou postgres.',
  newNotEmpty: "{folder} não está vazia. Escolha outro nome, ou esvazie a pasta antes.",
  newNotFolder: "A pasta {path} não pode ser criada: já existe um ficheiro com esse nome.",
  newMade: "Pasta {folder} criada:",
  newNext: "Agora:",
  newOpen: "depois abra http://localhost:3000 e edite app/page.ts.",
  newServer: `Defina FW_DB, aqui ou em .env, e FW_TEST_DB, só aqui, para os testes:
    postgres://user:password@127.0.0.1:5432/name`,

  agents: {
    badLanguage: 'Não é possível escrever AGENTS.md em "{language}": use --lang en ou --lang pt.',
    edited: `Aviso: {file} foi editado e não foi alterado. Passe as edições para CLAUDE.md, ou para
      um ficheiro seu que ele refira, e execute \`deno task agents --force\`.`,
  },
  check: {
    left: `{count} textos dos catálogos estão por traduzir, o primeiro aqui
      Fix: Traduza os textos que terminam em "// translate" e retire as marcas.`,
    unusedMessage: `Nenhum ficheiro usa a mensagem "{key}"
        Fix: Retire "{key}" de todas as línguas deste catálogo, ou use a mensagem.`,
    fixes: {
      E_FORMAT: "Execute `deno fmt`, ou `deno task check --fix`.",
      E_LINT: "Corrija a linha; `deno task check --fix` corrige o que o linter sabe corrigir.",
      E_TYPES: "Corrija o tipo aqui.",
    },
    fixTest: "Corrija o código ou o teste; `deno task test {file}` executa só este ficheiro.",
    links: {
      noRoute:
        `{path} não leva a nenhuma rota nem a nenhum ficheiro[[; a mais próxima é {nearest?}]]
        Fix: Corrija o link, ou escreva a página: \`deno task generate page {path}\`.`,
      noAction: `{pattern} não tem a ação "{action}"
        Fix: [[Troque "{action}" por "{nearest?}", ou ]]acrescente "{action}" às Actions de {pattern}.`,
      noMethod: `{path} não tem função para {method}
        Fix: Exporte {exported} de {file}, ou envie o formulário para outro lugar.`,
      onPage: "{element} em {page} (recebida por {test}): {detail}",
      scriptOnly: `{element} em {page} (recebida por {test}) não faz nada sem script
        Fix: Troque-o por um link com href, ou por um botão num formulário com action.`,
    },
    pagesNote: "{pages} {pages:página|páginas}",
    pagesUnseen: "nenhum teste recebeu uma página",
    noFile: "não há {file}",
    testsLoud: {
      message: "Os testes escreveram mais de 32 MiB e foram terminados.",
      fix: "Escreva menos nos testes, ou encontre o ciclo que escreve.",
    },
    stopped: "Não foi executado depois disto: {skipped}.",
  },
  generateWhat:
    `Não é possível gerar "{what}": indique um de {subjects}.[[ Queria dizer "{nearest?}"?]]`,
  generateBadUrl: '"{url}" não corresponde a uma pasta possível: {reason}',
  generateUrl: {
    slash: 'comece o caminho com "/", como em {segment}.',
    syntax: '"{segment}" não é um segmento; escreva um literal, {{nome}}, ou {{nome...}} no fim.',
    folder: `"{segment}" não pode fazer parte de um URL: use letras, dígitos e "-._~@+,=", sem "_"
      nem "." no início (exceto .well-known), sem "_" nem "-" no fim, e não testdata. Um parâmetro é
      {{nome}}.`,
    device: '"{segment}" é o nome de um dispositivo no Windows, onde nenhuma pasta o pode ter.',
    repeated: "o parâmetro {segment} aparece duas vezes; dê outro nome a um deles.",
    "catch-all": "{segment} fica com o resto do URL, por isso nada pode vir depois.",
  },
  generateBadMethod: `Não é possível escrever uma função para "{method}": este ficheiro aceita
    {allowed}.`,
  generateRefused: {
    exists: "{file} já existe e ficou como está. Edite o ficheiro, ou apague-o primeiro.",
    twin:
      `Não é possível escrever {file}: um nome existente só difere nas maiúsculas, que o macOS e o
      Windows ignoram. Escolha outro nome.`,
    outside:
      `Não é possível escrever {file}: um link no caminho leva para fora do projeto. Remova-o.`,
    changed:
      "{file} foi alterado enquanto o comando corria, e nada foi escrito. Execute-o de novo.",
    uncommitted: `Não é possível substituir {file}: o último commit não tem o que ele contém. Faça
      commit do ficheiro, ou mova-o para outro lugar.`,
  },
  generateWould: {
    write: "Escreveria {file}.",
    change: "Alteraria {file}.",
    remove: "Removeria {file}.",
  },
  generateNothingWritten: "Nada foi escrito (--dry-run).",
  generateConflict: "{file} já responde a {url}; nada foi escrito. Acrescente-lhe a função.",
  generateNoRoute: `Nenhuma rota responde a {url}, por isso não há o que testar. Crie-a primeiro com
    \`deno task generate page\` ou \`deno task generate route\`.`,
  generateFlagMisfit: '{flag} não se aplica a "generate {what}".',
  generateName:
    'Não é possível gerar "{name}" ({what}): use palavras minúsculas e dígitos, como {example}.',
  generateIslandHint: `Ponha-a numa página: c.island("{url}", {{ start: 1 }},
    h.button(h.type("button"), "1")).`,
  generateServeHint: `Os processos partilham o que provideStores indica em Setup: docs/scaling.md.
    Use \`docker compose -f deploy/compose.yaml up --build\`, ou \`deno serve --parallel\`.`,
  generateAuthWhat:
    "Não é possível gerar o login: indique --passwords, --passkeys ou --provider <nome> ({names}).",
  generateAuthProvider: `Não é possível gerar o login com o provedor "{name}": escolha um destes:
    {names}.[[ Queria dizer "{nearest?}"?]]`,
  generateKit: "As páginas usam os componentes de ui. Ponha-os no seu layout: {code}",
  navEntry: "Acrescente esta entrada a app/nav.ts: {code}",
  navLink: "Ponha no layout um link para {path}: {code}",
  generateAuthVars: "A produção precisa destas variáveis: {names}.",
  generateAuthMailHost:
    "Acrescente o host do serviço de e-mail a --allow-net da tarefa start; lib/mail.ts envia os e-mails.",
  generateAuthNext: {
    accounts: "A seguir: execute `deno task dev` e abra /signup; o e-mail vê-se em /_fw/dev/mail.",
    provider:
      "A seguir: dê valor a estas variáveis em .env, execute `deno task dev` e abra /login.",
  },
  generateRole: "Dê o papel a uma conta: `deno run -A scripts/set_role.ts <email> {role}`.",
  generateAuthProviderHost: `Acrescente os hosts do provedor de identidade a --allow-net da tarefa
    start. Um cliente público de OpenID deixa FW_OIDC_CLIENT_SECRET sem valor.`,
  generateEdited: `{file} é seu e não foi alterado. Acrescente estas linhas, nos seus lugares:
{lines}`,
  generateAuthTable: `{file} cria uma tabela "{table}", de que as contas precisam; nada foi
    escrito. Dê outro nome a essa tabela, ou escreva o login à mão: docs/auth.md.`,
  generateAuthBeside: {
    already: "Este login já existe; nada foi escrito.",
    foreign: `lib/accounts.ts não veio desta versão de \`generate auth\`, por isso nada foi escrito.
      Para chaves de acesso siga docs/passkeys.md e execute \`deno task ui --passkeys\`; para um
      provedor ao lado de contas siga docs/openid_connect.md#several-providers-and-passwords.`,
    none: "--users precisa de um login: passe também --passwords, --passkeys ou --provider.",
    login: "app/login/route.ts envia todos os utilizadores para o provedor; nada foi escrito. " +
      "Apague app/login/ e execute o comando de novo.",
    provider: "lib/auth.ts tem um provedor sem contas; nada foi escrito. Apague lib/auth.ts, " +
      "lib/account_messages.ts, app/login/, app/auth/, app/logout/ e app/account/, e execute o comando de novo, com --provider.",
    second: "lib/auth.ts tem outro provedor. Acrescente o segundo à mão: " +
      "docs/openid_connect.md#several-providers-and-passwords.",
  },
  generateTestSample: "O teste pede {url}: ponha ali um endereço que exista na aplicação.",
  generateTestHint: "Execute-o com `deno task test {file}`.",
  generatePublic: `{url} está aberto a todos. Para só o abrir a quem entrou, escreva {file} com
    \`import {{ {guard} }} from "@/lib/{guard}.ts";\` e \`export const Middleware = {guard}.require;\`.`,
} as const satisfies Shape<typeof en>;
