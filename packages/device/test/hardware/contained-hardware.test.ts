import {
  contaminationIndication,
  DeviceStatus,
  measurementDataOutput,
  operatingData,
  sectorCount,
  status,
} from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Hardware, type SystemPlug, VirtualClock } from '../../src/index.js';
import { RecentLog } from '../../src/reports.js';

const { CurrentTempDev } = operatingData.members;

type Call = () => unknown;

/** Failures of a call into hardware. */
const failures: readonly (readonly [string, Call])[] = [
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
  ['never resolves', () => new Promise(() => undefined)],
  ['resolves later', () => Promise.resolve(30)],
  ['returns promises that reject', () => [Promise.reject(new Error('no bus'))]],
  ['returns NaN', () => Number.NaN],
  ['returns Infinity', () => Number.POSITIVE_INFINITY],
  ['returns an absurd number', () => 1e300],
  ['returns a word', () => '35'],
  ['returns null', () => null],
  ['returns an object', () => ({})],
  ['returns a symbol', () => Symbol('35')],
];

/** The calls that read sensors, each with the sensor and its value until the first success. */
const sensors = {
  temperature: ['temperature', 25],
  speed: ['encoder', { kind: 'speed', speed: 0 }],
  count: ['encoder', { kind: 'speed', speed: 0 }],
  contamination: ['contamination', []],
  inputs: ['inputs', []],
  systemPlug: ['systemPlug', undefined],
  errors: ['errors', []],
} as const;
const members = ['temperature', 'speed', 'count', 'contamination', 'inputs', 'systemPlug', 'errors'] as const;
type Member = (typeof members)[number];

const plug: SystemPlug = {
  name: 'a plug',
  read: async () => undefined,
  write: async () => undefined,
  setAside: async () => 'old',
  release: async () => undefined,
};

/** Hardware whose calls may be replaced. */
function replaceableHost(encoder: 'speed' | 'count' = 'speed', log = new LogBook()) {
  const calls: Record<Member, Call> = {
    temperature: () => 41.5,
    speed: () => 100,
    count: () => 7,
    contamination: () => [0, 0.5],
    inputs: () => [true, false],
    systemPlug: () => undefined,
    errors: () => [],
  };
  const hardware = { log, encoder: { [encoder]: () => calls[encoder]() } };
  for (const member of members) {
    if (member in sensors && sensors[member][0] !== 'encoder')
      Object.assign(hardware, { [member]: () => calls[member]() });
  }
  return { calls, hardware: asHost(hardware), log };
}

/** Programs in plain JavaScript may pass anything. */
function asHost(host: object): Hardware {
  if (!isHost(host)) throw new TypeError('no host');
  return host;
}

function isHost(host: object): host is Hardware {
  return 'log' in host;
}

async function opened(encoder: 'speed' | 'count' = 'speed') {
  const { calls, hardware, log } = replaceableHost(encoder);
  const testDevice = await TestDevice.open({ hardware });
  const { device, clock } = testDevice;
  return {
    ...{ calls, testDevice, device, clock },
    deviceStatus: () => device.read(status.members.DeviceStatus),
    errors: () => log.errors,
  };
}

/** Rejections that nobody handles. */
function unhandledRejections(): unknown[] {
  const found: unknown[] = [];
  const listener = (reason: unknown) => found.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return found;
}

describe.each(members)('%s of the hardware', (member) => {
  const encoder = member === 'count' ? 'count' : 'speed';
  const [sensor, initial] = sensors[member];

  test.each(failures)('that %s is reported once, and the last good value stays', async (_, fails) => {
    const unhandled = unhandledRejections();
    const { calls, testDevice, device, clock, deviceStatus, errors } = await opened(encoder);
    const { hardware } = device;
    const works = calls[member];
    const good = hardware[sensor]();
    calls[member] = fails;
    clock.advance(5000);
    expect(hardware[sensor]()).toEqual(good);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errors()).toHaveLength(1);
    expect(errors()[0]?.message).toMatch(/^The hardware does not tell its .*; the last value is used$/);
    await testDevice.call('DoDiagnosisDump', {});
    await testDevice.reboot();
    expect(device.lifecycle.failedBoots).toBe(0);
    expect(device.lifecycle.phase).toBe('up');
    calls[member] = works;
    clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    await promisesSettled();
    expect(unhandled).toEqual([]);
  });

  test('that fails from the start keeps no scanner from starting', async () => {
    const { calls, hardware } = replaceableHost(encoder);
    calls[member] = () => {
      throw new Error('no bus');
    };
    const { device, clock } = await TestDevice.open({ hardware });
    expect(device.lifecycle.phase).toBe('up');
    expect(device.hardware[sensor]()).toEqual(initial);
    clock.advance(1000);
    expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
    await device.close();
  });
});

test('a reading of the temperature succeeds while the thermometer fails', async () => {
  const { calls, device } = await opened();
  expect(device.read(CurrentTempDev)).toBe(41.5);
  calls.temperature = () => Number.NaN;
  expect(device.read(CurrentTempDev)).toBe(41.5);
});

test('a contamination of numbers and others is no contamination', async () => {
  const { calls, device } = await opened();
  for (const wrong of [[Number.NaN], [0, undefined], ['0.5'], [Number.POSITIVE_INFINITY], 0.5]) {
    calls.contamination = () => wrong;
    expect(device.hardware.contamination()).toEqual([0, 0.5]);
  }
  // The rest of a long name is cut off.
  calls.contamination = () => Array.from({ length: 100_000 }, () => 0.25);
  expect(device.hardware.contamination()).toHaveLength(sectorCount);
  expect(device.read(contaminationIndication.members.ContaminationData)).toHaveLength(sectorCount);
});

describe('a system plug', () => {
  test.each<[string, object]>([
    ['without a name', { ...plug, name: undefined }],
    ['without a method', { ...plug, release: undefined }],
    [
      'whose name cannot be read',
      Object.defineProperty({ ...plug }, 'name', {
        get: () => {
          throw new Error('no contact');
        },
      }),
    ],
  ])('%s is none', async (_, wrong) => {
    const { calls, testDevice, deviceStatus, clock } = await opened();
    calls.systemPlug = () => wrong;
    clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    await testDevice.reboot();
    expect(testDevice.device.lifecycle.phase).toBe('up');
    expect((await testDevice.respond('WriteEeprom')) ?? {}).toEqual({ Success: true });
  });

  test('whose name can be read only once stops no boot, and is used', async () => {
    const { calls, testDevice, device } = await opened();
    let readings = 0;
    const flickering = Object.defineProperty({ ...plug }, 'name', {
      get: () => {
        readings += 1;
        if (readings > 1) throw new Error('no contact');
        return 'a plug';
      },
    });
    calls.systemPlug = () => flickering;
    await testDevice.reboot();
    expect(device.lifecycle.phase).toBe('up');
    expect(device.lifecycle.failedBoots).toBe(0);
    expect(device.hardware.systemPlug()).toBe(device.hardware.systemPlug());
  });

  const reads: readonly (readonly [string, Call])[] = [
    [
      'throws',
      () => {
        throw new Error('no contact');
      },
    ],
    ['throws what has no text', () => Promise.reject(Object.create(null))],
    ['returns no promise', () => 7],
    ['never resolves', () => new Promise(() => undefined)],
  ];

  test.each(reads)('whose read %s stops no boot', async (_, read) => {
    const unhandled = unhandledRejections();
    const { calls, testDevice, device, clock } = await opened();
    calls.systemPlug = () => ({ ...plug, read });
    device.lifecycle.reboot();
    for (let second = 0; second < 20 && device.lifecycle.phase !== 'up'; second++) {
      clock.advance(1000);
      await promisesSettled();
    }
    expect(device.lifecycle.phase).toBe('up');
    expect(testDevice.device.lifecycle.failedBoots).toBe(0);
    clock.advance(10_000);
    await promisesSettled();
    expect(unhandled).toEqual([]);
  });
});

test.each([
  ...['log', 'temperature', 'contamination', 'encoder', 'inputs', 'systemPlug', 'errors', 'onChange'],
  ...['setOutputs', 'setLamps', 'findMe', 'reboot', 'rebootLimit', 'factoryReset'],
  ...['network', 'clock', 'ptp', 'firmware'],
])('a member %s that cannot be read keeps no scanner from starting', async (member) => {
  const { hardware } = replaceableHost();
  Object.defineProperty(hardware, member, {
    get: () => {
      throw new Error('no bus');
    },
  });
  const { device, clock } = await TestDevice.open({ hardware });
  clock.advance(2000);
  expect(device.lifecycle.phase).toBe('up');
  device.lifecycle.reboot();
  clock.advance(10);
  await promisesSettled();
  expect(device.lifecycle.phase).toBe('up');
  await device.close();
});

describe('a log', () => {
  const wrong: readonly (readonly [string, Call])[] = [
    [
      'that throws',
      () => {
        throw new Error('no disk');
      },
    ],
    ['that rejects', () => Promise.reject(new Error('no disk'))],
  ];

  test.each(wrong)('%s stops nothing', async (_, fails) => {
    const unhandled = unhandledRejections();
    let act: Call = fails;
    const log = { info: () => act(), warn: () => act(), error: () => act() };
    const testDevice = await TestDevice.open({ hardware: asHost({ log, temperature: () => 20 }) });
    const { device } = testDevice;
    await testDevice.reboot();
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('up');
    expect(device.features.deviceStatus.conditions.inForce).toEqual({
      DS_RecoverableError: ['log of the hardware'],
    });
    act = () => undefined;
    testDevice.context.log.info('all is well');
    expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_NormalOperation);
    await promisesSettled();
    expect(unhandled).toEqual([]);
    // Diagnostic archives have the lines anyway.
    expect(testDevice.context.log.text).toContain('The scanner is up again');
  });

  test('that is none stops nothing', () => {
    const log = new RecentLog(Reflect.get({}, 'log'), new VirtualClock());
    log.error('a line');
    expect(log.text).toContain('a line');
  });
});

test('encoder telegrams go on with the last speed', async () => {
  const { calls, device, clock } = await opened();
  device.write(measurementDataOutput.members.EncSetting, 2, { level: 'Service' });
  const ticks: number[] = [];
  device.features.encoder.watch((reading) => ticks.push(reading.ticks));
  clock.advance(1000);
  calls.speed = () => Number.NaN;
  clock.advance(1000);
  const { EncResolution } = measurementDataOutput.members;
  expect(ticks.at(-1)).toBe(Math.floor(200 / device.read(EncResolution) + 1e-6));
});

describe('hardware without anything', () => {
  test('is a scanner that measures, whose log goes to stderr', async () => {
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
    onTestFinished(() => write.mockRestore());
    const testDevice = await TestDevice.open({ hardware: {} });
    const { device } = testDevice;
    await testDevice.call('FindMe', { uiDuration: 1 });
    await testDevice.call('LoadFactoryDefaults');
    device.lifecycle.reboot();
    testDevice.clock.advance(0);
    await promisesSettled();
    expect(device.lifecycle.phase).toBe('up');
    expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_NormalOperation);
    expect(device.read(CurrentTempDev)).toBe(25);
    expect(lines).toContain('info: The scanner is up again\n');
    expect(lines.filter((line) => !/^(info|warning|error): .*\n$/.test(line))).toEqual([]);
  });
});

test('what hardware tells changes no scan', async () => {
  /** All distances, strengths and times of two seconds. */
  const scansWith = async (hardware: Hardware) => {
    const { device, clock } = await TestDevice.open({ hardware: { log: new LogBook(), ...hardware } });
    const seen: unknown[] = [];
    device.features.measuring.watch({
      scan: ({ number, time, distance, rssi, flags }) =>
        void seen.push([number, time, [...distance], [...rssi], [...flags]]),
    });
    // The core is made when it is used for the first time.
    await promisesSettled();
    clock.advance(2000);
    return seen;
  };
  const plain = await scansWith({});
  expect(plain.length).toBeGreaterThan(25);
  let sign = 1;
  const wild: Hardware = {
    temperature: () => 299,
    contamination: () => [1, 1, 1, 1, 1, 1, 1],
    encoder: { speed: () => 1_000_000 },
    inputs: () => {
      sign = -sign;
      return Array.from({ length: 8 }, () => sign > 0);
    },
  };
  expect(await scansWith(wild)).toEqual(plain);
  const broken = Object.fromEntries(
    ['temperature', 'contamination', 'inputs', 'systemPlug', 'errors', 'setOutputs', 'setLamps'].map(
      (member) => [member, () => Promise.reject(new Error('no bus'))],
    ),
  );
  expect(await scansWith(broken)).toEqual(plain);
});
