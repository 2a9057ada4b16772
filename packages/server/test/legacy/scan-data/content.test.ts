import { virtualIdentity } from '@azimuth/device';
import {
  basicSettings,
  ContaminationCover,
  ContaminationStrategy,
  contaminationIndication,
  device,
  EchoFilter,
  EncoderMode,
  filter,
  inputsAndOutputs,
  PortLogic,
  PortType,
} from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { configuration } from '@azimuth/test-support/port-configuration';
import { describe, expect, test } from 'vitest';
import { channel, LegacyScanner, output, seeing } from './legacy-scanner.js';

const { FREchoFilter } = filter.members;
const { EnableLongRangeMode, PerformanceProfileNumber } = basicSettings.members;

type Channels = {
  readonly wide: readonly { content: string }[];
  readonly narrow: readonly { content: string }[];
};

/** The contents of the channels of 16 bits, and of those of 8 bits. */
const contents = ({ wide, narrow }: Channels) =>
  [wide, narrow].map((channels) => channels.map(({ content }) => content));

test.each(['text', 'binary'] as const)(
  'every field of the first scan and of the second, as %s',
  async (framing) => {
    const lmd = await LegacyScanner.open();
    const sink = lmd.follow(framing);
    lmd.turns(2);
    const [first, second] = sink.scans;
    const none = Array.from({ length: 829 }, () => 0);
    const flat = (content: string, value: number) => ({
      content,
      scale: 1,
      offset: 0,
      start: -480_000,
      step: 3333,
      data: none.map(() => value),
    });
    expect(sink.frames.length).toBe(2);
    expect(first).toEqual({
      command: 'sSN',
      version: 1,
      device: 1,
      serial: 12_345_678,
      status: [0, 0],
      telegram: 1,
      scan: 1,
      sinceStart: 0,
      // 276 of 360 degrees of a fifteenth of a second.
      sent: 51_111,
      inputs: [0, 0],
      outputs: first?.outputs,
      layer: 0,
      frequency: 1500,
      // Reserved.
      measurements: 0,
      encoders: [],
      wide: [flat('DIST1', 2000), flat('DIST2', 0), flat('DIST3', 0)],
      // 4 × 257 is 1028.
      narrow: [flat('RSSI1', 4), flat('RSSI2', 0), flat('RSSI3', 0)],
      position: false,
      name: undefined,
      comment: undefined,
      time: undefined,
      event: false,
    });
    expect(second).toEqual({ ...first, telegram: 2, scan: 2, sinceStart: 66_667, sent: 117_778 });
  },
);

test('text and binary have the same content, with every block switched on', async () => {
  const lmd = await LegacyScanner.open();
  lmd.alter(output.ScanDataConfig, {
    EnableEncoderBlock: true,
    bEnableDeviceName: true,
    bEnableTimeBlock: true,
  });
  lmd.set(device.members.LocationName, 'Größe 3');
  lmd.core.prepared = seeing((beam, echo) => [1000 + 100 * echo + beam, 257 * (10 + echo + (beam % 200))]);
  const [text, binary] = [lmd.follow('text'), lmd.follow('binary')];
  lmd.turns(3);
  expect(text.scans.length).toBe(3);
  expect(binary.scans).toEqual(text.scans);
  expect(channel(text.last, 'DIST2').data.slice(0, 3)).toEqual([1100, 1101, 1102]);
  // Beams 827 and 828.
  expect(channel(text.last, 'RSSI3').data.slice(-2)).toEqual([39, 40]);
});

describe('blocks of ScanDataConfig', () => {
  test('the device name', async () => {
    const lmd = await LegacyScanner.open();
    lmd.alter(output.ScanDataConfig, { bEnableDeviceName: true });
    lmd.set(device.members.LocationName, 'Tor 3');
    const sink = lmd.follow('text');
    lmd.turns(1);
    expect(sink.last.name).toBe('Tor 3');
    lmd.set(device.members.LocationName, '');
    lmd.turns(1);
    expect(sink.last.name).toBe('');
  });

  test('date and time of the end of the scan, on the clock of the scanner', async () => {
    const lmd = await LegacyScanner.open();
    lmd.alter(output.ScanDataConfig, { bEnableTimeBlock: true });
    const sink = lmd.follow();
    lmd.turns(1);
    // The virtual clock begins at noon of 15 January 2026.
    expect(sink.last.time).toEqual([2026, 1, 15, 12, 0, 0, 51_111]);
    const DateTime = {
      uiYear: 2031,
      usiMonth: 12,
      usiDay: 31,
      usiHour: 23,
      usiMinute: 59,
      usiSec: 58,
      udiUSec: 7,
    };
    await lmd.testScanner.call('LSPsetdatetime', { DateTime });
    lmd.turns(1);
    expect(sink.last.time?.slice(0, 6)).toEqual([2031, 12, 31, 23, 59, 58]);
  });

  test('one encoder with its ticks and its speed in mm/s, backwards as two’s complement', async () => {
    let speed = 0;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const lmd = await LegacyScanner.open({
      hardware: { log, temperature: () => 20, encoder: { speed: () => speed } },
    });
    lmd.alter(output.ScanDataConfig, { EnableEncoderBlock: true });
    lmd.set(output.EncSetting, EncoderMode.TX_FIX_VELOCITY);
    const sink = lmd.follow();
    lmd.turns(1);
    // 1000 mm/s at 1 mm a tick, 51.111 ms long.
    expect(sink.last.encoders).toEqual([{ position: 51, speed: 1000 }]);
    speed = -250;
    lmd.set(output.EncSetting, EncoderMode.TX_DIR_LEVEL12);
    lmd.turns(1);
    expect(sink.last.encoders.map((one) => one.speed)).toEqual([65_536 - 250]);
    speed = 99_999;
    lmd.device.features.encoder.changed();
    lmd.turns(1);
    expect(sink.last.encoders.map((one) => one.speed)).toEqual([32_767]);
  });

  test('no signal strengths without remission; reserved members have no effect', async () => {
    const lmd = await LegacyScanner.open();
    lmd.alter(output.ScanDataConfig, {
      RemDataConfig: { bEnable: false, reserved1: 0, reserved2: 1 },
      reserved: 0b1_0000_0010,
      reserved1: true,
      reserved2: true,
      reserved3: 4,
    });
    const sink = lmd.follow();
    lmd.turns(3);
    expect(sink.scans.map(({ scan }) => scan)).toEqual([1, 2, 3]);
    expect(contents(sink.last)).toEqual([['DIST1', 'DIST2', 'DIST3'], []]);
    expect(sink.last).toMatchObject({ position: false, comment: undefined });
  });
});

describe('echoes', () => {
  const three = seeing((_, echo) => [1000 * (echo + 1), 2570 * (echo + 1)]);

  test.each([
    [EchoFilter.FIRST_ECHO, [['DIST1'], ['RSSI1']], [1000, 10]],
    [EchoFilter.LAST_ECHO, [['DIST1'], ['RSSI1']], [3000, 30]],
    [
      EchoFilter.ALL_ECHOS,
      [
        ['DIST1', 'DIST2', 'DIST3'],
        ['RSSI1', 'RSSI2', 'RSSI3'],
      ],
      [1000, 2000, 3000, 10, 20, 30],
    ],
  ])('that pass FREchoFilter %i', async (choice, names, values) => {
    const lmd = await LegacyScanner.open();
    lmd.core.prepared = three;
    lmd.set(FREchoFilter, choice);
    const sink = lmd.follow();
    lmd.turns(1);
    expect(contents(sink.last)).toEqual(names);
    expect([...sink.last.wide, ...sink.last.narrow].map(({ data }) => data[414])).toEqual(values);
  });

  test('all of them, with their strengths, fit in 64 KiB of binary with the profile that has most beams', async () => {
    const lmd = await LegacyScanner.open();
    lmd.set(PerformanceProfileNumber, 9);
    lmd.core.prepared = three;
    const sink = lmd.follow();
    lmd.turns(3);
    expect(contents(sink.last)).toEqual([
      ['DIST1', 'DIST2', 'DIST3'],
      ['RSSI1', 'RSSI2', 'RSSI3'],
    ]);
    const lengths = [...sink.last.wide, ...sink.last.narrow].map(({ data }) => data.length);
    expect(lengths).toEqual(Array(6).fill(5521));
    expect(sink.frames.at(-1)?.length).toBeLessThan(65_536);
  });
});

describe('signal strengths', () => {
  test.each([
    ['a weak echo', 1, 0, 1],
    ['an echo between two steps', 257 * 57 + 100, 0, 57],
    ['the strongest echo', 65_535, 0, 253],
    ['an echo of a reflector', 30_000, 1, 254],
    ['an echo that blooms', 65_535, 2, 253],
    ['an echo whose strength is not known', 0, 0, 0],
  ])('of %s: %i with flags %i is %i', async (_, rssi, flags, step) => {
    const lmd = await LegacyScanner.open();
    lmd.core.prepared = (scan) => {
      seeing((_beam, echo) => (echo === 0 ? [2000, rssi] : [0, 0]))(scan);
      scan.flags[0] = flags;
      return scan;
    };
    const sink = lmd.follow();
    lmd.turns(1);
    expect(channel(sink.last, 'RSSI1').data[0]).toBe(step);
  });
});

test('below release 2.1.0, the echo of a reflector has a strength like any other', async () => {
  const lmd = await LegacyScanner.open({ release: '1.5.0' });
  lmd.core.prepared = (scan) => {
    seeing((_beam, echo) => (echo === 0 ? [2000, 30_000] : [0, 0]))(scan);
    scan.flags[0] = 1;
    return scan;
  };
  const sink = lmd.follow();
  lmd.turns(1);
  expect(channel(sink.last, 'RSSI1').data[0]).toBe(117);
});

describe('distances', () => {
  const far = seeing((beam, echo) => [
    echo === 0 ? ([1000.4, 1000.5, 65_534.6, 65_535, 70_001][beam % 5] ?? 0) : 0,
    echo === 0 ? 5 * 257 : 0,
  ]);

  test('in mm, rounded; none, and no strength, where 16 bits cannot carry it; never a number that is reserved', async () => {
    const lmd = await LegacyScanner.open();
    lmd.core.prepared = far;
    const sink = lmd.follow();
    lmd.turns(1);
    expect(channel(sink.last, 'DIST1')).toMatchObject({ scale: 1 });
    expect(channel(sink.last, 'DIST1').data.slice(0, 5)).toEqual([1000, 1001, 65_535, 65_535, 0]);
    expect(channel(sink.last, 'RSSI1').data.slice(0, 5)).toEqual([5, 5, 5, 5, 0]);
    lmd.core.prepared = seeing((beam, echo) => [echo === 0 ? ([0, 1, 15.4, 16, 17][beam % 5] ?? 0) : 0, 0]);
    lmd.turns(2);
    expect(channel(sink.last, 'DIST1').data.slice(0, 5)).toEqual([0, 16, 16, 16, 17]);
    // This scan was measured in long range mode, and is sent after it was switched off.
    lmd.set(EnableLongRangeMode, true);
    lmd.core.prepared = seeing((_, echo) => (echo === 0 ? [70_001, 5 * 257] : [0, 0]));
    lmd.turns(3.5);
    lmd.set(EnableLongRangeMode, false);
    lmd.turns(0.5);
    expect(channel(sink.last, 'DIST1')).toMatchObject({ scale: 1 });
    expect(channel(sink.last, 'DIST1').data[0]).toBe(0);
    expect(channel(sink.last, 'RSSI1').data[0]).toBe(0);
  });

  test('in units of 2 mm in long range mode; signal strengths do not change', async () => {
    const lmd = await LegacyScanner.open();
    lmd.set(EnableLongRangeMode, true);
    lmd.core.prepared = far;
    const sink = lmd.follow();
    lmd.turns(2);
    expect(channel(sink.last, 'DIST1')).toMatchObject({ scale: 2, offset: 0 });
    // 1000.4 / 2 is 500.2; 70001 / 2 is 35000.5.
    expect(channel(sink.last, 'DIST1').data.slice(0, 5)).toEqual([500, 500, 32_767, 32_768, 35_001]);
    expect(channel(sink.last, 'RSSI1')).toMatchObject({ scale: 1 });
    expect(channel(sink.last, 'RSSI1').data[0]).toBe(5);
  });
});

describe('the state of the scanner', () => {
  test('an error, none with a contamination warning, a contamination error, and none again', async () => {
    const levels = [0, 0, 0, 0, 0, 0, 0];
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const lmd = await LegacyScanner.open({
      hardware: { log, temperature: () => 20, contamination: () => levels },
    });
    lmd.alter(contaminationIndication.members.ContaminationConfig, {
      eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE,
      eCover: ContaminationCover.CM_COVER,
    });
    const sink = lmd.follow();
    /** Dirt on a sector of the front screen that the hood leaves free, for longer than the response time. */
    const soiled = (level: number) => {
      levels[4] = level;
      lmd.device.features.contamination.levelsChanged();
      lmd.testScanner.clock.advance(10_000);
      return sink.last.status;
    };
    lmd.device.features.deviceStatus.conditions.set('DS_RecoverableError', 'a test', true);
    expect([soiled(0), soiled(0.2), soiled(0.4)]).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    lmd.device.features.deviceStatus.conditions.set('DS_RecoverableError', 'a test', false);
    expect([soiled(0.2), soiled(0.4), soiled(0)]).toEqual([
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test.each([
    ['active inputs and high outputs as bits, port 1 as bit 0', '2.1.0', [0b00000101, 0b00001000]],
    ['none of them below release 2.1.0', '1.5.0', [0, 0]],
  ] as const)('%s', async (_, release, [inputs, outputs]) => {
    const levels: boolean[] = [];
    const hardware = { log: new LogBook(), inputs: () => levels };
    const lmd = await LegacyScanner.open({ release, hardware });
    const sink = lmd.follow();
    lmd.set(
      inputsAndOutputs.members.PortConfiguration,
      configuration({
        ...Object.fromEntries([1, 2, 3].map((port) => [port, { PortType: PortType.INPUT }])),
        ...Object.fromEntries(
          [4, 5, 6].map((port) => [
            port,
            {
              PortType: PortType.OUTPUT,
              Sources: [`SC0${port}`],
              OutputSettings: { Logic: port === 6 ? PortLogic.ACTIVE_LOW : PortLogic.ACTIVE_HIGH },
            },
          ]),
        ),
      }),
    );
    levels.push(true, false, true);
    for (const port of [4, 6]) lmd.device.features.ports.setOutput(port, 1);
    lmd.testScanner.clock.advance(1000);
    expect([sink.last.inputs, sink.last.outputs]).toEqual([
      [inputs, 0],
      [outputs, 0],
    ]);
  });

  test('a serial number that is not a number is sent as a number derived from it', async () => {
    const lmd = await LegacyScanner.open({ identity: virtualIdentity('AB12') });
    const sink = lmd.follow();
    lmd.turns(1);
    // FNV-1a of 41 42 31 32, step by step.
    let hash = 0x811c9dc5n;
    for (const byte of [0x41n, 0x42n, 0x31n, 0x32n]) hash = ((hash ^ byte) * 0x01000193n) % 2n ** 32n;
    expect(sink.last.serial).toBe(Number(hash));
  });
});
