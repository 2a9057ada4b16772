import { EncoderPort, InputSensitivity, PortLogic, PortType } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { CountingClock } from '../../../../tests/support/clocks.js';
import { high, low, PortsBench, tristate } from '../../../../tests/support/ports-test-bench.js';

const { ACTIVE_HIGH, ACTIVE_LOW } = PortLogic;
const { EDGE, LEVEL } = InputSensitivity;
const { INPUT, OUTPUT, ENCODER } = PortType;
const inputNotActive = 4;
const inputActive = 3;

describe('an input', () => {
  test('is low where nothing drives it', () => {
    const bench = new PortsBench();
    expect([bench.inputLevel(1), bench.state(1), bench.ports.isActive(1)]).toEqual([
      low,
      inputNotActive,
      false,
    ]);
  });

  test.each([
    [1, 1],
    [10, 10],
    [1000, 1000],
  ])('with a debounce of %d ms takes a level that has lasted that long', (Debounce, milliseconds) => {
    const bench = new PortsBench({ 3: { InputSettings: { Debounce } } });
    bench.ports.setLevel(3, true);
    bench.clock.advance(milliseconds - 0.25);
    expect([bench.inputLevel(3), bench.ports.isActive(3)]).toEqual([low, false]);
    bench.clock.advance(0.25);
    expect([bench.inputLevel(3), bench.ports.isActive(3)]).toEqual([high, true]);
    bench.ports.setLevel(3, false);
    bench.clock.advance(milliseconds - 0.25);
    expect(bench.ports.isActive(3)).toBe(true);
    bench.clock.advance(0.25);
    expect(bench.ports.isActive(3)).toBe(false);
  });

  test('begins to wait anew with every bounce', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Debounce: 10 } } });
    for (const level of [true, false, true, false, true]) {
      bench.ports.setLevel(1, level);
      bench.clock.advance(9);
    }
    expect([bench.ports.isActive(1), bench.counter(1), bench.announced]).toEqual([false, 0, []]);
    bench.clock.advance(1);
    expect([bench.ports.isActive(1), bench.counter(1)]).toEqual([true, 1]);
  });

  test('takes a level that is set again for the same one', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Debounce: 10 } } });
    bench.ports.setLevel(1, true);
    bench.clock.advance(6);
    bench.ports.setLevel(1, true);
    bench.clock.advance(4);
    expect(bench.ports.isActive(1)).toBe(true);
  });

  test('counts how often it becomes active', () => {
    const bench = new PortsBench();
    for (const level of [true, false, true, false, true, false]) {
      bench.ports.setLevel(2, level);
      bench.clock.advance(10);
    }
    expect([bench.counter(2), bench.counter(1)]).toEqual([3, 0]);
  });

  test('is active while low with ACTIVE_LOW, and tells its level all the same', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Logic: ACTIVE_LOW, Sensitivity: LEVEL } } });
    expect([bench.inputLevel(1), bench.state(1)]).toEqual([low, inputActive]);
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    expect([bench.inputLevel(1), bench.state(1)]).toEqual([high, inputNotActive]);
  });

  test.each([
    ['EDGE', false, EDGE, 0],
    ['LEVEL', true, LEVEL, 1],
  ])('with %s takes a level that is there at boot for active: %s', (_, active, Sensitivity, counted) => {
    const bench = new PortsBench({ 1: { InputSettings: { Sensitivity } } });
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    bench.boot();
    expect([bench.inputLevel(1), bench.ports.isActive(1), bench.counter(1)]).toEqual([high, active, counted]);
    bench.ports.setLevel(1, false);
    bench.clock.advance(10);
    expect(bench.ports.isActive(1)).toBe(false);
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    expect([bench.ports.isActive(1), bench.counter(1)]).toEqual([true, counted + 1]);
  });

  test.each([
    ['EDGE', false, EDGE],
    ['LEVEL', true, LEVEL],
  ])('with %s takes a level for active when another logic makes it so: %s', (_, active, Sensitivity) => {
    const bench = new PortsBench({ 1: { InputSettings: { Logic: ACTIVE_HIGH, Sensitivity } } });
    bench.configure({ 1: { InputSettings: { Logic: ACTIVE_LOW, Sensitivity } } });
    expect(bench.ports.isActive(1)).toBe(active);
  });

  test('is active by an edge no more when LEVEL becomes EDGE, and by its level when EDGE becomes LEVEL', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    bench.configure({ 1: { InputSettings: { Sensitivity: EDGE } } });
    expect(bench.ports.isActive(1)).toBe(false);
    bench.configure({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    expect(bench.ports.isActive(1)).toBe(true);
  });

  test('keeps its state and its waiting when something else is configured', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Sensitivity: EDGE } } });
    bench.ports.setLevel(1, true);
    bench.ports.setLevel(2, true);
    bench.clock.advance(10);
    bench.ports.setLevel(2, false);
    bench.clock.advance(6);
    bench.configure({ 1: { Name: 'Gate 3', InputSettings: { Debounce: 500 } }, 4: { PortType: OUTPUT } });
    expect([bench.ports.isActive(1), bench.ports.isActive(2)]).toEqual([true, true]);
    bench.clock.advance(4);
    expect([bench.ports.isActive(1), bench.ports.isActive(2), bench.counter(1)]).toEqual([true, false, 1]);
  });

  test.each([
    [4, 0, true],
    [8, 2, true],
    [8, 1.5, false],
  ])('waits for %d ms in all when that is the new debounce', (Debounce, more, active) => {
    const bench = new PortsBench({ 1: { InputSettings: { Debounce: 100 } } });
    bench.ports.setLevel(1, true);
    bench.clock.advance(6);
    bench.configure({ 1: { InputSettings: { Debounce } } });
    bench.clock.advance(more);
    expect(bench.ports.isActive(1)).toBe(active);
  });

  test('tells who listens, with all levels of the same moment', () => {
    const bench = new PortsBench();
    const heard: unknown[] = [];
    const stop = bench.ports.onInput((port, active) =>
      heard.push([port, active, bench.ports.isActive(1), bench.ports.isActive(2)]),
    );
    bench.ports.setLevel(1, true);
    bench.ports.setLevel(2, true);
    bench.clock.advance(10);
    bench.ports.setLevel(1, false);
    bench.clock.advance(10);
    expect(heard).toEqual([
      [1, true, true, true],
      [2, true, true, true],
      [1, false, false, true],
    ]);
    stop();
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    expect(heard).toHaveLength(3);
  });

  test('tells who listens that it is active no more when it becomes an output', () => {
    const bench = new PortsBench({ 1: { PortType: INPUT } });
    const heard: unknown[] = [];
    bench.ports.onInput((port, active) => heard.push([port, active]));
    bench.ports.setLevel(1, true);
    bench.clock.advance(10);
    bench.configure({ 1: { PortType: OUTPUT } });
    expect([heard, bench.ports.isActive(1), bench.counter(1)]).toEqual([
      [
        [1, true],
        [1, false],
      ],
      false,
      0,
    ]);
  });

  test('takes a level that a listener sets', () => {
    const bench = new PortsBench();
    bench.ports.onInput((port, active) => {
      if (port === 1) bench.ports.setLevel(2, active);
    });
    bench.ports.setLevel(1, true);
    bench.clock.advance(20);
    expect(bench.ports.isActive(2)).toBe(true);
  });

  test('does nothing while the scanner is down, and finds the level that it was driven to', () => {
    const bench = new PortsBench({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    bench.ports.setLevel(1, true);
    bench.ports.down();
    bench.clock.advance(100);
    bench.ports.setLevel(2, true);
    bench.ports.update();
    bench.configure({
      1: { InputSettings: { Sensitivity: LEVEL } },
      2: { InputSettings: { Sensitivity: LEVEL } },
    });
    expect(bench.announced).toEqual([['PortConfiguration']]);
    bench.ports.boot();
    expect([bench.ports.isActive(1), bench.ports.isActive(2)]).toEqual([true, true]);
  });

  test('needs a timer only while a level has to last, and none when the scanner is down', () => {
    const clock = new CountingClock();
    const bench = new PortsBench({ 1: { InputSettings: { Debounce: 30 } } }, clock);
    expect(clock.pending).toBe(0);
    bench.ports.setLevel(1, true);
    bench.clock.advance(5);
    bench.ports.setLevel(2, true);
    expect(clock.pending).toBe(1);
    bench.clock.advance(25);
    expect(clock.pending).toBe(0);
    bench.ports.setLevel(1, false);
    bench.ports.down();
    expect(clock.pending).toBe(0);
  });

  test.each([0, 9, 1.5, Number.NaN])('does not exist as number %d', (port) => {
    const { ports } = new PortsBench();
    expect(ports.isActive(port)).toBe(false);
    expect(() => ports.setLevel(port, true)).toThrow(new RangeError(`port ${port} is not in 1..8`));
  });
});

describe('a port', () => {
  test('shows its name, its type and what drives it', () => {
    const { ports, clock } = new PortsBench({
      1: { Name: 'Gate 3' },
      2: { PortType: OUTPUT, Name: 'Lamp', Sources: [{ not: 'DRDY' }] },
      8: { PortType: ENCODER },
    });
    ports.setLevel(1, true);
    clock.advance(5);
    const [first, second, third, ...others] = ports.overview;
    expect([first, second, third, others.at(-1)]).toEqual([
      { port: 1, name: 'Gate 3', type: 'INPUT', driven: true, active: false },
      { port: 2, name: 'Lamp', type: 'OUTPUT', driven: false, active: true },
      { port: 3, name: 'IOx', type: 'INPUT', driven: false, active: false },
      { port: 8, name: 'IOx', type: 'ENCODER', driven: false, active: false },
    ]);
  });
});

describe('an encoder port', () => {
  const aux = (EncoderPortType: 0 | 1 | 2 | 3 | 4, Logic: 0 | 1 = ACTIVE_HIGH) => ({
    PortType: ENCODER,
    EncoderPortType,
    InputSettings: { Logic },
  });

  test.each([
    ['NONE', EncoderPort.NONE, []],
    ['ENCODER_A', EncoderPort.ENCODER_A, []],
    ['ENCODER_B', EncoderPort.ENCODER_B, []],
    ['AUX1', EncoderPort.AUX1, [1, 1]],
    ['AUX2', EncoderPort.AUX2, [2, 2]],
  ])('as %s passes reference signals on, at once', (_, type, references) => {
    const bench = new PortsBench({ 5: aux(type) });
    for (const level of [true, true, false, true]) bench.ports.setLevel(5, level);
    expect(bench.references).toEqual(references);
  });

  test('takes the falling edge for the signal with ACTIVE_LOW', () => {
    const bench = new PortsBench({ 5: aux(EncoderPort.AUX1, ACTIVE_LOW) });
    bench.ports.setLevel(5, true);
    expect(bench.references).toEqual([]);
    bench.ports.setLevel(5, false);
    expect(bench.references).toEqual([1]);
  });

  test('is no input', () => {
    const bench = new PortsBench({ 5: aux(EncoderPort.AUX1) });
    bench.ports.setLevel(5, true);
    bench.clock.advance(1000);
    expect([bench.inputLevel(5), bench.level(5), bench.state(5), bench.counter(5)]).toEqual([
      tristate,
      tristate,
      2,
      0,
    ]);
    expect(bench.ports.isActive(5)).toBe(false);
  });

  test('is one as an ENCODER only, and while the scanner is up', () => {
    const bench = new PortsBench({ 5: { ...aux(EncoderPort.AUX1), PortType: INPUT } });
    bench.ports.setLevel(5, true);
    bench.configure({ 5: aux(EncoderPort.AUX1) });
    bench.ports.setLevel(5, false);
    bench.ports.down();
    bench.ports.setLevel(5, true);
    expect(bench.references).toEqual([]);
  });
});
