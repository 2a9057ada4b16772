import { readFileSync } from 'node:fs';
import { dissector, filterFields, filterPages } from '@azimuth/bridge/wireshark';
import { allEndpoints } from '@azimuth/model';
import { parse } from 'luaparse';
import { expect, test } from 'vitest';

test('the dissector is a program of Lua, in the syntax that every version has', () => {
  expect(parse(dissector(), { luaVersion: '5.1' }).body.length).toBeGreaterThan(50);
  expect(() => parse(`${dissector()}\nend`, { luaVersion: '5.1' })).toThrow(/end/);
});

test('it is ASCII without long lines of code, and the same each time', () => {
  expect(dissector()).toMatch(/^[\t\n\x20-\x7e]*$/);
  expect(dissector()).toBe(dissector());
});

test('it knows every name of the interface, and every field that it shows', () => {
  const text = dissector();
  const missing = allEndpoints.filter(({ name }) => !text.includes(`\n  ${name} = {`));
  expect(missing.map(({ name }) => name)).toEqual([]);
  const declared = new Set(filterFields.map(({ name }) => name));
  const used = [...text.matchAll(/put(?:_read|_crc|_value)?\([^"\n]*"([a-z]+(?:\.[a-z_]+)+)"/g)].map(
    ([, name]) => name ?? '',
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
});

test('each field has a name of its own that Wireshark accepts, and a label', () => {
  const names = filterFields.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(name))).toEqual([]);
  expect(filterFields.filter(({ label }) => label === '')).toEqual([]);
});

test('the pages of docs are those that are generated', () => {
  const pages = Object.entries(filterPages());
  expect(pages.length).toBe(1);
  for (const [name, text] of pages) {
    expect(readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
  }
});
