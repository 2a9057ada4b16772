import { expectDone } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { serviceSession } from '@azimuth/test-support/legacy/scanner';
import { ipv4, list, struct, type Type, text } from '@azimuth/test-support/legacy/types';
import { valueIn } from '@azimuth/test-support/legacy-client';
import { expect, test } from 'vitest';
import { inFloats } from './any-value.js';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** One variable of each kind, its type typed by hand from the published descriptions, and a value to give it. */
const examples: readonly (readonly [string, Type, unknown])[] = [
  ['LocationName', text(0, 32), 'Gleis 9¾ – Süd'],
  ['FREchoFilter', 'uint8', 2],
  ['EtherIPAddress', ipv4, [10, 1, 2, 3]],
  ['EncResolution', 'float', 12.5],
  ['EtherSessionTimeout', 'uint32', 4_000_000_000],
  ['rosDomainId', 'uint8', 232],
  ['EvaluationsToLog', list('boolean', 48), Array.from({ length: 48 }, (_, index) => index % 3 === 0)],
  [
    'temperatureAlarmConfiguration',
    struct({ upperThreshold: 'int8', lowerThreshold: 'int8' }),
    { upperThreshold: 60, lowerThreshold: -20 },
  ],
  [
    'LFPangleRangeFilter',
    struct({
      bEnable: 'boolean',
      fThetaStart: 'int32',
      fThetaStop: 'int32',
      fPhiStart: 'int32',
      fPhiStop: 'int32',
      uiBeamIncrement: 'uint16',
    }),
    { bEnable: true, fThetaStart: -1, fThetaStop: 1, fPhiStart: -900_000, fPhiStop: 0, uiBeamIncrement: 20 },
  ],
  [
    'ScanDataConfig',
    struct({
      reserved: 'uint16',
      RemDataConfig: struct({ bEnable: 'boolean', reserved1: 'uint8', reserved2: 'uint8' }),
      EnableEncoderBlock: 'boolean',
      reserved1: 'boolean',
      bEnableDeviceName: 'boolean',
      reserved2: 'boolean',
      bEnableTimeBlock: 'boolean',
      reserved3: 'uint16',
    }),
    undefined,
  ],
  [
    'EncoderRotation',
    struct({ yaw: 'float', pitch: 'float', roll: 'float' }),
    { yaw: -0.5, pitch: 0.1, roll: 360 },
  ],
];

test.each(examples)('%s is one value, over REST, over A, over B and in events', async (name, type, value) => {
  const scanner = await LegacyTestScanner.start();
  const a = await serviceSession(scanner.ports, 'A');
  const b = await serviceSession(scanner.ports, 'B');
  const before = inFloats(await scanner.rest.value(name));
  expect(await a.read(name, type)).toEqual(before);
  expect(await b.read(name, type)).toEqual(before);
  const wanted = inFloats(value ?? { ...object(before), bEnableTimeBlock: true, bEnableDeviceName: true });
  for (const write of [
    () => a.write(name, type, wanted),
    () => b.write(name, type, before),
    async () => expectDone(await scanner.rest.write(name, value ?? wanted)),
  ]) {
    await a.follow(name);
    await b.follow(name);
    await write();
    const [seenByA, seenByB] = [await a.event(), await b.event()].map((event) =>
      valueIn(event, 'sSN', name, type),
    );
    const now = inFloats(await scanner.rest.value(name));
    expect([seenByA, seenByB]).toEqual([now, now]);
    expect([await a.read(name, type), await b.read(name, type)]).toEqual([now, now]);
    expect([a.unread, b.unread], 'a second request for an event is one subscription').toEqual([0, 0]);
  }
  expect(inFloats(await scanner.rest.value(name))).toEqual(wanted);
});
