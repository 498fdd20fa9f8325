/** Shows a list from its start when it was filtered from far below: it may be shorter now. */
document.addEventListener("fw:swap", ({ target }) => {
  if (target.id === "events" && target.getBoundingClientRect().top < 0) target.scrollIntoView();
});
