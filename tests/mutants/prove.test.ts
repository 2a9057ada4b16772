import { casesFor, editionSubject } from '@azimuth/check';
import type { SourceMutant } from '@azimuth/check/mutants';
import { Prover } from '@azimuth/test-support/mutants/prove';
import { expect, it } from 'vitest';

const prover = new Prover();
const edition = { release: '2.4.4', variant: 'full' } as const;
const id = 'status.ok';

function proof() {
  const one = casesFor(editionSubject(edition.release, edition.variant)).find((each) => each.id === id);
  if (one === undefined) throw new Error(`there is no case ${id}`);
  return { case: one, edition };
}

function survivalOf(mutant: Omit<SourceMutant, 'kind' | 'case'>): Promise<string | undefined> {
  return prover.survival({ kind: 'source', case: id, ...mutant }, proof());
}

const envelope = 'packages/model/src/envelope.ts';

it('a scanner without a fault passes', async () => {
  expect(await prover.falseAlarm(proof())).toBeUndefined();
});

it('a fault that the case sees is killed', async () => {
  const to = "ok: { code: 1, message: 'Ok' }";
  expect(await survivalOf({ file: envelope, from: "ok: { code: 0, message: 'Ok' }", to })).toBeUndefined();
});

it('a fault that the case does not see survives, and is named with what the case said', async () => {
  expect(await survivalOf({ file: envelope, from: "message: 'Not Found'", to: "message: ''" })).toBe(
    `mutant of ${id} in ${envelope}: "message: 'Not Found'" -> "message: ''": pass`,
  );
});

it('a fault in a file that the scanner does not load survives, and that is said', async () => {
  const file = 'packages/server/src/ros2/scanner-node.ts';
  expect(await survivalOf({ file, from: 'export class ScannerNode {', to: 'export class Node {' })).toMatch(
    /: pass, and the scanner never loaded the file$/,
  );
});

it('a fault with which no scanner starts proves nothing', async () => {
  const from = 'export const statuses = {';
  await expect(survivalOf({ file: envelope, from, to: `${from} ...undeclared,` })).rejects.toThrow(
    `mutant of ${id} in ${envelope}: "${from}" -> "${from} ...undeclared,": no scanner starts with it: ReferenceError`,
  );
});

it('a fault with which a scanner never starts is named after its longest time', async () => {
  const hasty = new Prover(200);
  const from = 'const device = await openDevice(options);';
  const mutant = {
    kind: 'source',
    case: id,
    file: 'packages/server/src/scanner-service.ts',
    from,
    to: `${from} await new Promise(() => {});`,
  } as const;
  await expect(hasty.survival(mutant, proof())).rejects.toThrow(
    /^mutant of .*: Error: it has not ended within 0.2 s$/,
  );
});

it('a fault that throws in a timer is named, with what it has thrown', async () => {
  const from = 'export const statuses = {';
  const to = `setTimeout(() => {\n  throw new Error('too late');\n});\n${from}`;
  await expect(survivalOf({ file: envelope, from, to })).rejects.toThrow(
    /: thrown outside of every call: Error: too late$/,
  );
});
