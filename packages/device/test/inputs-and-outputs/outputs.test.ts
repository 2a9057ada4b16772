import { OutputMode, OutputRestart, PortLogic, PortType, SourceCombination } from '@azimuth/model';
import type { Settings } from '@azimuth/test-support/port-configuration';
import { describe, expect, test } from 'vitest';
import { high, low, PortsTestDevice, tristate } from './ports-test-device.js';

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

/** True if the output of a port is active. */
function isActive(testDevice: PortsTestDevice, port: number): boolean {
  return testDevice.state(port) === 1;
}

describe('an output', () => {
  test.each(['DRDY', 'CWRN', 'CERR', 'TALM', 'FE01', 'FE48', 'IN01', 'IN06', 'SC02'])(
    'follows %s',
    (code) => {
      const testDevice = new PortsTestDevice({ 2: output([code]) });
      const turn = (on: boolean) => {
        if (code.startsWith('IN')) {
          testDevice.drive(Number(code.slice(2)), on);
          testDevice.clock.advance(10);
        } else if (code.startsWith('SC')) testDevice.ports.setOutput(2, on ? 1 : 0);
        else testDevice.signal(...(on ? [code] : []));
        return isActive(testDevice, 2);
      };
      expect([isActive(testDevice, 2), turn(true), turn(false), turn(true)]).toEqual([
        false,
        true,
        false,
        true,
      ]);
    },
  );

  test('follows nothing but its sources', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE07']),
      3: output([]),
      4: output(['    ', '    ']),
    });
    testDevice.signal('FE08', 'DRDY', 'CERR', 'CWRN', 'TALM');
    expect([2, 3, 4].map((port) => testDevice.state(port))).toEqual([0, 0, 0]);
  });

  test('ignores four blanks, turned round or not', () => {
    const testDevice = new PortsTestDevice({
      2: output(['DRDY', '    '], { Combination: AND }),
      3: output([{ not: '    ' }]),
    });
    testDevice.signal('DRDY');
    expect([isActive(testDevice, 2), isActive(testDevice, 3)]).toEqual([true, false]);
  });

  test.each(['SROT', 'ROTS', 'SCLK'])('sees %s as it is between two pulses', (code) => {
    const testDevice = new PortsTestDevice({ 2: output([code]), 3: output([{ not: code }]) });
    testDevice.clock.advance(10_000);
    expect([isActive(testDevice, 2), isActive(testDevice, 3)]).toEqual([false, true]);
  });

  test('turns a source round with Invert', () => {
    const testDevice = new PortsTestDevice({ 2: output([{ not: 'DRDY' }]) });
    expect(isActive(testDevice, 2)).toBe(true);
    testDevice.signal('DRDY');
    expect(isActive(testDevice, 2)).toBe(false);
  });

  test.each([
    ['AND', AND, [false, false, false, true]],
    ['OR', OR, [false, true, true, true]],
    ['XOR', XOR, [false, true, false, true]],
  ])('combines three sources by %s, with none to all of them active', (_, Combination, expected) => {
    const testDevice = new PortsTestDevice({ 2: output(['FE01', 'FE02', 'FE03'], { Combination }) });
    const codes = ['FE01', 'FE02', 'FE03'];
    const seen = [0, 1, 2, 3].map((count) => {
      testDevice.signal(...codes.slice(0, count));
      return isActive(testDevice, 2);
    });
    expect(seen).toEqual(expected);
  });

  test.each([
    ['AND', AND],
    ['XOR', XOR],
  ])('is inactive by %s without a source', (_, Combination) => {
    expect(isActive(new PortsTestDevice({ 2: output([], { Combination }) }), 2)).toBe(false);
  });

  test.each([
    ['PNP', PNP, ACTIVE_HIGH],
    ['NPN', NPN, ACTIVE_HIGH],
    ['PUSH_PULL', PUSH_PULL, ACTIVE_HIGH],
    ['PNP, ACTIVE_LOW', PNP, ACTIVE_LOW],
    ['NPN, ACTIVE_LOW', NPN, ACTIVE_LOW],
    ['PUSH_PULL, ACTIVE_LOW', PUSH_PULL, ACTIVE_LOW],
  ])('is low while inactive and high while active with %s; other ports are tri-state', (_, mode, Logic) => {
    const testDevice = new PortsTestDevice({ 2: output(['DRDY'], { OutputMode: mode, Logic }) });
    expect([testDevice.level(2), testDevice.state(2)]).toEqual([low, 0]);
    testDevice.signal('DRDY');
    expect([testDevice.level(2), testDevice.state(2), testDevice.inputLevel(2)]).toEqual([high, 1, tristate]);
    expect(testDevice.level(3)).toBe(tristate);
  });

  test('is not disturbed by what drives its port', () => {
    const testDevice = new PortsTestDevice({ 2: output(['IN02']), 3: output(['IN02']) });
    testDevice.drive(2, true);
    testDevice.clock.advance(1000);
    // Port 2 is not an input, so IN02 is inactive, and no output can follow itself.
    expect([isActive(testDevice, 2), isActive(testDevice, 3)]).toEqual([false, false]);
  });

  test('counts how often it becomes active, until that is set back', () => {
    const testDevice = new PortsTestDevice({ 1: { PortType: INPUT }, 2: output(['DRDY']) });
    testDevice.drive(1, true);
    testDevice.clock.advance(10);
    for (const codes of [['DRDY'], [], ['DRDY'], ['DRDY'], []]) testDevice.signal(...codes);
    expect([testDevice.switched(2), testDevice.counter(2)]).toEqual([2, 2]);
    testDevice.announced.length = 0;
    testDevice.ports.resetOutputCounters();
    expect([testDevice.switched(2), testDevice.counter(2), testDevice.counter(1)]).toEqual([0, 0, 1]);
    expect(testDevice.announced).toEqual([['OutputState', 'PortState']]);
    testDevice.ports.resetOutputCounters();
    expect(testDevice.announced).toHaveLength(1);
    testDevice.signal('DRDY');
    expect(testDevice.switched(2)).toBe(1);
  });

  test('counts from zero after a boot, and what it finds then', () => {
    const testDevice = new PortsTestDevice({ 2: output(['DRDY']), 3: output(['SC03']) });
    testDevice.signal('DRDY');
    testDevice.signal();
    testDevice.signal('DRDY');
    testDevice.ports.setOutput(3, 1);
    testDevice.boot();
    expect([testDevice.switched(2), isActive(testDevice, 2)]).toEqual([1, true]);
    // The switch of SetOutput is forgotten.
    expect([testDevice.switched(3), isActive(testDevice, 3)]).toEqual([0, false]);
  });

  test('follows another configuration at once, and keeps its count', () => {
    const testDevice = new PortsTestDevice({ 2: output(['DRDY']) });
    testDevice.signal('DRDY');
    testDevice.configure({ 2: output(['TALM'], { OutputMode: PUSH_PULL }) });
    expect([testDevice.level(2), testDevice.switched(2)]).toEqual([low, 1]);
    testDevice.configure({});
    expect([testDevice.level(2), testDevice.switched(2), testDevice.counter(2)]).toEqual([tristate, 0, 0]);
  });
});

describe('the restart of an output', () => {
  test('RESTART_IMMEDATE lets go at once', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE01'], { RestartType: RESTART_IMMEDATE, RestartTime: 500 }),
    });
    testDevice.signal('FE01');
    testDevice.signal();
    expect(isActive(testDevice, 2)).toBe(false);
  });

  test('RESTART_TIME lets go when the sources have been inactive for so long, without a break', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime: 500 }),
    });
    testDevice.signal('FE01');
    testDevice.clock.advance(2000);
    testDevice.signal();
    testDevice.clock.advance(400);
    testDevice.signal('FE01');
    testDevice.clock.advance(10);
    testDevice.signal();
    testDevice.clock.advance(499.5);
    expect(isActive(testDevice, 2)).toBe(true);
    testDevice.clock.advance(0.5);
    expect([isActive(testDevice, 2), testDevice.switched(2)]).toEqual([false, 1]);
  });

  test('RESTART_TIME has a lamp shine for two seconds after every infringement, as in docs/ports.md', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime: 2000 }),
    });
    const seen = [[1000, 'FE01'], [1500], [100, 'FE01'], [1999], [1]].map(([milliseconds, ...codes]) => {
      testDevice.signal(...codes.map(String));
      testDevice.clock.advance(Number(milliseconds));
      return testDevice.level(2);
    });
    expect([seen, testDevice.switched(2)]).toEqual([[high, high, high, high, low], 1]);
  });

  test('RESTART_TIME takes a new time for one that has run from the beginning', () => {
    const settings = (RestartTime: number) => ({
      2: output(['FE01'], { RestartType: RESTART_TIME, RestartTime }),
    });
    const testDevice = new PortsTestDevice(settings(600_000));
    testDevice.signal('FE01');
    testDevice.signal();
    testDevice.clock.advance(1000);
    testDevice.configure(settings(1500));
    testDevice.clock.advance(499);
    expect(isActive(testDevice, 2)).toBe(true);
    testDevice.clock.advance(1);
    expect(isActive(testDevice, 2)).toBe(false);
  });

  test('RESTART_INPUT lets go when its input becomes active while the sources are inactive', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE01'], { RestartType: RESTART_INPUT, RestartInput: 6 }),
    });
    const press = (port: number) => {
      testDevice.drive(port, true);
      testDevice.clock.advance(10);
      testDevice.drive(port, false);
      testDevice.clock.advance(10);
      return isActive(testDevice, 2);
    };
    testDevice.signal('FE01');
    expect(press(6)).toBe(true);
    testDevice.signal();
    testDevice.clock.advance(1_000_000);
    expect(isActive(testDevice, 2)).toBe(true);
    expect(press(5)).toBe(true);
    expect(press(6)).toBe(false);
  });

  test('RESTART_INPUT is not content with an input that is active already', () => {
    const testDevice = new PortsTestDevice({
      2: output(['FE01'], { RestartType: RESTART_INPUT, RestartInput: 6 }),
    });
    testDevice.drive(6, true);
    testDevice.clock.advance(10);
    testDevice.signal('FE01');
    testDevice.signal();
    expect(isActive(testDevice, 2)).toBe(true);
  });

  test('RESTART_INPUT takes an input that lets the source go and restarts in one', () => {
    const testDevice = new PortsTestDevice({
      2: output([{ not: 'IN06' }], { RestartType: RESTART_INPUT, RestartInput: 6 }),
    });
    expect(isActive(testDevice, 2)).toBe(true);
    testDevice.drive(6, true);
    testDevice.clock.advance(10);
    expect(isActive(testDevice, 2)).toBe(false);
  });

  test('another restart holds for an output that waits already', () => {
    const testDevice = new PortsTestDevice({ 2: output(['FE01'], { RestartType: RESTART_INPUT }) });
    testDevice.signal('FE01');
    testDevice.signal();
    testDevice.configure({ 2: output(['FE01'], { RestartType: RESTART_IMMEDATE }) });
    expect(isActive(testDevice, 2)).toBe(false);
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
    const testDevice = new PortsTestDevice({
      2: output(['SC02', 'FE01']),
      3: output(['DRDY']),
      4: output(['SC02']),
    });
    expect(testDevice.ports.setOutput(port, value)).toBe(success);
    expect(testDevice.announced).toEqual(success && value === 1 ? [['OutputState', 'PortState']] : []);
  });

  test('switches every output that follows its SCxx', () => {
    const testDevice = new PortsTestDevice({
      2: output(['SC02']),
      4: output(['SC02', 'DRDY'], { Combination: AND }),
    });
    testDevice.signal('DRDY');
    testDevice.ports.setOutput(2, 1);
    expect([isActive(testDevice, 2), isActive(testDevice, 4)]).toEqual([true, true]);
    testDevice.ports.setOutput(2, 0);
    expect([isActive(testDevice, 2), isActive(testDevice, 4)]).toEqual([false, false]);
  });

  test('is forgotten by an output that follows it no more', () => {
    const testDevice = new PortsTestDevice({ 2: output(['SC02']) });
    testDevice.ports.setOutput(2, 1);
    testDevice.configure({ 2: output(['DRDY']) });
    testDevice.configure({ 2: output(['SC02']) });
    expect(isActive(testDevice, 2)).toBe(false);
    testDevice.ports.setOutput(2, 1);
    testDevice.configure({});
    testDevice.configure({ 2: output(['SC02']) });
    expect(isActive(testDevice, 2)).toBe(false);
  });
});
