import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(root, 'docs', 'pictures');
const drawn = mkdtempSync(join(tmpdir(), 'azimuth-pictures-'));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'scan-pictures.mjs'), drawn]);
  return () => rmSync(drawn, { recursive: true, force: true });
});

/** Returns the sizes of a GIF file and the number of its pictures. */
function filmIn(folder: string) {
  const bytes = readFileSync(join(folder, 'driving.gif'));
  // Each picture has this block before it: the time that it is shown, and the colour that is transparent.
  const count = bytes.toString('latin1').split('\x21\xf9\x04').length - 1;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), count, bytes: bytes.length };
}

test('the pictures of scans in the docs are those that a script draws', () => {
  expect(readdirSync(drawn)).toEqual(readdirSync(pictures));
  for (const name of readdirSync(drawn).filter((file) => file.endsWith('.svg'))) {
    const [title] = /<title>.*<\/title>/.exec(readFileSync(join(drawn, name), 'utf8')) ?? [];
    expect(readFileSync(join(pictures, name), 'utf8')).toContain(title);
  }
});

test('the film of the vehicle has a picture for every second scan, and at most a megabyte', () => {
  const { bytes, ...film } = filmIn(pictures);
  expect(bytes).toBeLessThan(1_000_000);
  expect(film.count).toBeGreaterThan(40);
  expect(filmIn(drawn)).toMatchObject(film);
});
