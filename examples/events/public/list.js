/** Scrolls to the start of a list after filtering from far below, because it may now be shorter. */
document.addEventListener("fw:swap", ({ target }) => {
  if (target.id === "events" && target.getBoundingClientRect().top < 0) target.scrollIntoView();
});
