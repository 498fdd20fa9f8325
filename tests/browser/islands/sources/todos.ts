import * as h from "@fw/fw/h";
import { live, store } from "@fw/fw/island";

interface Todo {
  readonly id: string;
  readonly title: string;
  readonly completed: boolean;
}

const todos = store<readonly Todo[]>("todos", []);
const filter = store("filter", "");
const savedAs = "react-todos";

// The server, which runs the module too, has no todos.
if ("document" in globalThis) {
  const readFilter = (): void => filter.set(location.hash.slice(2));
  todos.set(JSON.parse(localStorage.getItem(savedAs) ?? "[]"));
  addEventListener("hashchange", readFilter);
  readFilter();
}

function save(next: readonly Todo[]): void {
  todos.set(next);
  localStorage.setItem(savedAs, JSON.stringify(next));
}

const box = (props: Record<string, string>, ...rest: readonly h.Child[]): h.Node =>
  h.input(h.attrs({ type: "checkbox", ...props }), ...rest);

function item({ id, title, completed }: Todo, editing: string): h.Node {
  const isEditing = id === editing;
  const field = h.attrs({ class: "edit", name: "title", "aria-label": "Edit", value: title });
  return h.li(
    h.attrs({ id: `todo-${id}`, "data-testid": "todo-item" }),
    h.class(completed && "completed", isEditing && "editing"),
    h.on("dblclick", "edit", id),
    isEditing
      ? h.form(
        h.on("submit", "commit", id),
        h.input(field, h.autofocus(), h.on("blur", "commit", id), h.on("keydown", "press")),
      )
      : h.div(
        h.class("view"),
        box({ class: "toggle" }, h.checked(completed), h.on("change", "toggle", id)),
        h.label(h.data("testid", "todo-title"), title),
        h.button(h.class("destroy"), h.aria("label", "Delete"), h.on("click", "remove", id)),
      ),
  );
}

function list(shown: readonly Todo[], editing: string): h.Node {
  const left = todos.value.filter(({ completed }) => !completed).length;
  const link = ([name, label]: readonly string[]): h.Node =>
    h.li(h.a(h.href(`#/${name}`), h.class(filter.value === name && "selected"), label));
  const links = [["", "All"], ["active", "Active"], ["completed", "Completed"]];
  const count = h.attrs({ class: "todo-count", "data-testid": "todo-count" });
  return h.fragment(
    h.main(
      h.class("main"),
      box({ class: "toggle-all", id: "all" }, h.checked(!left), h.on("change", "toggleAll", left)),
      h.label(h.for("all"), "Mark all as complete"),
      h.ul(h.class("todo-list"), h.map(shown, (todo) => item(todo, editing))),
    ),
    h.footer(
      h.class("footer"),
      h.span(count, h.strong(left), ` item${left === 1 ? "" : "s"} left`),
      h.ul(h.class("filters"), h.map(links, link)),
      left < todos.value.length &&
        h.button(h.class("clear-completed"), h.on("click", "clear"), "Clear completed"),
    ),
  );
}

/** The todo list of TodoMVC, stored in the browser. */
export default live({
  view: ({ editing }: { editing: string }) => {
    const shown = todos.value.filter(({ completed }) =>
      filter.value === "" || completed === (filter.value === "completed")
    );
    const field = { class: "new-todo", name: "title", placeholder: "What needs to be done?" };
    return h.section(
      h.class("todoapp"),
      h.h1("todos"),
      h.form(h.on("submit", "add"), h.input(h.attrs(field))),
      todos.value.length > 0 && list(shown, editing),
    );
  },
  add: (_, { form }) => {
    const title = String(form.get("title")).trim();
    if (title) save([...todos.value, { id: crypto.randomUUID(), title, completed: false }]);
    return {};
  },
  toggle: (_, { value }) =>
    save(todos.value.map((all) => all.id === value ? { ...all, completed: !all.completed } : all)),
  toggleAll: (_, { value }) =>
    save(todos.value.map((all) => ({ ...all, completed: value !== "0" }))),
  remove: (_, { value }) => save(todos.value.filter(({ id }) => id !== value)),
  clear: () => save(todos.value.filter(({ completed }) => !completed)),
  edit: (_, { value }) => ({ editing: value }),
  press: (_, { key }) => key === "Escape" ? { editing: "" } : undefined,
  commit: ({ editing }, { value, form }) => {
    if (editing !== value) return;
    const title = String(form.get("title")).trim();
    save(todos.value.flatMap((all) => all.id !== value ? all : title ? { ...all, title } : []));
    return { editing: "" };
  },
});
