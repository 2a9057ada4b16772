import { dataOf } from '@azimuth/test-support/client';
import { isObject, object, parse } from '@azimuth/test-support/json';
import { dialects, expectServed, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { list, struct, type Type, text } from '@azimuth/test-support/legacy/types';
import { errorCodeOf, shown, valueIn } from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** A method, as the scanner describes it. */
interface Method {
  readonly name: string;
  /** `open`, `login` for any level that can log in, or a level. */
  readonly level: unknown;
  readonly hasValues: boolean;
}

/** What deals in challenges and tokens, which there are none of here. */
const ofHttp = ['getChallenge', 'checkCredentials', 'changePassword', 'CreateSessionToken'];

async function methodsOf(scanner: LegacyTestScanner): Promise<readonly Method[]> {
  const { text: words } = await scanner.rest.send({ method: 'GET', path: '/openapi.json' });
  const { paths, components } = object(parse(words));
  const { schemas } = object(components);
  return Object.entries(object(paths)).flatMap(([path, item]) => {
    const name = /^\/api\/([A-Za-z]+)$/.exec(path)?.[1];
    const { get, post } = object(item);
    if (name === undefined || !isObject(post) || get !== undefined) return [];
    return [
      { name, level: post['x-user-level'], hasValues: object(schemas)[`${name}Request`] !== undefined },
    ];
  });
}

describe('every method', () => {
  test.each(dialects)(
    'that needs a level is denied at Run over %s, with values or without',
    async (dialect) => {
      const scanner = await LegacyTestScanner.start();
      const methods = await methodsOf(scanner);
      const client = await session(scanner.ports, dialect);
      const guarded = methods.filter(({ level }) => level !== 'open' && level !== undefined);
      expect(guarded.length).toBeGreaterThan(25);
      for (const { name } of guarded) {
        for (const values of ['', ' ', ' 1', ' 1 1 1 1']) {
          const answer = await client.request(`sMN ${name}${values}`);
          // What belongs to HTTP alone may be unknown here; it may not be done.
          expect([1, 2], `${name}: ${shown(answer.payload)}`).toContain(errorCodeOf(answer));
        }
      }
      await expectServed(client);
    },
  );

  test('that needs no login gets a result or a reason', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    for (const { name } of (await methodsOf(scanner)).filter(({ level }) => level === 'open')) {
      const { command } = await client.request(`sMN ${name}`);
      expect(['sAN', 'sFA'], name).toContain(command);
    }
    await expectServed(client);
  });

  test('that needs values is refused without them, and with too many', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, 'A');
    let refused = 0;
    for (const { name } of (await methodsOf(scanner)).filter(({ hasValues }) => hasValues)) {
      const answer = await client.request(`sMN ${name}`);
      if (answer.command === 'sAN') continue;
      refused += 1;
      expect(ofHttp.includes(name) ? [1, 2] : [8], `${name}: ${shown(answer.payload)}`).toContain(
        errorCodeOf(answer),
      );
    }
    expect(refused).toBeGreaterThan(5);
    expect((await client.request('sMN SetOutput 1 1 1')).payload.toString()).toBe('sFA 7');
    expect((await client.request('sMN WriteEeprom 1')).payload.toString()).toBe('sFA 7');
    await expectServed(client);
  });
});

/** Methods with their values and answers, typed by hand; what is answered is what REST answers. */
const calls: readonly (readonly [string, Type | undefined, unknown, Type | undefined, unknown])[] = [
  ['WriteEeprom', undefined, undefined, struct({ Success: 'boolean' }), { Success: true }],
  ['GetWebserverEnabled', undefined, undefined, struct({ IsEnabled: 'boolean' }), { IsEnabled: true }],
  ['mResetOutputCounter', undefined, undefined, struct({ ErrorCode: 'uint8' }), { ErrorCode: 0 }],
  ['FindMe', struct({ uiDuration: 'uint16' }), { uiDuration: 10 }, undefined, undefined],
  [
    'EnableLegacyUserLevel',
    struct({ userLevel: 'uint8', isEnabled: 'boolean' }),
    { userLevel: 3, isEnabled: true },
    struct({ result: 'boolean' }),
    { result: true },
  ],
  [
    'EnableUserLevel',
    struct({ userLevel: 'uint8', isEnabled: 'boolean' }),
    { userLevel: 4, isEnabled: false },
    struct({ result: 'uint8' }),
    { result: 2 },
  ],
  [
    'GetFieldEvaluationContour',
    struct({ EvaluationId: 'uint16' }),
    { EvaluationId: 1 },
    struct({
      Contour: list(
        struct({
          EvaluationId: 'uint16',
          Points: list(struct({ x: 'int32', y: 'int32' }), 0, 100),
          LowerZLimit: 'int32',
          UpperZLimit: 'int32',
        }),
        0,
        1,
      ),
    }),
    undefined,
  ],
  [
    'ActivateEvaluationGroup',
    struct({ List: list(struct({ GroupId: 'uint16', Activate: 'boolean' }), 0, 48) }),
    { List: [{ GroupId: 48, Activate: true }] },
    struct({ Success: list('boolean', 0, 48) }),
    { Success: [false] },
  ],
  [
    'LSPsetdatetime',
    struct({
      DateTime: struct({
        uiYear: 'uint16',
        usiMonth: 'uint8',
        usiDay: 'uint8',
        usiHour: 'uint8',
        usiMinute: 'uint8',
        usiSec: 'uint8',
        udiUSec: 'uint32',
      }),
    }),
    {
      DateTime: {
        uiYear: 2031,
        usiMonth: 12,
        usiDay: 31,
        usiHour: 23,
        usiMinute: 59,
        usiSec: 59,
        udiUSec: 0,
      },
    },
    struct({ ErrorCode: 'uint8' }),
    { ErrorCode: 0 },
  ],
  [
    'GetDiagnosisDumpInfo',
    undefined,
    undefined,
    struct({ DiagDumpExists: 'boolean', DiagDumpTimestamp: 'uint32' }),
    { DiagDumpExists: false, DiagDumpTimestamp: 0 },
  ],
];

describe.each(dialects)('over %s', (dialect) => {
  test.each(calls)('%s answers as over REST', async (name, request, values, response, expected) => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, dialect);
    const answer = await client.call(name, request, values);
    if (response === undefined) {
      expect(answer.payload.toString('latin1')).toBe(dialect === 'A' ? `sAN ${name}` : `sAN ${name} `);
      return;
    }
    const heard = valueIn(answer, 'sAN', name, response);
    if (expected !== undefined) expect(heard).toEqual(expected);
    expect(dataOf(await scanner.rest.call(name, values))).toEqual(heard);
  });
});

test('the clock that is set over A is the clock that is read over REST', async () => {
  const scanner = await LegacyTestScanner.start();
  const client = await serviceSession(scanner.ports, 'A');
  expect((await client.request('sMN LSPsetdatetime 7EF C 1F 17 3B 3A 7A120')).payload.toString()).toBe(
    'sAN LSPsetdatetime 0',
  );
  expect(await scanner.rest.value('LSPdatetime')).toEqual({
    uiYear: 2031,
    usiMonth: 12,
    usiDay: 31,
    usiHour: 23,
    usiMinute: 59,
    usiSec: 58,
    udiUSec: 500_000,
  });
});

test('factory defaults over B are those over REST, and the levels of the legacy interfaces with them', async () => {
  const scanner = await LegacyTestScanner.start();
  const client = await serviceSession(scanner.ports, 'B');
  await client.write('LocationName', text(0, 32), 'somewhere');
  await client.call('EnableLegacyUserLevel', struct({ userLevel: 'uint8', isEnabled: 'boolean' }), {
    userLevel: 3,
    isEnabled: true,
  });
  expect((await client.call('mSCloadfacdef')).command).toBe('sAN');
  expect(await scanner.rest.value('LocationName')).toBe('not defined');
  const next = await session(scanner.ports, 'B');
  expect(await next.tryLogin(3, 0xf4724744)).toBe(false);
});
