import { assertEquals } from "@std/assert";
import { isHostAllowed, listedHosts } from "../../../cli/dev/hosts.ts";

const listed = ["app.example", "*.tenant.example", "Box"];

const hosts: readonly (readonly [host: string | undefined, isAllowed: boolean])[] = [
  [undefined, true],
  ["localhost", true],
  ["LOCALHOST:3000", true],
  ["localhost.:3000", true],
  ["a.b.localhost:3000", true],
  ["127.0.0.1:3000", true],
  ["192.168.1.20", true],
  ["[::1]:3000", true],
  ["[fe80::1]", true],
  ["app.example:81", true],
  ["App.Example.", true],
  ["one.tenant.example", true],
  ["box:3000", true],
  ["tenant.example", false],
  ["a.b.tenant.example", false],
  ["evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["notlocalhost", false],
  ["app.example@evil", false],
  ["", false],
  ["a b", false],
];

for (const [host, isAllowed] of hosts) {
  Deno.test(`isHostAllowed ${JSON.stringify(host)} is ${isAllowed}`, () => {
    assertEquals(isHostAllowed(host, () => listed), isAllowed);
  });
}

const lists: readonly (readonly [value: string | undefined, env: string, hosts: string[]])[] = [
  [undefined, "", []],
  ["a, b,", "", ["a", "b"]],
  ["a", "FW_ALLOWED_HOSTS=b", ["a"]],
  ["", "FW_ALLOWED_HOSTS=b", []],
  [undefined, "X=1\nFW_ALLOWED_HOSTS=a,b # both\n", ["a", "b"]],
  [undefined, "export FW_ALLOWED_HOSTS = 'a, b'\r\n", ["a", "b"]],
  [undefined, 'FW_ALLOWED_HOSTS="*.a.example"\n', ["*.a.example"]],
  [undefined, "FW_ALLOWED_HOSTS=\nX=1\n", []],
  [undefined, "# FW_ALLOWED_HOSTS=a\n", []],
];

for (const [value, env, hosts] of lists) {
  Deno.test(`listedHosts ${JSON.stringify([value, env])} returns ${hosts}`, () => {
    assertEquals(listedHosts(value, () => env), hosts);
  });
}
