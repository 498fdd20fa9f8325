// deno-lint-ignore-file jsx-boolean-value jsx-button-has-type jsx-curly-braces jsx-key jsx-void-dom-elements-no-children -- what is refused must be written down
// JSX that `deno check` accepts and refuses: an unused `@ts-expect-error` fails the check.
import { assertEquals, assertThrows } from "@std/assert";
import * as h from "@fw/fw/h";

function Link(props: { readonly to: string; readonly children?: h.Child }): h.Child {
  return <a href={props.to}>{props.children}</a>;
}

const accepted: readonly [h.Node, string][] = [
  [<label for="a" class={["b", undefined]}>x</label>, '<label for="a" class="b">x</label>'],
  [<input type="date" maxlength={3} required />, '<input type="date" maxlength="3" required>'],
  [
    <p data-x={1} aria-hidden={true} hx-get="/x" />,
    '<p data-x="1" aria-hidden="true" hx-get="/x"></p>',
  ],
  [<div hidden="until-found" tabindex={-1} />, '<div hidden="until-found" tabindex="-1"></div>'],
  [<my-part any="thing">{"x"}{1}</my-part>, '<my-part any="thing">x1</my-part>'],
  [
    <math>
      <mi>x</mi>
    </math>,
    "<math><mi>x</mi></math>",
  ],
  [
    <svg viewBox="0 0 1 1">
      <circle cx={1} />
    </svg>,
    '<svg viewBox="0 0 1 1"><circle cx="1"></circle></svg>',
  ],
  [<meta property="og:title" content="x" />, '<meta property="og:title" content="x">'],
  [<p attrs={false} />, "<p></p>"],
  [<p class="a" attrs={h.class("b")} />, '<p class="a b"></p>'],
  [<p attrs={[h.class("b"), h.id("x")]} class="a" id="y" />, '<p class="b a" id="y"></p>'],
  [<p style="a" title="t" attrs={h.styleAttr("b")} />, '<p style="b" title="t"></p>'],
  [<Link to="/x">x</Link>, '<a href="/x">x</a>'],
  [<Link key="k" to="/x" />, '<a href="/x"></a>'],
  [<>{[<b key="1">x</b>, "y", null]}</>, "<b>x</b>y"],
];

for (const [index, [node, expected]] of accepted.entries()) {
  Deno.test(`JSX types accept row ${index + 1} and render it: ${expected}`, () => {
    assertEquals(h.render(node), expected);
  });
}

const refused: readonly (() => unknown)[] = [
  // @ts-expect-error -- the name is `class`
  () => <p className="a" />,
  // @ts-expect-error -- the name is `for`
  () => <label htmlFor="a" />,
  // @ts-expect-error -- beside a class too
  () => <a class="a" className="b" />,
  // @ts-expect-error -- in custom elements too
  () => <my-part className="a" />,
  // @ts-expect-error -- in custom elements too
  () => <my-part htmlFor="a" />,
  // @ts-expect-error -- in SVG too
  () => <svg className="a" />,
  // @ts-expect-error -- in MathML too
  () => <math className="a" />,
  // @ts-expect-error -- `href` is not an attribute of `p`
  () => <p href="/x" />,
  // @ts-expect-error -- a void element has no content
  () => <br>x</br>,
  // @ts-expect-error -- there is no such element
  () => <blink />,
  // @ts-expect-error -- the prop `to` is missing
  () => <Link />,
  // @ts-expect-error -- a handler takes raw code
  () => <button onclick="go()" />,
  // @ts-expect-error -- nor a function
  () => <button onclick={() => 1} />,
  // @ts-expect-error -- an object is not a child
  () => <p>{{}}</p>,
  // @ts-expect-error -- a boolean attribute takes no text
  () => <input checked="yes" />,
  // @ts-expect-error -- text is no attribute
  () => <p attrs="hidden" />,
  () => <p attrs={<b>x</b>} />,
  () => <p>{h.id("x")}</p>,
  () => <p {...h.id("x")} />,
  () => <p class="a" {...h.attrs(h.id("x"), { "data-x": 1 })} />,
];

Deno.test("JSX types refuse the expected errors above", () => {
  assertEquals(refused.length, 20);
  for (const make of refused.slice(0, 7)) assertThrows(make, TypeError, "a property of the DOM");
  assertThrows(refused[11] ?? (() => {}), TypeError, "JavaScript");
  for (const make of refused.slice(15)) assertThrows(make, TypeError, "attrs");
});
