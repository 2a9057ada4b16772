import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiPages, uncommented } from '../scripts/api-pages.mjs';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const pages = new Map<string, string>(Object.entries(apiPages()));
const anchorsIn = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());

test.each([...pages])(
  'docs/%s is made from the comments in the sources (otherwise: npm run docs)',
  (name, text) => {
    expect(readFileSync(join(docs, name), 'utf8')).toBe(text);
  },
);

test('every name that device and server export, and every member of it, has a comment', () => {
  expect(uncommented()).toEqual([]);
});

test.each([...pages])(
  'in docs/%s no heading is there twice, and every link leads to a heading',
  (name, text) => {
    const anchors = anchorsIn(text);
    expect(anchors.length).toBeGreaterThan(10);
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = [...text.matchAll(/\]\(([\w.]*)#(\w+)\)/g)];
    expect(links.length).toBeGreaterThan(10);
    const dead = links.filter(([, page = '', anchor = '']) => {
      const target = page === '' ? text : pages.get(join(dirname(name), page));
      return !anchorsIn(target ?? '').includes(anchor);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  },
);

test.each([...pages])('in docs/%s every member and every parameter has a type', (_, text) => {
  const members = text.split('\n').filter((line) => line.startsWith('- `'));
  expect(members.length).toBeGreaterThan(50);
  const isUntyped = (member: string) => /^- `(?!new )[^`:]*`/.test(member) || /\w\?[,)]/.test(member);
  expect(members.filter(isUntyped)).toEqual([]);
});

test('the pages have what a maker looks up: units, errors and parameters', () => {
  const device = pages.get('api/device.md');
  expect(device).toContain('- `temperature?(): number`\\\n  Temperature inside the device in °C');
  expect(device).toContain('  - Throws FolderInUse if another process uses it');
  expect(device).toContain('implements [Storage](#storage)');
  expect(device).toContain('extends [Clock](#clock)');
  expect(device).toContain('- `new Scan(geometry: ScanGeometry)`');
  expect(device).not.toMatch(/private|static on\(/);
  const server = pages.get('api/server.md');
  expect(server).toContain('extends [Hardware](device.md#hardware)');
});
