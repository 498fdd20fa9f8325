import type { Shape } from "../texts.ts";
import type { jobsEn } from "../en/jobs.ts";

export const jobsPt = {
  usage: "Diga o que fazer: list, retry <id> … ou --all, drop <id> … ou --all.",
  counts: `{waiting} à espera, {running} a correr, {dead} falhados de vez; o mais antigo espera há
    {seconds} s.`,
  states: { waiting: "à espera", running: "a correr", dead: "falhado" },
  attempt: "tentativa {number}",
  changed: { retry: "{id} volta a correr.", drop: "{id} foi eliminado." },
  missing: `O trabalho {id} não pode mudar: retry aceita os que falharam, drop os que não correm.
    Liste-os com \`fw jobs\`.`,
  badName: `Não é possível gerar "{name}" ({what}): escreva um nome de letras minúsculas, dígitos e
    _, como enviar_resumo.`,
  list: "Acrescente {job} à lista de trabalhos em {file}.",
  workTask: 'Acrescente a deno.json a tarefa "work", com as opções de start: deno run … work.ts',
  hint:
    `Ponha-o na fila com \`await enqueue(c, {job}, …)\`. Os trabalhos correm ao lado dos pedidos;
    com FW_JOBS=off no processo que serve, correm com \`deno task work\`. Experimente: \`deno task
    test {file}\`.`,
  noSignIn:
    "A página dos trabalhos precisa de uma guarda: execute antes `deno task generate auth`.",
  noJobs: "A aplicação não tem trabalhos: execute antes `deno task generate job <nome>`.",
  postgres: `Não é possível guardar trabalhos na base de dados desta aplicação, que é Postgres.
    Escreva {file} com \`openJobs\` e \`const jobs = []\` para pg-boss ou Redis, como mostra
    "Engines" em docs/jobs.md, e chame \`openJobs\` em \`Setup\`.`,
  pageHint: 'Quem tem o papel "admin" vê os trabalhos em /jobs: `deno run … scripts/set_role.ts`.',
  preview: "Em desenvolvimento {file} vê-se em /_fw/dev/mail/{name}. Envie-o com `mail(c, …)`.",
  mailEdited: "Acrescente-o aos previews de provideMail em lib/mail.ts: {name}: {view}Preview",
} as const satisfies Shape<typeof jobsEn>;
