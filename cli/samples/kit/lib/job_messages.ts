import { catalog } from "@fw/fw/i18n";

/** The texts of the page of the jobs. */
export const jobMessages = catalog({
  en: {
    title: "Jobs",
    waiting: "Waiting",
    running: "Running",
    dead: "Failed for good",
    oldest: "Overdue, seconds",
    none: "No job failed for good.",
    job: "Job",
    attempts: "Attempts",
    error: "Error",
    change: "Change",
    retry: "Run again",
    drop: "Delete",
    changed: "The job was changed.",
    gone: "This job runs, or is gone.",
  },
  pt: {
    title: "Trabalhos",
    waiting: "À espera",
    running: "A correr",
    dead: "Falhados de vez",
    oldest: "Atraso, segundos",
    none: "Nenhum trabalho falhou de vez.",
    job: "Trabalho",
    attempts: "Tentativas",
    error: "Erro",
    change: "Alterar",
    retry: "Correr de novo",
    drop: "Apagar",
    changed: "O trabalho foi alterado.",
    gone: "Este trabalho está a correr, ou já não existe.",
  },
});
