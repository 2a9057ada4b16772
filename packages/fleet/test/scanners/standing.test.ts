import { expect, test } from 'vitest';
import type { ScannerState } from '../../src/scanners/scanner-state.js';
import { Standing } from '../../src/scanners/standing.js';

class Counted {
  state: ScannerState = 'off';
  place = 1;
  readonly facts: { readonly group: string };

  constructor(group: string) {
    this.facts = { group };
  }
}

/** A standing of three scanners: two of the hall, one at the gate. */
function standing() {
  const counts = new Standing<Counted>();
  const scanners = ['hall', 'hall', 'gate'].map((group) => new Counted(group));
  for (const scanner of scanners) counts.join(scanner);
  const become = (scanner: Counted | undefined, state: ScannerState) => {
    if (scanner === undefined) throw new Error('there are three');
    const before = scanner.state;
    scanner.state = state;
    counts.changed(scanner, before);
  };
  return { counts, scanners, become };
}

test('scanners are counted by group and state as they change, and those that are not idle are listed', () => {
  const { counts, scanners, become } = standing();
  const [one, two, three] = scanners;
  for (const scanner of scanners) become(scanner, 'idle');
  become(one, 'running');
  become(three, 'failed');
  expect(counts.total).toEqual({ off: 0, idle: 1, running: 1, failed: 1 });
  expect(counts.byGroup.get('hall')).toEqual({ off: 0, idle: 1, running: 1, failed: 0 });
  expect([[...counts.of('running')], [...counts.of('failed')], [...counts.of('off')]]).toEqual([
    [one],
    [three],
    [],
  ]);
  if (two !== undefined) counts.leave(two);
  expect(counts.total).toMatchObject({ idle: 0, running: 1 });
});

test('a scanner that has left, or has not joined yet, changes no count', () => {
  const { counts, scanners, become } = standing();
  const [one] = scanners;
  if (one === undefined) throw new Error('there are three');
  counts.leave(one);
  one.place = 0;
  become(one, 'running');
  expect(counts.total).toEqual({ off: 2, idle: 0, running: 0, failed: 0 });
});

test('changes are noted once somebody asks, and each is told once, unless the scanner has left', () => {
  const { counts, scanners, become } = standing();
  become(scanners[0], 'idle');
  const changes = counts.noteChanges();
  expect([...changes()]).toEqual([]);
  become(scanners[1], 'idle');
  become(scanners[1], 'running');
  expect([[...changes()], [...changes()]]).toEqual([[scanners[1]], []]);
  const [, , three] = scanners;
  become(three, 'idle');
  if (three !== undefined) counts.leave(three);
  expect([...changes()]).toEqual([]);
});
