import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** Each module costs the start half a millisecond: what is not needed for the first answer is loaded when it is. */
const most = 288;

/** The modules of ours that are loaded with a file: itself, and what it imports without being asked for. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:im|ex)port (?!type\b)[^;]*?from '([^']+)';/gms)) {
    const next = fileOf(from, dirname(file));
    if (next !== undefined) loadedWith(next, found);
  }
  return found;
}

/** The source behind an import; undefined for what is not ours. */
function fileOf(from: string, folder: string): string | undefined {
  if (from.startsWith('.')) return join(folder, from.replace(/\.js$/, '.ts'));
  const [, name, entry = 'index'] = /^@azimuth\/([a-z]+)(?:\/([a-z-]+))?$/.exec(from) ?? [];
  if (name === undefined) return undefined;
  return join(packages, name, 'src', entry === 'index' ? 'index.ts' : `${entry}/index.ts`);
}

/** Of `azimuth serve`: its command, and what carries it out. */
const loaded = new Set(
  ['commands/serve.ts', 'serve/serve.ts'].flatMap((file) => [...loadedWith(join(packages, 'cli/src', file))]),
);
const names = [...loaded].map((file) => relative(packages, file));

test(`azimuth serve starts with ${most} modules of ours at most`, () => {
  expect(names).toContain('device/src/device.ts');
  expect(names).toContain('server/src/application/router.ts');
  expect(names).toContain('model/src/groups/filter.ts');
  expect(names.length).toBeLessThanOrEqual(most);
});

test.each([
  ['the control port', 'server/src/control/'],
  ['what a control port commands', 'world/src/control/'],
  ['scenes', 'world/src/scene/'],
  ['what scans go through', 'device/src/measuring/processing.ts'],
  ['data reduction', 'device/src/data-reduction/'],
  ['regions of interest', 'device/src/region-of-interest/'],
  ['what looks into fields', 'device/src/sight/sight.ts'],
  ['teach-in', 'device/src/field-evaluation/teach-in.ts'],
  ['what records clouds', 'device/src/scan-merge/recording.ts'],
  ['what checks firmware', 'device/src/firmware-update/admission.ts'],
  ['file transfers', 'server/src/files/session-token.ts'],
  ['what asks for the time', 'server/src/time/'],
  ['what follows a time server', 'device/src/date-and-system-time/time-client.ts'],
])('it does so without %s', (_, folder) => {
  expect(names.filter((name) => name.startsWith(folder))).toEqual([]);
});

test('what is loaded later exists under these names', () => {
  const later = [
    'server/src/control/control-port.ts',
    'world/src/control/controls.ts',
    'device/src/measuring/processing.ts',
    'device/src/sight/sight.ts',
    'device/src/field-evaluation/teach-in.ts',
    'device/src/scan-merge/recorder-parts.ts',
    'device/src/firmware-update/admission.ts',
    'server/src/files/session-token.ts',
    'server/src/time/ask-time.ts',
    'device/src/date-and-system-time/time-client.ts',
    'world/src/scene/index.ts',
  ].flatMap((file) => [...loadedWith(join(packages, file))].map((name) => relative(packages, name)));
  expect(later).toContain('device/src/data-reduction/output-segments.ts');
  expect(later).toContain('device/src/region-of-interest/distance-filter.ts');
  expect(later).toContain('device/src/scan-merge/recording.ts');
  expect(later).toContain('world/src/scene/world.ts');
});
