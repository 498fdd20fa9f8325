/** Static text of a template that completes the scheme of a URL in a hole. */
import { scanTemplate } from "../../../html/template_scan.ts";
import { testHostile } from "../hostile.ts";

/**
 * Texts that a browser reads as a colon, or drops from a scheme, after a hole that contains
 * `javascript`.
 */
const ends: readonly string[] = [
  "&#58;alert(1)",
  "&#58alert(1)",
  "&#058;alert(1)",
  `&#${"0".repeat(40)}58;alert(1)`,
  ..."&#x3a;alert(1) &#X3A;alert(1) &#x0003Aalert(1) &colon;alert(1) &Tab;:alert(1)".split(" "),
  ..."&NewLine;:alert(1) &#9;:alert(1) &#10;&#13;:alert(1)".split(" "),
  "\t&#58;alert(1)",
  "script&#58;alert(1)",
  "scr\nipt&colon;alert(1)",
  "&#115;cript:alert(1)",
];

testHostile(
  "a template's URL",
  ends.map((end) => [JSON.stringify(end), "refused", () => {
    try {
      scanTemplate(['<a href="', `${end}">x</a>`]);
      return "taken";
    } catch (error) {
      return error instanceof TypeError ? "refused" : String(error);
    }
  }]),
);
