import type { SourceMutant } from '@azimuth/check/mutants';
import { plantedSource } from '@azimuth/test-support/mutants/planted-source';
import { expect, it } from 'vitest';

const file = 'packages/model/src/envelope.ts';
const from = "ok: { code: 0, message: 'Ok' }";

function plant(changes: Partial<SourceMutant>): Promise<unknown> {
  return plantedSource({ kind: 'source', case: 'status.ok', file, from, to: 'ok: { code: 1 }', ...changes });
}

it.each<[string, Partial<SourceMutant>, string]>([
  ['text that is not in the file', { from: "message: 'OK!'" }, '"from" is not in the file'],
  [
    'text that is in the file more than once',
    { from: 'message:' },
    '"from" is in the file more than once, in lines',
  ],
  ['no text', { from: '' }, '"from" is empty'],
  ['the same text', { to: from }, '"from" and "to" are the same'],
  ['text that is no program', { to: 'ok: {' }, 'the file does not parse: '],
  [
    'a name that is declared twice',
    { from: 'const levels', to: 'const statuses' },
    'the file does not parse: ',
  ],
  ['a comment', { to: `/* all is well */ ${from}` }, 'the program is the same as without it'],
  [
    'only a type',
    { from: 'isLevel(name: string)', to: 'isLevel(name: never)' },
    'the program is the same as without it',
  ],
  ['a test', { file: 'packages/check/test/mutants.test.ts' }, 'expected a .ts file in packages/*/src'],
  [
    'a way out of the sources',
    { file: 'packages/model/src/../test/x.ts' },
    'expected a .ts file in packages/*/src',
  ],
  ['a file that is not there', { file: 'packages/model/src/envelopes.ts' }, 'there is no such file'],
])('a mutant with %s is refused with its name and the reason', async (_, changes, why) => {
  const refused = await plant(changes).catch((error: Error) => `${error.name} ${error.message}`);
  expect(refused).toContain('InvalidMutant mutant of status.ok in packages/');
  expect(refused).toContain(why);
});

it('a mutant that changes what runs is compiled', async () => {
  await expect(plant({})).resolves.toMatchObject({
    file: expect.stringMatching(/model\/src\/envelope\.ts$/),
  });
});
