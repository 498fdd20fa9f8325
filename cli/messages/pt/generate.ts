export const generatePt = {
  jobs: {
    usage:
      "Indique o que fazer: list, run <nome> [<valor>], retry <id> … ou --all, drop <id> … ou --all.",
    counts: "{waiting} à espera, {running} a correr, {dead} falhados de vez",
    oldest: "; o mais antigo espera há {seconds} s",
    states: { waiting: "à espera", running: "a correr", dead: "falhado" },
    attempt: "tentativa {number}",
    changed: {
      run: "{id} está na fila.",
      retry: "{id} volta a correr.",
      drop: "{id} foi eliminado.",
    },
    missing:
      `O trabalho {id} não pode ser alterado: run aceita os que não estão na fila, retry os que
      falharam ou foram adiados, drop os que não correm. Liste-os com \`fw jobs\`.`,
    list: "Acrescente {job} à lista de trabalhos em {file}.",
    workTask: 'Acrescente a deno.json a tarefa "work", com as opções de start: deno run … work.ts',
    hint: `Ponha-o na fila com \`await enqueue(c, {job}, …)\`, ou na agenda de jobs/mod.ts:
      \`daily("07:00", {job}, …)\`. Os trabalhos correm ao lado dos
      pedidos; com FW_JOBS=off no processo que serve, correm com \`deno task work\`. Experimente:
      \`deno task test {file}\`.`,
    noJobs: "A aplicação não tem trabalhos: execute primeiro `deno task generate job <nome>`.",
    pageHint: 'Quem tem o papel "{role}" vê os trabalhos em /jobs.',
    preview: "Em desenvolvimento {file} vê-se em /_fw/dev/mail/{name}. Envie-o com `mail(c, …)`.",
    mailEdited: "Acrescente-o aos previews de provideMail em lib/mail.ts: {name}: {view}Preview",
  },
  language: {
    tag: `Não é possível gerar a língua "{tag}": escreva a etiqueta de uma língua, e uma região
      quando importa, como fr ou pt-PT.`,
    already: "A aplicação já tem a língua {tag}; nada foi escrito.",
    left:
      `Textos a traduzir: {count}. Nos catálogos terminam em "// translate": retire as marcas, que
      \`deno task check\` conta.`,
  },
  migrate: {
    badName: `"{name}" não é nome de migração
      Fix: Use quatro dígitos e depois letras minúsculas, dígitos e _, como 0001_create_notes.sql.`,
    notFile: `"{name}" é um pipe, um socket ou um dispositivo
      Fix: Remova-o: uma migração é um ficheiro.`,
    sameNumber: `"{name}" tem o número de outra migração
      Fix: Renomeie para {next} a que ainda não está em nenhuma base de dados.`,
    unlisted: `o gen não escreve esta lista, onde faltam {names}
      Fix: Inclua-as à mão, ou substitua a primeira linha do ficheiro por: {head}`,
    gap: `"{name}" vem depois de uma lacuna: falta o número {expected}
      Fix: Renomeie para {expected}_…, ou restaure a migração que se perdeu.`,
    fault: {
      name: `o nome não é de migração
        Fix: Use quatro dígitos e depois letras minúsculas, dígitos e _.`,
      number: `no lugar dela é esperado o número {expected}
        Fix: Numere as migrações sem lacunas, cada número uma vez.`,
      empty: `a migração não tem nenhuma instrução
        Fix: Escreva uma, ou apague o ficheiro se ele nunca foi aplicado.`,
      alone: `um ficheiro com -- fw: alone tem uma só instrução
        Fix: Escreva a segunda como uma migração própria.`,
      transaction: `"{verb}" não é permitido numa migração
        Fix: Remova-a: todas as migrações que faltam são executadas numa só transação.`,
      changed: `a migração foi alterada depois de aplicada
        Fix: Restaure o ficheiro, e escreva a mudança como uma nova migração. Uma base de dados de
        desenvolvimento pode, em vez disso, ser apagada.`,
      missing: `a base de dados tem esta migração onde o projeto tem {other}
        Fix: Restaure o ficheiro com o nome e o número que ele tinha.`,
      failed: `{detail}. A base de dados não foi alterada
        Fix: Corrija a instrução, ou altere antes, no mesmo ficheiro, as linhas que ela recusa.`,
      "foreign-key": `{detail}. A base de dados não foi alterada
        Fix: Altere ou apague essas linhas na migração.`,
    },
    none: "Não há migrações: escreva uma com `deno task generate migration <nome>`.",
    memory:
      "FW_DB é :memory:, onde não há o que migrar. Indique um ficheiro: FW_DB=… ou --db <ficheiro>.",
    unusable: `Não é possível usar a base de dados {path}: {detail}.
      Fix: Verifique FW_DB, que indica a base de dados, as permissões do ficheiro, ou se o servidor corre.`,
    otherSchema: `a base de dados tem um esquema diferente do deste ficheiro
      Fix: Escreva como migração o que foi alterado à mão, ou execute deno task migrate se o ficheiro for antigo.`,
    applied: "{name} aplicada.",
    states: {
      applied: "aplicada",
      pending: "pendente",
      changed: "alterada",
      missing: "ausente",
      newer: "mais nova",
    },
    starter: `-- Escreva aqui as instruções, cada uma com ponto e vírgula no fim.
-- Depois de uma base de dados ter esta migração, não a altere: escreva a próxima.
`,
    task: "Altere a tarefa {task} de deno.json à mão: precisa de {added}.",
    move: {
      engine: "Indique o motor: fw generate database postgres.",
      already: "A aplicação já tem uma base de dados em Postgres.",
      opened:
        `FW_DB é o endereço: FW_DB=postgres://user:password@host:5432/name. Acrescente um host que não
        seja 127.0.0.1 a --allow-net da tarefa start. Cada teste cria um esquema em FW_TEST_DB.`,
      moved:
        `Leia as migrações: uma coluna das suas tabelas que guarde um Date é agora um bigint e deve ser
        timestamptz. Ponha em FW_DB o endereço de uma base de dados vazia e copie as linhas:
        deno run -A {script} data/app.sqlite "$FW_DB". Acrescente um host que não seja 127.0.0.1 a
        --allow-net da tarefa start. Cada teste cria um esquema na base de dados de FW_TEST_DB.`,
      look: 'Só o SQLite entende isto; altere-o (jobs: "Engines" de docs/jobs.md): {place}',
    },
    hint:
      `Escreva as instruções em {file} e execute \`deno task migrate\`. A aplicação também o faz.`,
  },
  resource: {
    name: {
      syntax: `Não é possível gerar o recurso "{name}": escreva um nome com letras minúsculas,
        dígitos, "-" e "_", como book-loans.`,
      reserved:
        `Não é possível gerar o recurso "{name}": o sistema, o SQLite ou o fw usa este nome.`,
      singular:
        `Não é possível gerar o recurso "{name}": não se conhece o singular. Escreva o plural, como
        events, ou indique o singular com --singular, como em \`deno task generate resource people --singular person\`.`,
    },
    field: {
      uploads: `Não é possível gerar o recurso a partir de {fields}: acrescente um campo que não
        seja imagem nem ficheiro, como title:text,required.`,
      many: "Um recurso pode ter aqui até {max} campos; escreva os demais à mão.",
      syntax: `Não é possível ler o campo "{field}": escreva nome:tipo, como {field}:text. Tipos:
        {types}.`,
      name: `Não é possível usar o nome de campo "{field}": comece por uma letra minúscula e
        continue com letras, dígitos e um _ de cada vez, como first_name.`,
      reserved: `Não é possível usar o nome de campo "{field}": linhas, formulários ou todos os
        objetos já o têm. Escolha outro, como {field}_value.`,
      twice: `A coluna "{field}" aparece duas vezes: maiúsculas não contam. Mude um nome.`,
      type: `O campo "{field}" tem o tipo desconhecido "{type}".[[ Queria dizer {field}:{guess?}?]]
        Tipos: {types}.`,
      rule: `O campo "{field}" não pode ter a regra "{rule}". As do tipo, uma vez cada: {allowed}.`,
      typeAsRule:
        'O campo "{field}" não pode ter a regra "{rule}", que é um tipo: escreva {field}:{typed}.',
      param: `O campo "{field}" não pode ter a regra "{rule}" nesta forma: escreva, por exemplo,
        {example}.`,
    },
    seed:
      "Não é possível criar {count} linhas: escreva um número inteiro de 1 a {most}, como --seed 50.",
    nothing: 'Não há migração que crie a tabela "{table}", nem nada a desfazer.',
    differs:
      `Não é possível anular: {file} difere do que este comando escreve. Indique os campos e as opções com que o gerou, ou remova os ficheiros à mão.`,
    noUndoInside:
      `--undo não remove linhas dentro de um formulário: use \`git restore .\` antes de um
      commit, ou \`git revert\` depois dele.`,
    referred:
      `Não é possível anular: há outras linhas que se referem a estas. Anule-as primeiro, com
      --undo, ou com o git se estão dentro de um formulário: {tables}`,
    removed: "{file} removido.",
    kept: "{file} fica: foi alterado; remova-o à mão.",
    keptMigration:
      `{file} fica, porque pode estar aplicada: mantenha-a, e desfaça as instruções numa
      nova migração, por exemplo com drop table.`,
    seeded: "Acrescente as linhas de exemplo: {command}",
    contradiction: `Nenhum valor passa em todas as regras do campo "{field}": procure um min acima
      do max, ou um email ou url com poucos caracteres.`,
    guard: "A aplicação tem login: use --guard só para quem entrou, ou --public para todos.",
    role:
      `Não é possível exigir o papel "{role}": indique um só, de letras, dígitos, "_", "-", "." e ":",
      como --{flag}=editor.`,
    writers: "--writers={role} é para uma aplicação com login: use também --guard ou --public.",
    publicGuard:
      "--public é para todos os clientes, --guard para quem tem sessão: use só um deles.",
    publicAudit:
      "--audit regista quem alterou uma linha, o que --public não permite saber: use --guard, ou --writers=editor.",
    noSignIn: `{what} precisa de um login: execute primeiro \`deno task generate auth\`, com
      --passwords, --passkeys ou --provider <nome>.`,
    folder: "{folder} já existe; nada foi escrito. Escolha outro nome, ou remova a pasta.",
    route: "{file} já responde a {url}; nada foi escrito. Escolha outro nome.",
    foreign: `{file} não é o que \`generate\` escreve, por isso nada foi escrito. Deixe-o na forma
      de docs/database.md, ou mova-o para outro lugar.`,
    table: '{file} já cria uma tabela "{table}"; nada foi escrito. Escolha outro nome.',
    reference: `Não é possível referir "{table}": nenhuma migração cria essa tabela com uma coluna
      de texto. Gere primeiro esse recurso.[[ Queria dizer "{nearest?}"?]]`,
    ownTable:
      `Não é possível referir "{table}" na própria tabela: gere-a sem esse campo, e acrescente
      depois a coluna numa migração e o campo à mão.`,
    inside: `--inside precisa do campo de um recurso gerado cujas linhas contêm estas, como
      invoice:ref=invoices/cascade.`,
    insideAlone:
      `--inside não aceita {what}: as linhas pertencem ao formulário de outro recurso, que tem o
      seu acesso, a sua API e o seu histórico, e não têm ficheiros. Retire-o, ou gere as linhas sem
      --inside, com páginas próprias.`,
    insideShown: "Quem vê uma linha de {url} vê também estas linhas, incluindo na sua API.",
    insideCsv: "A exportação e a importação de {url} não incluem estas linhas.",
    children: "Mostre as linhas em {page}, como último argumento de ui.detailPage: {code}",
    shown: `Os formulários mostram a todos a coluna "{title}" de cada linha de "{table}", como os
      nomes das contas. Para os esconder de estranhos, use --guard.`,
    shownRole:
      `A lista e os formulários mostram a coluna "{title}" de cada linha de "{table}" a utilizadores
      sem o papel dela. Para a esconder deles, use --guard={role}.`,
  },
} as const;
