import type { generateHelpEn } from "../en/generate_help.ts";

export const generateHelpPt: typeof generateHelpEn = {
  "generate page": `<url> [opções]
Escreve a página de uma URL, e depois fw_gen.ts.
--methods <lista>    os métodos além de Page
--bind               um esquema pelo qual as funções leem o corpo
--form               um formulário com esquema, função POST e teste
--tsx                em JSX
--tmpl               mostra um modelo ao lado dela
--force              substitui um ficheiro que existe, se o último commit tem o seu conteúdo
fw generate page /blog/{slug}`,
  "generate route": `<url> [opções]
Escreve a rota de uma URL, e depois fw_gen.ts.
--methods <lista>    os seus métodos (predefinição GET)
--bind               um esquema pelo qual as funções leem o corpo, e um teste
--force              substitui um ficheiro que existe, se o último commit tem o seu conteúdo
fw generate route /api/events --methods GET,POST --bind`,
  "generate test": `<url> [opções]
Escreve o teste de uma página ou rota que existe.
--force              substitui um ficheiro que existe, se o último commit tem o seu conteúdo
fw generate test /contacto`,
  "generate island": `<nome> [opções]
Escreve islands/<nome>.ts, código do navegador, e depois fw_gen.ts.
--force              substitui um ficheiro que existe, se o último commit tem o seu conteúdo
fw generate island contador`,
  "generate job": `<nome> [opções]
Escreve jobs/<nome>.ts, trabalho fora dos pedidos, com um teste, e acrescenta-o a jobs/mod.ts. O
primeiro traz também work.ts, a tarefa "work" (os trabalhos num processo que não serve) e a chamada
em Setup.
fw generate job enviar_resumo`,
  "generate jobs": `[opções]
Escreve uma página em /jobs para quem tem o papel "admin": quantos trabalhos esperam e correm, e os
que falharam de vez, para correr de novo ou apagar. Precisa de trabalhos e de um login.
fw generate jobs`,
  "generate mail": `<nome> [opções]
Escreve mails/<nome>.ts, um e-mail feito de nós, com um teste e uma pré-visualização, que em
desenvolvimento se vê em /_fw/dev/mail/<nome>. O primeiro traz também lib/mail.ts e a chamada em Setup.
fw generate mail boas_vindas`,
  "generate migration": `<nome> [opções]
Escreve a próxima migração da base de dados; a primeira traz também lib/database.ts.
fw generate migration add_place_to_events`,
  "generate resource": `<nomes> <campo>:<tipo>[,<regra>…] … [opções]
Escreve uma lista com pesquisa e páginas, uma página de detalhe, um formulário para criar e mudar, uma
página para apagar, o acesso à base de dados com uma migração, e um teste.
Tipos: text, long, email, url, enum, oneof=a/b/c, int, int64, float, number, money=EUR, bool, date, day,
datetime, ref=clientes (também /cascade, /null) e, para ficheiros enviados, image e file, com as regras
required, optional e max=2mb.
Regras: required, optional, unique, min=n, max=n, len=n, email, url, oneof=a/b/c, eqfield=outro.
--api                uma API em JSON ao lado das páginas, com um teste
--audit              na página de uma linha, o que mudou e por quem; e o que se elimina pode recuperar-se
--csv                a lista em CSV, e uma importação com os erros por linha
--guard              só para quem entrou: precisa de início de sessão
--public             para todos, numa aplicação com início de sessão
--singular <nome>    o nome de uma linha, quando não se deduz do plural
--seed <número>      também seeds/<nomes>.ts, que acrescenta essas linhas de exemplo
--undo               com os mesmos nomes, campos e opções: remove o que escreveu, exceto ficheiros
                     alterados desde então
fw generate resource events title:text,required seats:int,min=1`,
  "generate language": `<etiqueta> [opções]
Acrescenta uma língua: ao Config de app/setup.ts, uma rota e um formulário para mudar, e um catálogo com os
textos do layout e do 404. Use-o antes de generate page, de generate resource e de generate auth: numa
aplicação com várias línguas, escrevem os seus textos em catálogos, em inglês e português.
fw generate language pt-PT`,
  "generate serve": `[opções]
Escreve o que serve a aplicação em vários processos: serve.ts para deno serve --parallel, um Dockerfile,
e deploy/ com um ficheiro de compose, Caddy e nginx.`,
  "generate database": `<motor> [opções]
Escreve o que abre uma base de dados de Postgres. Numa aplicação com SQLite traduz as migrações, altera o
código e escreve scripts/move_rows.ts, que copia as linhas. O último commit tem de ter os ficheiros que
mudam.
fw generate database postgres`,
  "generate auth": `[opções]
Escreve um login com as suas páginas, o seu armazenamento e um teste.
--passwords          contas com palavra-passe
--passkeys           o mesmo, com chaves de acesso; depois de --passwords acrescenta-as
--provider <nome>    oidc, entra, keycloak, cognito ou clerk; também ao lado de palavras-passe
fw generate auth --provider keycloak`,
};
