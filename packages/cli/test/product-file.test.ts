import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@azimuth/test-support/files';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { readProduct } from '../src/serve/product-file.js';
import { azimuth } from './run.js';

const example = fileURLToPath(new URL('../../../examples/product/acme-profiler.mjs', import.meta.url));

/** A file of this name and content in a new folder. */
function fileWith(name: string, text: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const small = {
  name: 'acme',
  deviceType: 'acme3xx',
  orderNumber: '1',
  realm: 'Acme',
  releases: { '5.0.0': '2.4.4' },
};

test('a product is read from an ES module and from JSON', async () => {
  const module = fileWith('acme.mjs', `export default ${JSON.stringify(small)};`);
  const json = fileWith('acme.json', JSON.stringify(small));
  expect((await readProduct(module)).name).toBe('acme');
  expect((await readProduct(json)).name).toBe('acme');
});

test('the labels of the example are read from the file beside it', async () => {
  const { labels } = await readProduct(example);
  expect(labels.get('23450001')).toEqual({ Service: 'hV7-mtq-92x' });
});

test('a missing file of labels fails the first start of a scanner, and no later one', async () => {
  const labels = fileWith('labels.csv', '12,Service,label');
  const folder = dirname(labels);
  const file = join(folder, 'a.json');
  writeFileSync(file, JSON.stringify({ ...small, labels: 'labels.csv' }));
  const first = await TestDevice.open({ product: await readProduct(file) });
  rmSync(labels);
  const product = await readProduct(file);
  expect(product.labelsMissing).toMatch(/labels: .*labels\.csv: .*no such file/i);
  await expect(TestDevice.open({ product })).rejects.toThrow('the first passwords are not known: labels: ');
  const { credentials } = first.context;
  const ofLabel = credentials.content.rest;
  await credentials.setPassword('Service', 'customer');
  const later = await first.afterPowerCut({ product });
  expect(later.context.credentials.content.rest).toEqual(credentials.content.rest);
  expect(later.context.credentials.content.rest).not.toEqual(ofLabel);
  await later.context.credentials.loadFirst();
  expect(later.context.credentials.content.rest).toEqual(ofLabel);
  await expect(later.afterPowerCut({ product, resetPasswords: true })).rejects.toThrow(
    'the first passwords are not known',
  );
  const kept = await later.afterPowerCut({ product });
  expect(kept.context.credentials.content.rest).toEqual(ofLabel);
});

test.each([
  [
    'every mistake',
    'a.json',
    JSON.stringify({ ...small, name: '', realm: 5 }),
    /: the product has mistakes\n {2}name: expected 1 to 9 characters, got 0\n {2}realm: expected a text, got 5$/,
  ],
  ['a module that fails', 'a.mjs', 'throw new Error("broken");', /: cannot be loaded: Error: broken$/],
  ['a module without a default export', 'a.mjs', 'export const name = 1;', /: has no default export$/],
  ['text that is no JSON', 'a.json', '{', /: is not JSON: /],
  [
    'a file of labels that cannot be read',
    'a.json',
    JSON.stringify({ ...small, labels: 'a.json' }),
    /line 1: expected serial,level,password/,
  ],
])('%s is told', async (_, name, text, message) => {
  await expect(readProduct(fileWith(name, text))).rejects.toThrow(message);
});

test('the reference of a product describes what it has, and not what it lacks', async () => {
  const out = temporaryFolder();
  const { exitCode, stdout } = await azimuth('reference', '--product', example, '--out', out);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${join(out, 'interface.md')}\n` });
  const page = readFileSync(join(out, 'interface.md'), 'utf8');
  expect(page).toContain('# The interface of acmeProf 5.0.1');
  expect(page).toContain(
    '### LaserPowerLimit\n\nHighest power of the laser.\n\nVariable; writable by AuthorizedClient; unit mW.',
  );
  expect(page).toContain('- Type: uint16 10..1000\n- Default: `500`');
  expect(page).toContain('### LaserMode');
  expect(page).not.toContain('EnableDetectionHistory');
  await azimuth('reference', '--product', example, '--firmware', '5.0.0', '--out', out);
  expect(readFileSync(join(out, 'interface.md'), 'utf8')).not.toContain('### LaserMode');
  const wrong = await azimuth('reference', '--product', example, '--firmware', '9.0.0', '--out', out);
  expect(wrong.stderr).toContain('--firmware: expected 5.0.0, 5.0.1 of ');
});
