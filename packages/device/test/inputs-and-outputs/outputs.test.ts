import { OutputMode, OutputRestart, PortLogic, PortType, SourceCombination } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import {
  high,
  low,
  PortsBench,
  type Settings,
  tristate,
} from '../../../../tests/support/ports-test-bench.js';

const { INPUT, OUTPUT } = PortType;
const { PNP, NPN, PUSH_PULL } = OutputMode;
const { ACTIVE_HIGH, ACTIVE_LOW } = PortLogic;
const { AND, OR, XOR } = SourceCombination;
const { RESTART_TIME, RESTART_INPUT, RESTART_IMMEDATE } = OutputRestart;

function output(
  Sources: Settings['Sources'] = [],
  OutputSettings: Settings['OutputSettings'] = {},
): Settings {
  return { PortType: OUTPUT, OutputSettings, Sources };
}

/** Is the output of a port active? */
function isActive(bench: PortsBench, port: number): boolean {
  return bench.state(port) === 1;
}

describe('an output', () => {
  test.each(['DRDY', 'CWRN', 'CERR', 'TALM', 'FE01', 'FE48', 'IN01', 'IN08', 'SC02'])(
    'follows %s',
    (code) => {
      const bench = new PortsBench({ 2: output([code]) });
      const turn = (on: boolean) => {
        if (code.startsWith('IN')) {
          bench.ports.setLevel(Number(code.slice(2)), on);
          bench.clock.advance(10);
        } else if (code.startsWith('SC')) bench.ports.setOutput(2, on ? 1 : 0);
        else bench.signal(...(on ? [code] : []));
        return isActive(bench, 2);
      };
      expect([isActive(bench, 2), turn(true), turn(false), turn(true)]).toEqual([false, true, false, true]);
    },
  );

  test('follows nothing but its sources', () => {
    const bench = new PortsBench({ 2: output(['FE07']), 3: output([]), 4: output(['    ', '    ']) });
    bench.signal('FE08', 'DRDY', 'CERR', 'CWRN', 'TALM');
    expect([2, 3, 4].map((port) => bench.state(port))).toEqual([0, 0, 0]);
  });

  test('ignores four blanks, turned round or not', () => {
    const bench = new PortsBench({
      2: output(['DRDY', '    '], { Combination: AND }),
      3: output([{ not: '    ' }]),
    });
    bench.signal('DRDY');
    expect([isActive(bench, 2), isActive(bench, 3)]).toEqual([true, false]);
  });

  test.each(['ROTS', 'SCLK'])('sees %s as it is between two pulses', (code) => {
    const bench = new PortsBench({ 2: output([code]), 3: output([{ not: code }]) });
    bench.clock.advance(10_000);
    expect([isActive(bench, 2), isActive(bench, 3)]).toEqual([false, true]);
  });

  test('turns a source round with Invert', () => {
    const bench = new PortsBench({ 2: output([{ not: 'DRDY' }]) });
    expect(isActive(bench, 2)).toBe(true);
    bench.signal('DRDY');
    expect(isActive(bench, 2)).toBe(false);
  });

  test.each([
    ['AND', AND, [false, false, false, true]],
    ['OR', OR, [false, true, true, true]],
    ['XOR', XOR, [false, true, false, true]],
  ])('combines three sources by %s, with none to all of them active', (_, Combination, expected) => {
    const bench = new PortsBench({ 2: output(['FE01', 'FE02', 'FE03'], { Combination }) });
    const codes = ['FE01', 'FE02', 'FE03'];
    const seen = [0, 1, 2, 3].map((count) => {
      bench.signal(...codes.slice(0, count));
      return isActive(bench, 2);
    });
    expect(seen).toEqual(expected);
  });

  test.each([
    ['AND', AND],
    ['XOR', XOR],
  ])('is inactive by %s without a source', (_, Combination) => {
    expect(isActive(new PortsBench({ 2: output([], { Combination }) }), 2)).toBe(false);
  });

  test.each([
    ['PNP', PNP, ACTIVE_HIGH, tristate, high],
    ['NPN', NPN, ACTIVE_HIGH, tristate, low],
    ['PUSH_PULL', PUSH_PULL, ACTIVE_HIGH, low, high],
    ['PNP, ACTIVE_LOW', PNP, ACTIVE_LOW, high, tristate],
    ['NPN, ACTIVE_LOW', NPN, ACTIVE_LOW, low, tristate],
    ['PUSH_PULL, ACTIVE_LOW', PUSH_PULL, ACTIVE_LOW, high, low],
  ])('has its levels by %s', (_, mode, Logic, inactive, active) => {
    const bench = new PortsBench({ 2: output(['DRDY'], { OutputMode: mode, Logic }) });
    expect([bench.level(2), bench.state(2)]).toEqual([inactive, 0]);
    bench.signal('DRDY');
    expect([bench.level(2), bench.state(2), bench.inputLevel(2)]).toEqual([active, 1, tristate]);
  });

  test('is not disturbed by what drives its port', () => {
    const bench = new PortsBench({ 2: output(['IN02']), 3: output(['IN02']) });
    bench.ports.setLevel(2, true);
    bench.clock.advance(1000);
    // Port 2 is no input, so that IN02 is inactive, and no output can follow itself.
    expect([isActive(bench, 2), isActive(bench, 3)]).toEqual([false, false]);
  });

  test('counts how often it becomes active, until that is set back', () => {
    const bench = new PortsBench({ 1: { PortType: INPUT }, 2: output(['DRDY']) });
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    for (const codes of [['DRDY'], [], ['DRDY'], ['DRDY'], []]) bench.signal(...codes);
    expect([bench.switched(2), bench.counter(2)]).toEqual([2, 2]);
    bench.announced.length = 0;
    bench.ports.resetOutputCounters();
    expect([bench.switched(2), bench.counter(2), bench.counter(1)]).toEqual([0, 0, 1]);
    expect(bench.announced).toEqual([['OutputState', 'PortState']]);
    bench.ports.resetOutputCounters();
    expect(bench.announced).toHaveLength(1);
    bench.signal('DRDY');
    expect(bench.switched(2)).toBe(1);
  });

  test('counts from zero after a boot, and what it finds then', () => {
    const bench = new PortsBench({ 2: output(['DRDY']), 3: output(['SC03']) });
    bench.signal('DRDY');
    bench.signal();
    bench.signal('DRDY');
    bench.ports.setOutput(3, 1);
    bench.boot();
    expect([bench.switched(2), isActive(bench, 2)]).toEqual([1, true]);
    // What SetOutput has switched is forgotten.
    expect([bench.switched(3), isActive(bench, 3)]).toEqual([0, false]);
  });

  test('follows another configuration at once, and keeps its count', () => {
    const bench = new PortsBench({ 2: output(['DRDY']) });
    bench.signal('DRDY');
    bench.configure({ 2: output(['TALM'], { OutputMode: PUSH_PULL }) });
    expect([bench.level(2), bench.switched(2)]).toEqual([low, 1]);
    bench.configure({});
    expect([bench.level(2), bench.switched(2), bench.counter(2)]).toEqual([tristate, 0, 0]);
  });
});

describe('the restart of an output', () => {
  test('RESTART_IMMEDATE lets go at once', () => {
    const bench = new PortsBench({
      2: output(['FE01'], { RestartType: RESTART_IMMEDATE, RestartTime: 500 }),
    });
    bench.signal('FE01');
    bench.signal();
    expect(isActive(bench, 2)).toBe(false);
  });

  test('RESTART_TIME lets go when the sources have been inactive for so long, without a break', () => {
    const bench = new PortsBench({ 2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime: 500 }) });
    bench.signal('FE01');
    bench.clock.advance(2000);
    bench.signal();
    bench.clock.advance(400);
    bench.signal('FE01');
    bench.clock.advance(10);
    bench.signal();
    bench.clock.advance(499.5);
    expect(isActive(bench, 2)).toBe(true);
    bench.clock.advance(0.5);
    expect([isActive(bench, 2), bench.switched(2)]).toEqual([false, 1]);
  });

  test('RESTART_TIME has a lamp shine for two seconds after every infringement, as in docs/ports.md', () => {
    const bench = new PortsBench({ 2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime: 2000 }) });
    const seen = [[1000, 'FE01'], [1500], [100, 'FE01'], [1999], [1]].map(([milliseconds, ...codes]) => {
      bench.signal(...codes.map(String));
      bench.clock.advance(Number(milliseconds));
      return bench.level(2);
    });
    expect([seen, bench.switched(2)]).toEqual([[high, high, high, high, tristate], 1]);
  });

  test('RESTART_TIME takes a new time for one that has run from the beginning', () => {
    const settings = (RestartTime: number) => ({
      2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime }),
    });
    const bench = new PortsBench(settings(600_000));
    bench.signal('FE01');
    bench.signal();
    bench.clock.advance(1000);
    bench.configure(settings(1500));
    bench.clock.advance(499);
    expect(isActive(bench, 2)).toBe(true);
    bench.clock.advance(1);
    expect(isActive(bench, 2)).toBe(false);
  });

  test('RESTART_INPUT lets go when its input becomes active while the sources are inactive', () => {
    const bench = new PortsBench({
      2: output(['FE01'], { RestartType: RESTART_INPUT, RestartInput: 7 }),
    });
    const press = (port: number) => {
      bench.ports.setLevel(port, true);
      bench.clock.advance(10);
      bench.ports.setLevel(port, false);
      bench.clock.advance(10);
      return isActive(bench, 2);
    };
    bench.signal('FE01');
    expect(press(7)).toBe(true);
    bench.signal();
    bench.clock.advance(1_000_000);
    expect(isActive(bench, 2)).toBe(true);
    expect(press(6)).toBe(true);
    expect(press(7)).toBe(false);
  });

  test('RESTART_INPUT is not content with an input that is active already', () => {
    const bench = new PortsBench({
      2: output(['FE01'], { RestartType: RESTART_INPUT, RestartInput: 7 }),
    });
    bench.ports.setLevel(7, true);
    bench.clock.advance(10);
    bench.signal('FE01');
    bench.signal();
    expect(isActive(bench, 2)).toBe(true);
  });

  test('RESTART_INPUT takes an input that lets the source go and restarts in one', () => {
    const bench = new PortsBench({
      2: output([{ not: 'IN07' }], { RestartType: RESTART_INPUT, RestartInput: 7 }),
    });
    expect(isActive(bench, 2)).toBe(true);
    bench.ports.setLevel(7, true);
    bench.clock.advance(10);
    expect(isActive(bench, 2)).toBe(false);
  });

  test('another restart holds for an output that waits already', () => {
    const bench = new PortsBench({ 2: output(['FE01'], { RestartType: RESTART_INPUT }) });
    bench.signal('FE01');
    bench.signal();
    bench.configure({ 2: output(['FE01'], { RestartType: RESTART_IMMEDATE }) });
    expect(isActive(bench, 2)).toBe(false);
  });
});

describe('SetOutput', () => {
  test.each([
    ['an output with its own SCxx', 2, 1, true],
    ['a value of 0', 2, 0, true],
    ['a value of 2', 2, 2, false],
    ['an output without SCxx', 3, 1, false],
    ['an output with the SCxx of another one', 4, 1, false],
    ['an input', 1, 1, false],
    ['port 0', 0, 1, false],
    ['port 9', 9, 1, false],
    ['port 255', 255, 1, false],
  ])('answers for %s', (_, port, value, success) => {
    const bench = new PortsBench({
      2: output(['SC02', 'FE01']),
      3: output(['DRDY']),
      4: output(['SC02']),
    });
    expect(bench.ports.setOutput(port, value)).toBe(success);
    expect(bench.announced).toEqual(success && value === 1 ? [['OutputState', 'PortState']] : []);
  });

  test('switches every output that follows its SCxx', () => {
    const bench = new PortsBench({ 2: output(['SC02']), 4: output(['SC02', 'DRDY'], { Combination: AND }) });
    bench.signal('DRDY');
    bench.ports.setOutput(2, 1);
    expect([isActive(bench, 2), isActive(bench, 4)]).toEqual([true, true]);
    bench.ports.setOutput(2, 0);
    expect([isActive(bench, 2), isActive(bench, 4)]).toEqual([false, false]);
  });

  test('is forgotten by an output that follows it no more', () => {
    const bench = new PortsBench({ 2: output(['SC02']) });
    bench.ports.setOutput(2, 1);
    bench.configure({ 2: output(['DRDY']) });
    bench.configure({ 2: output(['SC02']) });
    expect(isActive(bench, 2)).toBe(false);
    bench.ports.setOutput(2, 1);
    bench.configure({});
    bench.configure({ 2: output(['SC02']) });
    expect(isActive(bench, 2)).toBe(false);
  });
});
