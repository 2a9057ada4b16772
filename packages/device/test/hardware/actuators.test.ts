import { basicSettings, DeviceStatus, device as deviceGroup, inputsAndOutputs, status } from '@azimuth/model';
import { CountingClock } from '@azimuth/test-support/clocks';
import { LogBook } from '@azimuth/test-support/log-book';
import { configuration, type Settings } from '@azimuth/test-support/port-configuration';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hardware, Lamp, PinLevel, RebootKind } from '../../src/index.js';

const { PortConfiguration } = inputsAndOutputs.members;

/** What a call of the hardware does, and what it returns. */
type Act = () => void | Promise<void>;

const broken: readonly (readonly [string, Act])[] = [
  [
    'throws',
    () => {
      throw new Error('no bus');
    },
  ],
  [
    'throws what has no text',
    () => {
      throw Object.create(null);
    },
  ],
  ['rejects', () => Promise.reject(new Error('no bus'))],
];

/** A board that writes down its calls, and does with each what `act` does. */
class Recorder implements Hardware {
  readonly log = new LogBook();
  readonly outputs: (readonly PinLevel[])[] = [];
  readonly lamps: (readonly Lamp[])[] = [];
  readonly seconds: number[] = [];
  readonly kinds: RebootKind[] = [];
  resets = 0;
  act: Act = () => undefined;

  onChange(): () => void {
    return () => undefined;
  }

  setOutputs(levels: readonly PinLevel[]): void | Promise<void> {
    this.outputs.push(levels);
    return this.act();
  }

  setLamps(lamps: readonly Lamp[]): void | Promise<void> {
    this.lamps.push(lamps);
    return this.act();
  }

  findMe(seconds: number): void | Promise<void> {
    this.seconds.push(seconds);
    return this.act();
  }

  reboot(kind: RebootKind): void | Promise<void> {
    this.kinds.push(kind);
    return this.act();
  }

  factoryReset(): void | Promise<void> {
    this.resets += 1;
    return this.act();
  }
}

async function opened(act?: Act) {
  const hardware = new Recorder();
  if (act !== undefined) hardware.act = act;
  const clock = new CountingClock();
  const testDevice = await TestDevice.open({ hardware }, undefined, clock);
  const { device } = testDevice;
  return {
    ...{ hardware, testDevice, device, clock },
    deviceStatus: () => device.read(status.members.DeviceStatus),
    /** The texts of errors of this member. */
    errorsOf: (member: string) =>
      hardware.log.errors.map(({ message }) => message).filter((text) => text.endsWith(`: ${member}`)),
    switches: (settings: Readonly<Record<number, Settings>>) =>
      device.write(PortConfiguration, configuration(settings), atService),
  };
}

function unhandledRejections(): unknown[] {
  const found: unknown[] = [];
  const listener = (reason: unknown) => found.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return found;
}

const output = (mode: 0 | 1 | 2, logic: 0 | 1 = 0): Settings => ({
  PortType: 1,
  Sources: ['SC01'],
  OutputSettings: { OutputMode: mode, Logic: logic },
});

describe('setOutputs', () => {
  test.each([
    ['PNP', output(0), ['open', 'high']],
    ['PNP, active low', output(0, 1), ['high', 'open']],
    ['NPN', output(1), ['low', 'open']],
    ['NPN, active low', output(1, 1), ['open', 'low']],
    ['PUSH_PULL', output(2), ['low', 'high']],
    ['PUSH_PULL, active low', output(2, 1), ['high', 'low']],
    ['an input', { PortType: 0 }, ['open', 'open']],
    ['an encoder input', { PortType: 2 }, ['open', 'open']],
  ] as const)('drives a pin as %s', async (_, settings, [inactive, active]) => {
    const { hardware, switches, device } = await opened();
    switches({ 1: settings });
    expect(hardware.outputs.at(-1)).toEqual([inactive, 'open', 'open', 'open', 'open', 'open']);
    device.features.ports.setOutput(1, 1);
    expect(hardware.outputs.at(-1)?.[0]).toBe(active);
  });

  test('is called with all levels when one of them changes, and only then', async () => {
    const { hardware, switches, device } = await opened();
    switches({ 1: output(2) });
    hardware.outputs.length = 0;
    device.features.ports.update();
    device.features.ports.setOutput(1, 0);
    expect(hardware.outputs).toEqual([]);
    device.features.ports.setOutput(1, 1);
    device.features.ports.setOutput(1, 0);
    expect(hardware.outputs.map(([first]) => first)).toEqual(['high', 'low']);
  });

  test('opens all pins while the scanner is down, and at its end', async () => {
    const { hardware, switches, device, testDevice } = await opened();
    switches({ 1: output(2) });
    await testDevice.call('WriteEeprom');
    device.lifecycle.reboot();
    expect(new Set(hardware.outputs.at(-1))).toEqual(new Set(['open']));
    await testDevice.boot();
    expect(hardware.outputs.at(-1)?.[0]).toBe('low');
    await device.close();
    expect(new Set(hardware.outputs.at(-1))).toEqual(new Set(['open']));
  });

  test.each(broken)('that %s is called again every second until it works', async (_, act) => {
    const unhandled = unhandledRejections();
    const { hardware, device, clock, deviceStatus, errorsOf } = await opened();
    hardware.act = act;
    device.write(PortConfiguration, configuration({ 1: output(2) }), atService);
    await promisesSettled();
    const failed = hardware.outputs.length;
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    for (let second = 0; second < 5; second++) {
      clock.advance(1000);
      await promisesSettled();
    }
    expect(hardware.outputs.length).toBe(failed + 5);
    expect(errorsOf('setOutputs')).toHaveLength(1);
    hardware.act = () => undefined;
    for (let second = 0; second < 2; second++) clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    expect(hardware.outputs).toHaveLength(failed + 6);
    expect(unhandled).toEqual([]);
  });

  test('that does not end is called once, and gets the latest levels when it ends', async () => {
    const { hardware, switches, device, clock, deviceStatus, errorsOf } = await opened();
    switches({ 1: output(2) });
    const pending = latch();
    hardware.outputs.length = 0;
    hardware.act = () => pending.opened;
    const listeners = clock.pending;
    for (let change = 0; change < 1001; change++) {
      device.features.ports.setOutput(1, (change + 1) % 2);
      clock.advance(1000);
    }
    expect(hardware.outputs.map(([first]) => first)).toEqual(['high']);
    expect(clock.pending).toBeLessThanOrEqual(listeners + 2);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errorsOf('setOutputs')).toHaveLength(1);
    device.features.ports.setOutput(1, 0);
    hardware.act = () => undefined;
    pending.open();
    await promisesSettled();
    expect(hardware.outputs.map(([first]) => first)).toEqual(['high', 'low']);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });
});

describe('setLamps', () => {
  const state = (color: Lamp['color'], shows: Lamp['shows'] = 'on'): Lamp => ({ id: 'state', color, shows });
  const find = (shows: Lamp['shows']): Lamp => ({ id: 'find', color: 'yellow', shows });

  test('shows the start, the state, and the search for the device', async () => {
    const { hardware, testDevice, device, clock } = await opened();
    expect(hardware.lamps[0]).toEqual([state('yellow'), find('off')]);
    expect(hardware.lamps.at(-1)).toEqual([state('green'), find('off')]);
    hardware.lamps.length = 0;
    await testDevice.call('FindMe', { uiDuration: 7 });
    clock.advance(7000);
    expect(hardware.lamps).toEqual([
      [state('green'), find('blinking')],
      [state('green'), find('off')],
    ]);
    device.write(basicSettings.members.LEDEnable, false, atService);
    expect(hardware.lamps.at(-1)).toEqual([state('green', 'off'), find('off')]);
    await device.close();
    expect(hardware.lamps.at(-1)?.map(({ shows }) => shows)).toEqual(['off', 'off']);
  });

  test.each(broken)('that %s is red as soon as it works again', async (_, act) => {
    const { hardware, device, clock, deviceStatus, errorsOf } = await opened();
    hardware.act = act;
    const { conditions } = device.features.deviceStatus;
    conditions.set('DS_RecoverableError', 'a test', true);
    await promisesSettled();
    expect(errorsOf('setLamps')).toHaveLength(1);
    hardware.act = () => undefined;
    clock.advance(1000);
    expect(hardware.lamps.at(-1)?.[0]).toEqual(state('red'));
    conditions.set('DS_RecoverableError', 'a test', false);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    expect(hardware.lamps.at(-1)?.[0]).toEqual(state('green'));
  });
});

describe('findMe', () => {
  test('is called with the seconds of each request', async () => {
    const { hardware, testDevice } = await opened();
    await testDevice.call('FindMe', { uiDuration: 7 });
    await testDevice.call('FindMe', { uiDuration: 7 });
    expect(hardware.seconds).toEqual([7, 7]);
  });

  test.each([...broken, ['never ends', () => new Promise<void>(() => undefined)] as const])(
    'that %s fails no request, and keeps the lamp blinking',
    async (_, act) => {
      const { hardware, testDevice, device, clock, deviceStatus, errorsOf } = await opened();
      hardware.act = act;
      for (let request = 0; request < 3; request++)
        expect((await testDevice.call('FindMe', { uiDuration: 60 })).response).toEqual({});
      clock.advance(6000);
      await promisesSettled();
      expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
      expect(errorsOf('findMe')).toHaveLength(1);
      expect(device.features.lamps.state[1]?.Function).toBe(5);
    },
  );
});

describe('reboot', () => {
  const waitUntilUp = async ({ device, clock }: TestDevice, limit = 200) => {
    for (let second = 0; second < limit && device.lifecycle.phase !== 'up'; second++) {
      clock.advance(1000);
      await promisesSettled();
    }
    return device.lifecycle.phase;
  };

  test.each([
    ['RebootDevice', undefined],
    ['SoftReset', { ProcessorNbr: 0 }],
  ] as const)('is called for %s when the scanner is down', async (method, request) => {
    const { hardware, testDevice, device } = await opened();
    let phase: string | undefined;
    hardware.act = () => {
      phase = device.lifecycle.phase;
    };
    const { afterwards } = await testDevice.call(method, request);
    afterwards?.();
    expect([hardware.kinds, phase]).toEqual([[method], 'down']);
    expect(await waitUntilUp(testDevice)).toBe('up');
  });

  test('is called for a power cycle', async () => {
    const { hardware, testDevice, device } = await opened();
    device.lifecycle.powerCycle();
    expect(await waitUntilUp(testDevice)).toBe('up');
    expect(hardware.kinds).toEqual(['powerCycle']);
  });

  test('keeps the scanner down until it ends', async () => {
    const { hardware, testDevice, device, clock } = await opened();
    const restarted = latch();
    hardware.act = () => restarted.opened;
    device.lifecycle.reboot();
    clock.advance(60_000);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('down');
    hardware.act = () => undefined;
    restarted.open();
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('up');
    expect(await waitUntilUp(testDevice)).toBe('up');
  });

  test.each(broken)('that %s lets the scanner come up', async (_, act) => {
    const { hardware, testDevice, device, deviceStatus, errorsOf } = await opened();
    hardware.act = act;
    device.lifecycle.reboot();
    hardware.act = () => undefined;
    expect(await waitUntilUp(testDevice)).toBe('up');
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errorsOf('reboot')).toHaveLength(1);
    device.lifecycle.reboot();
    expect(await waitUntilUp(testDevice)).toBe('up');
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });

  test('that never ends lets the scanner come up after 120 s, and is not called again', async () => {
    const { hardware, testDevice, device, clock, errorsOf } = await opened();
    hardware.act = () => new Promise(() => undefined);
    device.lifecycle.reboot();
    hardware.act = () => undefined;
    clock.advance(119_999);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('down');
    clock.advance(1);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('up');
    for (let again = 0; again < 3; again++) {
      device.lifecycle.reboot();
      expect(await waitUntilUp(testDevice)).toBe('up');
    }
    expect(hardware.kinds).toHaveLength(1);
    expect(errorsOf('reboot')).toHaveLength(1);
  });

  test('has a limit of the hardware, if it has one', async () => {
    const { hardware, device, clock } = await opened();
    Object.assign(hardware, { rebootLimit: 600_000, act: () => new Promise(() => undefined) });
    device.lifecycle.reboot();
    hardware.act = () => undefined;
    clock.advance(599_999);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('down');
    clock.advance(1);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('up');
  });

  test('leaves nothing behind if the scanner ends meanwhile', async () => {
    const { hardware, device, clock } = await opened();
    hardware.act = () => new Promise(() => undefined);
    device.lifecycle.reboot();
    hardware.act = () => undefined;
    await device.close();
    expect(clock.pending).toBe(0);
  });
});

describe('factoryReset', () => {
  test('is called when the parameters are at their defaults', async () => {
    const { hardware, testDevice, device } = await opened();
    const { LocationName } = deviceGroup.members;
    device.write(LocationName, 'Gate 3', atService);
    let name: string | undefined;
    hardware.act = () => {
      name = device.read(LocationName);
    };
    await testDevice.call('LoadFactoryDefaults');
    expect([hardware.resets, name]).toEqual([1, LocationName.type.initial]);
  });

  test.each([...broken, ['never ends', () => new Promise<void>(() => undefined)] as const])(
    'that %s fails no request',
    async (_, act) => {
      const { hardware, testDevice, clock, deviceStatus, errorsOf } = await opened();
      hardware.act = act;
      await testDevice.call('LoadFactoryDefaults');
      await testDevice.call('LoadFactoryDefaults');
      clock.advance(6000);
      await promisesSettled();
      expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
      expect(errorsOf('factoryReset')).toHaveLength(1);
    },
  );
});

test.each(broken)(
  'a lamp of which one color %s is called a few times a second, with one line',
  async (_, fails) => {
    const log = new LogBook();
    const shown: string[] = [];
    const clock = new CountingClock();
    const { device } = await TestDevice.open(
      {
        hardware: {
          log,
          setLamps: ([state]) => {
            shown.push(state?.color ?? 'none');
            // Its failure makes DeviceStatus 7, which is red; red works, so that the status is green.
            return state?.color === 'green' ? fails() : undefined;
          },
        },
      },
      undefined,
      clock,
    );
    for (let second = 0; second < 10; second++) {
      clock.advance(1000);
      await promisesSettled();
    }
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.length).toBeLessThan(60);
    expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
    expect(log.errors).toHaveLength(1);
  },
);
