import { EncoderPort, InputSensitivity, PortLogic, PortType } from '@azimuth/model';
import { CountingClock } from '@azimuth/test-support/clocks';
import { describe, expect, test } from 'vitest';
import { high, low, PortsTestDevice, tristate } from './ports-test-device.js';

const { ACTIVE_HIGH, ACTIVE_LOW } = PortLogic;
const { EDGE, LEVEL } = InputSensitivity;
const { INPUT, OUTPUT, ENCODER } = PortType;
const inputNotActive = 4;
const inputActive = 3;

describe('an input', () => {
  test('is low where nothing drives it', () => {
    const testDevice = new PortsTestDevice();
    expect([testDevice.inputLevel(1), testDevice.state(1), testDevice.ports.isActive(1)]).toEqual([
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
    const testDevice = new PortsTestDevice({ 3: { InputSettings: { Debounce } } });
    testDevice.drive(3, true);
    testDevice.clock.advance(milliseconds - 0.25);
    expect([testDevice.inputLevel(3), testDevice.ports.isActive(3)]).toEqual([low, false]);
    testDevice.clock.advance(0.25);
    expect([testDevice.inputLevel(3), testDevice.ports.isActive(3)]).toEqual([high, true]);
    testDevice.drive(3, false);
    testDevice.clock.advance(milliseconds - 0.25);
    expect(testDevice.ports.isActive(3)).toBe(true);
    testDevice.clock.advance(0.25);
    expect(testDevice.ports.isActive(3)).toBe(false);
  });

  test('begins to wait anew with every bounce', () => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Debounce: 10 } } });
    for (const level of [true, false, true, false, true]) {
      testDevice.drive(1, level);
      testDevice.clock.advance(9);
    }
    expect([testDevice.ports.isActive(1), testDevice.counter(1), testDevice.announced]).toEqual([
      false,
      0,
      [],
    ]);
    testDevice.clock.advance(1);
    expect([testDevice.ports.isActive(1), testDevice.counter(1)]).toEqual([true, 1]);
  });

  test('takes a level that is set again for the same one', () => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Debounce: 10 } } });
    testDevice.drive(1, true);
    testDevice.clock.advance(6);
    testDevice.drive(1, true);
    testDevice.clock.advance(4);
    expect(testDevice.ports.isActive(1)).toBe(true);
  });

  test('counts how often it becomes active', () => {
    const testDevice = new PortsTestDevice();
    for (const level of [true, false, true, false, true, false]) {
      testDevice.drive(2, level);
      testDevice.clock.advance(10);
    }
    expect([testDevice.counter(2), testDevice.counter(1)]).toEqual([3, 0]);
  });

  test('is active while low with ACTIVE_LOW, and its state says so', () => {
    const testDevice = new PortsTestDevice({
      1: { InputSettings: { Logic: ACTIVE_LOW, Sensitivity: LEVEL } },
    });
    expect([testDevice.inputLevel(1), testDevice.state(1)]).toEqual([high, inputActive]);
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    expect([testDevice.inputLevel(1), testDevice.state(1)]).toEqual([low, inputNotActive]);
  });

  test.each([
    ['EDGE', false, EDGE, 0],
    ['LEVEL', true, LEVEL, 1],
  ])('with %s takes a level that is there at boot for active: %s', (_, active, Sensitivity, counted) => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Sensitivity } } });
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    testDevice.boot();
    expect([testDevice.inputLevel(1), testDevice.ports.isActive(1), testDevice.counter(1)]).toEqual([
      active ? high : low,
      active,
      counted,
    ]);
    testDevice.drive(1, false);
    testDevice.clock.advance(10);
    expect(testDevice.ports.isActive(1)).toBe(false);
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    expect([testDevice.ports.isActive(1), testDevice.counter(1)]).toEqual([true, counted + 1]);
  });

  test.each([
    ['EDGE', false, EDGE],
    ['LEVEL', true, LEVEL],
  ])('with %s takes a level for active when another logic makes it so: %s', (_, active, Sensitivity) => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Logic: ACTIVE_HIGH, Sensitivity } } });
    testDevice.configure({ 1: { InputSettings: { Logic: ACTIVE_LOW, Sensitivity } } });
    expect(testDevice.ports.isActive(1)).toBe(active);
  });

  test('is active by an edge no more when LEVEL becomes EDGE, and by its level when EDGE becomes LEVEL', () => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    testDevice.configure({ 1: { InputSettings: { Sensitivity: EDGE } } });
    expect(testDevice.ports.isActive(1)).toBe(false);
    testDevice.configure({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    expect(testDevice.ports.isActive(1)).toBe(true);
  });

  test('keeps its state and its waiting when something else is configured', () => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Sensitivity: EDGE } } });
    testDevice.drive(1, true);
    testDevice.drive(2, true);
    testDevice.clock.advance(10);
    testDevice.drive(2, false);
    testDevice.clock.advance(6);
    testDevice.configure({
      1: { Name: 'Gate 3', InputSettings: { Debounce: 500 } },
      4: { PortType: OUTPUT },
    });
    expect([testDevice.ports.isActive(1), testDevice.ports.isActive(2)]).toEqual([true, true]);
    testDevice.clock.advance(4);
    expect([testDevice.ports.isActive(1), testDevice.ports.isActive(2), testDevice.counter(1)]).toEqual([
      true,
      false,
      1,
    ]);
  });

  test.each([
    [4, 0, true],
    [8, 2, true],
    [8, 1.5, false],
  ])('waits for %d ms in all when that is the new debounce', (Debounce, more, active) => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Debounce: 100 } } });
    testDevice.drive(1, true);
    testDevice.clock.advance(6);
    testDevice.configure({ 1: { InputSettings: { Debounce } } });
    testDevice.clock.advance(more);
    expect(testDevice.ports.isActive(1)).toBe(active);
  });

  test('calls listeners with all levels of the same moment', () => {
    const testDevice = new PortsTestDevice();
    const heard: unknown[] = [];
    const stop = testDevice.ports.onInput((port, active) =>
      heard.push([port, active, testDevice.ports.isActive(1), testDevice.ports.isActive(2)]),
    );
    testDevice.drive(1, true);
    testDevice.drive(2, true);
    testDevice.clock.advance(10);
    testDevice.drive(1, false);
    testDevice.clock.advance(10);
    expect(heard).toEqual([
      [1, true, true, true],
      [2, true, true, true],
      [1, false, false, true],
    ]);
    stop();
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    expect(heard).toHaveLength(3);
  });

  test('tells listeners that it is inactive when it becomes an output', () => {
    const testDevice = new PortsTestDevice({ 1: { PortType: INPUT } });
    const heard: unknown[] = [];
    testDevice.ports.onInput((port, active) => heard.push([port, active]));
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    testDevice.configure({ 1: { PortType: OUTPUT } });
    expect([heard, testDevice.ports.isActive(1), testDevice.counter(1)]).toEqual([
      [
        [1, true],
        [1, false],
      ],
      false,
      0,
    ]);
  });

  test('takes a level that a listener sets', () => {
    const testDevice = new PortsTestDevice();
    testDevice.ports.onInput((port, active) => {
      if (port === 1) testDevice.drive(2, active);
    });
    testDevice.drive(1, true);
    testDevice.clock.advance(20);
    expect(testDevice.ports.isActive(2)).toBe(true);
  });

  test('does nothing while the scanner is down, and finds the level that it was driven to', () => {
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Sensitivity: LEVEL } } });
    testDevice.drive(1, true);
    testDevice.ports.down();
    testDevice.clock.advance(100);
    testDevice.drive(2, true);
    testDevice.ports.update();
    testDevice.configure({
      1: { InputSettings: { Sensitivity: LEVEL } },
      2: { InputSettings: { Sensitivity: LEVEL } },
    });
    expect(testDevice.announced).toEqual([['PortConfiguration']]);
    testDevice.ports.boot();
    expect([testDevice.ports.isActive(1), testDevice.ports.isActive(2)]).toEqual([true, true]);
  });

  test('needs a timer only while a level has to last, and none when the scanner is down', () => {
    const clock = new CountingClock();
    const testDevice = new PortsTestDevice({ 1: { InputSettings: { Debounce: 30 } } }, clock);
    expect(clock.pending).toBe(0);
    testDevice.drive(1, true);
    testDevice.clock.advance(5);
    testDevice.drive(2, true);
    expect(clock.pending).toBe(1);
    testDevice.clock.advance(25);
    expect(clock.pending).toBe(0);
    testDevice.drive(1, false);
    testDevice.ports.down();
    expect(clock.pending).toBe(0);
  });

  test.each([0, 7, 9, 1.5, Number.NaN])('does not exist as number %d', (port) => {
    const { ports } = new PortsTestDevice();
    expect(ports.isActive(port)).toBe(false);
  });
});

describe('a port', () => {
  test('shows its name, its type and what drives it', () => {
    const testDevice = new PortsTestDevice({
      1: { Name: 'Gate 3' },
      2: { PortType: OUTPUT, Name: 'Lamp', Sources: [{ not: 'DRDY' }] },
      6: { PortType: ENCODER },
    });
    testDevice.drive(1, true);
    testDevice.clock.advance(5);
    const [first, second, third, ...others] = testDevice.ports.overview;
    expect([first, second, third, others.at(-1)]).toEqual([
      { port: 1, name: 'Gate 3', type: 'INPUT', driven: true, active: false },
      { port: 2, name: 'Lamp', type: 'OUTPUT', driven: false, active: true },
      { port: 3, name: 'IOx', type: 'INPUT', driven: false, active: false },
      { port: 6, name: 'IOx', type: 'ENCODER', driven: false, active: false },
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
    const testDevice = new PortsTestDevice({ 5: aux(type) });
    for (const level of [true, true, false, true]) testDevice.drive(5, level);
    expect(testDevice.references).toEqual(references);
  });

  test('takes the falling edge for the signal with ACTIVE_LOW', () => {
    const testDevice = new PortsTestDevice({ 5: aux(EncoderPort.AUX1, ACTIVE_LOW) });
    testDevice.drive(5, true);
    expect(testDevice.references).toEqual([]);
    testDevice.drive(5, false);
    expect(testDevice.references).toEqual([1]);
  });

  test('is no input', () => {
    const testDevice = new PortsTestDevice({ 5: aux(EncoderPort.AUX1) });
    testDevice.drive(5, true);
    testDevice.clock.advance(1000);
    expect([
      testDevice.inputLevel(5),
      testDevice.level(5),
      testDevice.state(5),
      testDevice.counter(5),
    ]).toEqual([tristate, tristate, 2, 0]);
    expect(testDevice.ports.isActive(5)).toBe(false);
  });

  test('is one as an ENCODER only, and while the scanner is up', () => {
    const testDevice = new PortsTestDevice({ 5: { ...aux(EncoderPort.AUX1), PortType: INPUT } });
    testDevice.drive(5, true);
    testDevice.configure({ 5: aux(EncoderPort.AUX1) });
    testDevice.drive(5, false);
    testDevice.ports.down();
    testDevice.drive(5, true);
    expect(testDevice.references).toEqual([]);
  });
});
