import { VirtualClock } from '@azimuth/device';
import { checkedFault } from '@azimuth/model/faults';
import { expect, test } from 'vitest';
import { Occurrence } from '../../src/faults/occurrence.js';
import { faultRandomNumbers } from '../../src/random-numbers.js';

function occurrenceOf(members: object, seed = 1) {
  const clock = new VirtualClock();
  const fault = checkedFault({ kind: 'stream-loss', ...members });
  return { clock, occurrence: new Occurrence(fault, clock, faultRandomNumbers(seed, JSON.stringify(fault))) };
}

/** Returns the numbers, from 1, of the occasions at which it happens. */
function happened(occurrence: Occurrence, occasions: number): number[] {
  return Array.from({ length: occasions }, (_, index) => (occurrence.occurs() ? index + 1 : 0)).filter(
    (one) => one > 0,
  );
}

test.each([
  [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ every: 3 }, [3, 6]],
  [{ first: 2 }, [1, 2]],
  [{ after: 5 }, [6, 7, 8]],
  [{ after: 2, first: 4, every: 2 }, [4, 6]],
  [{ probability: 0 }, []],
])('%j happens at these of eight occasions: %j', (members, expected) => {
  const { occurrence } = occurrenceOf(members);
  expect(happened(occurrence, 8)).toEqual(expected);
  expect(occurrence.times).toBe(expected.length);
});

test('by time, it happens from `at` on for `for`, and again after `repeat`', () => {
  const { clock, occurrence } = occurrenceOf({ at: 100, for: 50, repeat: 200 });
  const states = Array.from({ length: 10 }, () => {
    const state = occurrence.occurs() ? occurrence.state : `no: ${occurrence.state}`;
    clock.advance(50);
    return state;
  });
  expect(states).toEqual([
    'no: planned',
    'no: planned',
    'active',
    'no: pausing',
    'no: pausing',
    'no: pausing',
    'active',
    'no: pausing',
    'no: pausing',
    'no: pausing',
  ]);
  expect(occurrence.occasions).toBe(2);
});

test('at random, it happens about as often as its probability says, and equally with an equal seed', () => {
  const of = (seed: number) => happened(occurrenceOf({ probability: 0.05 }, seed).occurrence, 10_000);
  expect(of(7)).toEqual(of(7));
  expect(of(7)).not.toEqual(of(8));
  expect(of(7).length).toBeGreaterThan(400);
  expect(of(7).length).toBeLessThan(600);
});
