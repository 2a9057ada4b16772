import { EvaluationGroupType, PortType, SourceCombination } from '@azimuth/model';
import { plainPort } from '@azimuth/test-support/port-configuration';
import { describe, expect, test } from 'vitest';
import { type Wired, withNewEvaluation } from '../../src/fields/draft.js';
import { addressOf, noFields, selectionAt } from '../../src/fields/field-editor.js';
import {
  evaluationsIn,
  fieldsIn,
  isInverted,
  keyOf,
  type Wire,
  wireBetween,
  wiresIn,
  withInverted,
  withoutWire,
  withWire,
  withWireMoved,
} from '../../src/fields/wires.js';
import { judged, removalRefusal, type WiringLimits } from '../../src/fields/wiring-rules.js';

const square = [0, 1000, 2000].map((x) => ({ x, y: (x * x) / 1000 }));
const other = square.map(({ x, y }) => ({ x: x + 5000, y }));

/** Evaluations 1 and 2 with fields of their own, 3 without one; ports 1 and 2 are outputs, 3 is an input. */
function wired(): Wired {
  let definitions = noFields;
  for (const Points of [square, other, []]) {
    definitions = withNewEvaluation(definitions, { Points })?.definitions ?? definitions;
  }
  const output = { ...plainPort, PortType: PortType.OUTPUT, Name: 'Lamp' };
  const input = { ...plainPort, PortType: PortType.INPUT };
  return { definitions, ports: [output, output, ...Array.from({ length: 6 }, () => input)] };
}

const all: WiringLimits = { definable: 'all', lacksPort: () => false };
const contour = (from: number, to: number): Wire => ({ kind: 'contour', from, to });
const output = (from: number, to: number): Wire => ({ kind: 'output', from, to });
const keys = (of: Wired) => wiresIn(of).map(keyOf);

describe('lines', () => {
  test('are what evaluations watch, and what outputs follow', () => {
    expect(keys(wired())).toEqual(['contour-1-1', 'contour-2-2']);
    const drawn = withWire(wired(), output(2, 1));
    expect(keys(drawn)).toEqual(['contour-1-1', 'contour-2-2', 'output-2-1']);
    expect(keys(withoutWire(drawn, output(2, 1)))).toEqual(keys(wired()));
  });

  test('lead from one field to several evaluations, which watch the same contour', () => {
    const shared = withWire(wired(), contour(1, 3));
    expect(keys(shared)).toEqual(['contour-1-1', 'contour-1-3', 'contour-2-2']);
    expect(fieldsIn(shared)).toMatchObject([
      { id: 1, users: [1, 3] },
      { id: 2, users: [2] },
    ]);
    expect(keys(withoutWire(shared, contour(1, 3)))).toEqual(keys(wired()));
  });

  test('are moved with either end, and an inverted one stays inverted', () => {
    const inverted = withInverted(withWire(wired(), output(1, 1)), output(1, 1), true);
    const toOther = withWireMoved(inverted, output(1, 1), output(1, 2));
    expect([keys(toOther).at(-1), isInverted(toOther, output(1, 2))]).toEqual(['output-1-2', true]);
    const fromOther = withWireMoved(inverted, output(1, 1), output(2, 1));
    expect([keys(fromOther).at(-1), isInverted(fromOther, output(2, 1))]).toEqual(['output-2-1', true]);
    expect(keys(withWireMoved(wired(), contour(1, 1), contour(1, 3)))).toEqual([
      'contour-2-2',
      'contour-3-3',
    ]);
    expect(keys(withWireMoved(wired(), contour(1, 1), contour(2, 1)))).toEqual([
      'contour-1-1',
      'contour-1-2',
    ]);
  });

  test('also lead from evaluations that the scanner does not have', () => {
    const dangling = withWire(wired(), output(9, 2));
    expect(evaluationsIn(dangling).at(-1)).toEqual({ id: 9, evaluation: undefined });
  });

  test('join dots of one kind, in either order', () => {
    const from = { kind: 'output', end: 'from', id: 3 } as const;
    const to = { kind: 'output', end: 'to', id: 2 } as const;
    expect([wireBetween(from, to), wireBetween(to, from)]).toEqual([output(3, 2), output(3, 2)]);
    expect(wireBetween(from, from)).toBeUndefined();
    expect(wireBetween(from, { kind: 'contour', end: 'to', id: 2 })).toBeUndefined();
  });

  test('have an address, as ports have', () => {
    for (const selection of [
      { kind: 'wire', wire: output(3, 2) } as const,
      { kind: 'port', id: 7 } as const,
    ]) {
      expect(selectionAt(addressOf(selection))).toEqual(selection);
    }
  });
});

describe('a line is refused', () => {
  test.each([
    ['to an input', output(1, 3), /Port 3 is an input/],
    ['that is there already', contour(1, 1), /watches this field already/],
    ['to an evaluation that does not exist', contour(1, 9), /no evaluation 9/],
  ])('%s', (_, wire, reason) => {
    expect(judged(wired(), wire, all).refusal).toMatch(reason);
  });

  test('from a perpendicular distance', () => {
    const now = wired();
    const evaluations = now.definitions.evaluations.map((evaluation) => ({
      ...evaluation,
      Type: EvaluationGroupType.PERPENDICULAR_DISTANCE,
    }));
    const distances = { ...now, definitions: { ...now.definitions, evaluations } };
    expect(judged(distances, output(1, 1), all).refusal).toMatch(/switches no output/);
  });

  test('if a port follows as much as it can', () => {
    const source = { Name: 'SC01', Invert: false, Reserved5: 0, Reserved6: 0 };
    const now = wired();
    const ports = now.ports?.map((port) => ({
      ...port,
      OutputSettings: { ...port.OutputSettings, Sources: Array.from({ length: 128 }, () => source) },
    }));
    expect(judged({ ...now, ports }, output(1, 1), all).refusal).toMatch(/128/);
  });

  test('if the scanner lets nobody change contours', () => {
    expect(judged(wired(), contour(1, 3), { ...all, definable: 'nothing' }).refusal).toMatch(/no client/);
    expect(removalRefusal(contour(1, 1), { ...all, definable: 'contours' })).toMatch(/not clear it/);
    expect(removalRefusal(output(1, 1), { ...all, definable: 'nothing' })).toBeUndefined();
  });
});

describe('a caution', () => {
  test('says which field is replaced', () => {
    expect(judged(wired(), contour(1, 3), all).cautions).toEqual([]);
    expect(judged(wired(), contour(1, 2), all).cautions.join()).toMatch(/takes the place/);
  });

  test('says what else an output follows, and that its plug lacks it', () => {
    const now = wired();
    const ports = now.ports?.map((port) => ({
      ...port,
      OutputSettings: {
        ...port.OutputSettings,
        Combination: SourceCombination.OR,
        Sources: [{ Name: 'DRDY', Invert: false, Reserved5: 0, Reserved6: 0 }],
      },
    }));
    const { cautions } = judged({ ...now, ports }, output(1, 2), { ...all, lacksPort: () => true });
    expect(cautions).toEqual([
      'The plug of this scanner has no port 2.',
      'Port 2 is active, too, while the scanner is ready.',
    ]);
  });

  test('says that an evaluation is never active', () => {
    const now = wired();
    const { cautions } = judged(
      { ...now, definitions: { ...now.definitions, groups: [] } },
      output(1, 1),
      all,
    );
    expect(cautions.join()).toMatch(/in no group/);
  });
});
