import type { Shape } from "../texts.ts";
import type { migrateEn } from "../en/migrate.ts";

export const migratePt = {
  badName: `"{name}" não é nome de migração
    Fix: Use quatro dígitos e depois letras minúsculas, dígitos e _, como 0001_create_notes.sql.`,
  notFile: `"{name}" é um pipe, um socket ou um dispositivo
    Fix: Remova-o: uma migração é um ficheiro.`,
  sameNumber: `"{name}" tem o número de outra migração
    Fix: Renomeie para {next} a que ainda não está em nenhuma base de dados.`,
  gap: `"{name}" vem depois de uma lacuna: falta o número {expected}
    Fix: Renomeie para {expected}_…, a não ser que uma migração se tenha perdido: nesse caso,
    restaure-a.`,
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
      Fix: Remova: todas as migrações que faltam são executadas numa só transação.`,
    changed: `a migração foi alterada depois de aplicada
      Fix: Restaure o ficheiro, e escreva a mudança como uma nova migração. Uma base de dados de
      desenvolvimento pode, em vez disso, ser apagada.`,
    missing: `a base de dados tem esta migração onde o projeto tem {other}
      Fix: Restaure o ficheiro com o nome e o número que ele tinha.`,
    failed: `{detail}. A base de dados não foi alterada
      Fix: Corrija a instrução e execute outra vez.`,
    "foreign-key": `{detail}. A base de dados não foi alterada
      Fix: Altere ou apague essas linhas na migração.`,
  },
  none: "Não há migrações: escreva uma com `deno task generate migration <nome>`.",
  memory:
    "FW_DB é :memory:, onde não há o que migrar. Indique um ficheiro: FW_DB=… ou --db <ficheiro>.",
  unusable: "Não é possível usar a base de dados {path}: {detail}.",
  staleSchema: `as migrações mudaram desde que este ficheiro foi escrito
    Fix: Execute deno task migrate e inclua o ficheiro no commit.`,
  otherSchema: `a base de dados tem um esquema diferente do deste ficheiro
    Fix: Escreva como migração o que foi alterado à mão, ou execute deno task migrate se o ficheiro é antigo.`,
  applied: "{name} aplicada.",
  fresh: "{path} está em dia.",
  states: {
    applied: "aplicada",
    pending: "pendente",
    changed: "alterada",
    missing: "ausente",
    newer: "mais nova",
  },
  badArgument: `Não é possível gerar a migração "{name}": escreva um nome de letras minúsculas,
    dígitos e _, como add_place_to_events.`,
  starter:
    `-- {name}: escreva aqui as instruções, cada uma com ponto e vírgula no fim. Depois de uma base de
-- dados ter esta migração, não a altere: escreva a próxima.
`,
  task: {
    start: 'Acrescente "data" a --allow-read e --allow-write da tarefa start: a base de dados é ' +
      "data/app.sqlite.",
    test: "Defina FW_DB=:memory: na tarefa test: assim os testes dispensam base de dados.",
    migrate: 'Acrescente a tarefa "migrate" a deno.json: {command}',
  },
  move: {
    engine: "Indique o motor: fw generate database postgres.",
    already: "A aplicação já tem uma base de dados em Postgres.",
    opened:
      `FW_DB é o endereço: FW_DB=postgres://user:password@host:5432/name. Um anfitrião que não seja
      esta máquina vai em --allow-net da tarefa start. Cada teste faz um esquema em FW_TEST_DB.`,
    moved:
      `Leia as migrações, ponha em FW_DB o endereço de uma base de dados vazia e copie as linhas:
      deno run -A {script} data/app.sqlite "$FW_DB". Um anfitrião que não seja esta máquina vai em
      --allow-net da tarefa start. Cada teste faz um esquema na base de dados de FW_TEST_DB.`,
    look: "Só o SQLite entende isto, altere: {place}",
  },
  hint: `Escreva as instruções em {file} e execute \`deno task migrate\`. A aplicação faz o mesmo
    quando inicia.`,
} as const satisfies Shape<typeof migrateEn>;
