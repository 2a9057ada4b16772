import { expect, test } from 'vitest';
import { type Placeable, placementOfScanners } from '../../src/placement/placement.js';

/** Scanners 1, 2, 3 …: `s` sends, `-` does not. The digit behind is the process that has it. */
function scanners(text: string): readonly Placeable[] {
  return text.split(' ').map(([kind, at], index) => ({
    serial: String(index + 1),
    sends: kind === 's',
    at: at === undefined ? undefined : Number(at),
  }));
}

/** Returns the processes of these scanners, in their order. */
function placed(text: string, processes: number): string {
  return [...scanners(text)]
    .map(({ serial }) => placementOfScanners(scanners(text), processes).get(serial))
    .join(' ');
}

test('scanners that are nowhere yet are apart from their neighbours, those that send by themselves', () => {
  expect(placed('- - - - -', 2)).toBe('0 1 0 1 0');
  expect(placed('s s s s - - - -', 2)).toBe('0 1 0 1 0 1 0 1');
  expect(placed('s - s - s - s -', 2)).toBe('0 0 1 1 0 0 1 1');
  // The surplus scanners of both kinds are not in the same process.
  expect(placed('s - s - s -', 2)).toBe('0 1 1 0 0 1');
  expect(placed('s', 3)).toBe('0');
});

test('nobody moves while the numbers are even', () => {
  expect(placed('s1 s1 s0 -0 -0 -1', 2)).toBe('1 1 0 0 0 1');
  expect(placed('-0 -0 -1 -1 -', 2)).toBe('0 0 1 1 0');
});

test('only those that are too many move', () => {
  expect(placed('s0 s0 s0 s0 -1 -1 -0 -1', 2)).toBe('0 0 1 1 1 1 0 0');
  expect(placed('s0 s0 s0 s1 s1 s1', 3)).toBe('0 0 2 1 1 2');
});

test('scanners of a process that no longer exists go where there is room', () => {
  expect(placed('-0 -1 -2 -0 -1 -2', 2)).toBe('0 1 0 0 1 1');
});

test.each([1, 2, 3, 7])(
  'with %d processes, numbers of each kind differ by at most one, and few move',
  (processes) => {
    for (let seed = 1; seed < 40; seed++) {
      const all = Array.from({ length: 5 + seed }, (_, index) => ({
        serial: String(index),
        sends: (index * seed) % 3 === 0,
        at: (index * index + seed) % (processes + 2),
      })).map((one) => ({ ...one, at: one.at < processes ? one.at : undefined }));
      const placement = placementOfScanners(all, processes);
      expect(placement.size).toBe(all.length);
      for (const sends of [true, false]) {
        const some = all.filter((one) => one.sends === sends);
        const count = (of: (serial: string, at?: number) => number | undefined) =>
          Array.from(
            { length: processes },
            (_, place) => some.filter(({ serial, at }) => of(serial, at) === place).length,
          );
        const after = count((serial) => placement.get(serial));
        expect(Math.max(...after) - Math.min(...after)).toBeLessThanOrEqual(1);
        // The least number that must move: those above the limits of each process.
        const floor = Math.floor(some.length / processes);
        const more = some.length - floor * processes;
        const least = count((_, at) => at)
          .sort((a, b) => b - a)
          .reduce((sum, present, rank) => sum + Math.max(0, present - floor - (rank < more ? 1 : 0)), 0);
        const moved = some.filter(({ serial, at }) => at !== undefined && placement.get(serial) !== at);
        expect(moved).toHaveLength(least);
      }
    }
  },
);
