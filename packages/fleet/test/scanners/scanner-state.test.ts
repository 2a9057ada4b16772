import { describe, expect, test } from 'vitest';
import {
  type Event,
  isOn,
  type Kind,
  publicState,
  type State,
  stateAfter,
  transitions,
} from '../../src/scanners/scanner-state.js';

const kinds: readonly Kind[] = ['off', 'failed', 'idle', 'queued', 'starting', 'running', 'ending'];

/** The next state for each event, in the order of the states above; - for an impossible event. */
const expected: readonly (readonly [Event, string])[] = [
  ['portsOpened', 'off failed - - - - -'],
  ['switchedOn', 'idle idle - - - - -'],
  ['failed', 'failed failed - - failed - ending'],
  ['needed', '- - queued - - - -'],
  ['begun', '- - starting starting - - -'],
  ['started', '- - - - running - ending'],
  ['putOff', '- - - - idle - ending'],
  ['unused', '- - - - - ending -'],
  ['rested', '- - - - - - idle'],
  ['switchedOff', 'off off off off ending ending -'],
  ['ended', '- - - - - - off'],
];

/** A number shows whether the state itself has changed, and not only its name. */
interface Numbered {
  readonly kind: Kind;
  readonly number: number;
}

/** Returns the next state of an event, if it is the given one or the event changes nothing. */
function leadsTo(from: Kind, event: Event, to: Kind): Numbered | undefined {
  try {
    return stateAfter<Numbered>({ kind: from, number: 1 }, event, { kind: to, number: 2 });
  } catch {
    return undefined;
  }
}

describe.each(expected)('a scanner that is %s', (event, row) => {
  test.each(kinds.map((from, index) => [from, row.split(' ')[index]] as const))('from %s: %s', (from, to) => {
    const reached = kinds.map((next) => leadsTo(from, event, next));
    if (to === '-') {
      expect(reached).toEqual(kinds.map(() => undefined));
      return;
    }
    expect(reached.filter((state) => state?.number === 2)).toEqual([{ kind: to, number: 2 }]);
    // The state is the one of the table, or the same as before.
    for (const state of reached) if (state?.number === 1) expect([from, to]).toEqual([to, from]);
  });
});

test('the table has no other events', () => {
  expect(Object.keys(transitions)).toEqual(expected.map(([event]) => event));
});

test('what cannot happen says what came, and when', () => {
  const idle: State = { kind: 'idle', ports: undefined, poweredOnAt: 1 };
  expect(() => stateAfter<State>(idle, 'rested', idle)).toThrow(
    'a scanner that is idle does not become idle when it is rested',
  );
});

const ports = undefined;
const run = new Promise<never>(() => undefined);
const ended = Promise.resolve();

test.each<[State, string, boolean]>([
  [{ kind: 'off', ports }, 'off', false],
  [{ kind: 'failed', ports, reason: 'no', isPortTaken: false }, 'failed', false],
  [{ kind: 'idle', ports, poweredOnAt: 1 }, 'idle', true],
  [{ kind: 'queued', ports, poweredOnAt: 1, run }, 'idle', true],
  [{ kind: 'starting', ports, poweredOnAt: 1, run }, 'idle', true],
  [{ kind: 'ending', ports, isOn: true, ended }, 'idle', true],
  [{ kind: 'ending', ports, isOn: false, ended }, 'off', false],
])('%o is told as %s', (state, told, on) => {
  expect(publicState(state)).toBe(told);
  expect(isOn(state)).toBe(on);
});
