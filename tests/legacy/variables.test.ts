import { isObject, number, parse } from '@azimuth/test-support/json';
import { dialects, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { type Variable, variablesOf } from '@azimuth/test-support/legacy/types';
import { decode, encode } from '@azimuth/test-support/legacy/values';
import { expectTelegram, shown, valueIn } from '@azimuth/test-support/legacy-client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyValue, inFloats } from './any-value.js';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** Every variable that a scanner says it has. */
async function variablesIn(scanner: LegacyTestScanner): Promise<readonly Variable[]> {
  const { text } = await scanner.rest.send({ method: 'GET', path: '/openapi.json' });
  return variablesOf(parse(text));
}

/** Variables whose values are of as many kinds as there are. */
const ofAllKinds = [
  'LEDEnable',
  'LocationName',
  'PerformanceProfileNumber',
  'TSCTCtimezone',
  'TSCTCupdatetime',
  'temperatureAlarmConfiguration',
  'SensorPosition',
  'EtherIPAddress',
  'ScanDataEthSettings',
  'LFPangleRangeFilter',
  'EncResolution',
  'EncoderRotation',
  'EvaluationsToLog',
  'ContaminationConfig',
  'EtherSessionTimeout',
  'rosNamespace',
];

/** Variables whose writes devices acknowledge without a blank behind the name. */
const acknowledgedWithoutBlank = [
  'treatBlockedSectorsAsErrorSectors',
  'compactTelegramType1Content',
  'EtherSessionTimeout',
  'rosDomainId',
  'EtherAuxIPPort',
  'EtherHostIPPort',
  'enableCloningPlug',
  'EnableDetectionHistory',
];

describe('every variable', () => {
  test.each(dialects)('is the same over %s as over REST, to the last byte', async (dialect) => {
    const scanner = await LegacyTestScanner.start();
    const variables = await variablesIn(scanner);
    expect(variables.length).toBeGreaterThan(80);
    const client = await session(scanner.ports, dialect);
    for (const { name, type } of variables) {
      const answer = await client.request(`sRN ${name}`);
      expect(`${answer.command} ${answer.name}`, name).toBe(`sRA ${name}`);
      const expected = encode(dialect, type, await scanner.rest.value(name));
      expect(shown(answer.values), name).toBe(shown(expected));
      expect(answer.values.equals(expected), name).toBe(true);
      // An empty text value leaves no blank behind the name.
      expect(decode(dialect, type, answer.values), name).toBeDefined();
    }
  });

  test('can be written back as it was read, where it can be written, and stays as it was', async () => {
    const scanner = await LegacyTestScanner.start();
    const variables = (await variablesIn(scanner)).filter(({ writable }) => writable);
    expect(variables.length).toBeGreaterThan(50);
    for (const dialect of dialects) {
      const client = await serviceSession(scanner.ports, dialect);
      for (const { name } of variables) {
        const before = await scanner.rest.value(name);
        const { values } = await client.request(`sRN ${name}`);
        const answer = await client.request(Buffer.concat([Buffer.from(`sWN ${name} `), values]));
        expect(`${answer.command} ${answer.name}`, `${name}: ${shown(answer.payload)}`).toBe(`sWA ${name}`);
        const trailing = dialect === 'A' || acknowledgedWithoutBlank.includes(name) ? '' : ' ';
        expect(answer.payload.toString('latin1')).toBe(`sWA ${name}${trailing}`);
        expect(await scanner.rest.value(name), name).toEqual(before);
      }
    }
  });

  test('that nobody may write is refused with A, whatever the level', async () => {
    const scanner = await LegacyTestScanner.start();
    const readOnly = (await variablesIn(scanner)).filter(({ writable }) => !writable);
    expect(readOnly.length).toBeGreaterThan(20);
    const client = await serviceSession(scanner.ports, 'A');
    for (const { name } of readOnly) {
      const { values } = await client.request(`sRN ${name}`);
      const answer = await client.request(Buffer.concat([Buffer.from(`sWN ${name} `), values]));
      expect(answer.payload.toString(), name).toBe('sFA A');
    }
  });
});

/** Of the temperature alarm: its thresholds may not be any two numbers. */
function isInOrder(value: unknown): boolean {
  if (!isObject(value) || value.lowerThreshold === undefined) return true;
  return number(value.lowerThreshold) < number(value.upperThreshold);
}

describe('any value', () => {
  test.each(ofAllKinds)(
    'of %s written over A is the same over REST, over B and in an event',
    async (name) => {
      const scanner = await LegacyTestScanner.start();
      const variable = (await variablesIn(scanner)).find((one) => one.name === name);
      if (variable === undefined) throw new Error(`${name} is not described`);
      const { type, schema } = variable;
      const a = await serviceSession(scanner.ports, 'A');
      const b = await serviceSession(scanner.ports, 'B');
      await b.follow(name);
      await a.follow(name);
      a.forget();
      b.forget();
      let now = inFloats(await scanner.rest.value(name));
      await fc.assert(
        fc.asyncProperty(anyValue(schema).filter(isInOrder), fc.boolean(), async (value, overA) => {
          fc.pre(JSON.stringify(inFloats(value)) !== JSON.stringify(now));
          const [writer, reader] = overA ? [a, b] : [b, a];
          await writer.write(name, type, value);
          now = inFloats(value);
          expect(inFloats(await scanner.rest.value(name))).toEqual(now);
          expect(await reader.read(name, type)).toEqual(now);
          for (const client of [a, b]) {
            const event = await client.event();
            expect(event.dialect).toBe(client.dialect);
            expect(valueIn(event, 'sSN', name, type)).toEqual(now);
          }
        }),
        { numRuns: 12 },
      );
      // What is written once is announced once.
      expect([a.unread, b.unread]).toEqual([0, 0]);
    },
  );

  test('written over REST is seen over A and B, and in their events', async () => {
    const scanner = await LegacyTestScanner.start();
    const variables = await variablesIn(scanner);
    const clients = [await session(scanner.ports, 'A'), await session(scanner.ports, 'B')];
    const changes: readonly (readonly [string, unknown])[] = [
      ['LocationName', 'Tor 3, Süd – 門'],
      ['EtherIPAddress', [10, 0, 200, 255]],
      ['FREchoFilter', 2],
      ['EncResolution', 0.1],
      ['LFPparticle', { bEnable: true, uiThreshold: 5000 }],
      ['SensorPosition', { x: -100_000, y: 1, z: 0, yaw: -3_600_000, pitch: 3_600_000, roll: -1 }],
    ];
    for (const [name, value] of changes) {
      const type = variables.find((one) => one.name === name)?.type ?? 'boolean';
      for (const client of clients) await client.follow(name);
      for (const client of clients) client.forget();
      await scanner.write(name, value);
      for (const client of clients) {
        expect(valueIn(await client.event(), 'sSN', name, type)).toEqual(inFloats(value));
        expect(await client.read(name, type)).toEqual(inFloats(value));
        await client.follow(name, false);
      }
    }
    // Nobody follows them any more.
    await scanner.write('LocationName', 'elsewhere');
    for (const client of clients) {
      await client.request('sRN LocationName');
      expect(client.unread).toBe(0);
    }
  });

  test('of a location, by hand: what each of its characters is on the wire', async () => {
    const scanner = await LegacyTestScanner.start();
    const a = await serviceSession(scanner.ports, 'A');
    // Two bytes of text that end within a character.
    expectTelegram(
      await a.request(Buffer.concat([Buffer.from('sWN LocationName 2 T'), Buffer.from([0xc3])])),
      'sFA',
      '',
    );
    const eight = Buffer.from('Tür 3 €');
    expect(eight.length).toBe(10);
    const written = await a.request(Buffer.concat([Buffer.from('sWN LocationName A '), eight]));
    expect(written.payload.toString()).toBe('sWA LocationName');
    expect(await scanner.rest.value('LocationName')).toBe('Tür 3 €');
    const b = await session(scanner.ports, 'B');
    const read = await b.request('sRN LocationName');
    expect(read.values).toEqual(Buffer.concat([Buffer.from([0, 10]), eight]));
    // A blank behind the string belongs to nothing; a blank in it to the string.
    await a.request('sWN LocationName 6 a b  c');
    expect(await scanner.rest.value('LocationName')).toBe('a b  c');
    expect((await a.request('sRN LocationName')).payload.toString()).toBe('sRA LocationName 6 a b  c');
    await a.request('sWN LocationName 0');
    expect(await scanner.rest.value('LocationName')).toBe('');
    expect((await a.request('sRN LocationName')).payload.toString()).toBe('sRA LocationName 0');
  });
});

describe('other releases and variants', () => {
  test('lack over A what they lack over REST', async () => {
    const scanner = await LegacyTestScanner.start({ release: '1.5.0', variant: 'basic' });
    const a = await session(scanner.ports, 'A');
    for (const name of ['ScanDataConfig', 'EtherAuxIPPort', 'ImuDataEnable', 'FieldEvaluationResult']) {
      expect((await a.request(`sRN ${name}`)).payload.toString(), name).toBe('sFA 3');
      expect((await a.request(`sEN ${name} 1`)).payload.toString(), name).toBe('sFA F');
    }
    expect((await a.request('sMN EthernetUpdate')).payload.toString()).toBe('sFA 2');
    expect((await a.request('sRN EnableColaScan')).command).toBe('sRA');
  });
});
