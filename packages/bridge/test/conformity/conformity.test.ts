import { frameBinary, frameText } from '@azimuth/telegrams/legacy';
import { describe, expect, test } from 'vitest';
import { ConformityCheck, checkConformity } from '../../src/conformity/conformity.js';
import { Timeline, type TimelineEntry } from '../../src/timeline/index.js';

const jsonType = ['Content-Type', 'application/json'];

interface Exchange {
  readonly method?: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly headers?: readonly string[];
}

/** Returns what is wrong with a response: `place: expected, not what came`. */
function wrongIn(
  name: string,
  answer: unknown,
  { method = 'GET', sent, status = 200, headers = jsonType }: Exchange = {},
  check = new ConformityCheck(),
): readonly string[] {
  const body = (json: unknown) => Buffer.from(typeof json === 'string' ? json : (JSON.stringify(json) ?? ''));
  check.mismatches({
    kind: 'request',
    at: 0,
    id: 1,
    method,
    path: `/api/${name}`,
    headers: [],
    body: body(sent),
  });
  const found = check.mismatches({ kind: 'response', at: 1, id: 1, status, headers, body: body(answer) });
  return found.map(({ where, expected, came }) => `${where}: ${expected}, not ${came}`);
}

const ok = { status: 0, message: 'Ok' };
const header = { user: 'Service' };

describe('responses', () => {
  test.each([
    ['LocationName', { header: ok, data: { LocationName: 'Gate' } }, {}],
    ['DeviceIdent', { header: ok, data: { DeviceIdent: { Name: 'a', Version: '2.4.4.0R' }, Name: 'a' } }, {}],
    ['DeviceIdent', { header: ok, data: { Name: 'a', Version: '2.4.4.0R' } }, {}],
    ['NoSuchName', { header: { status: 5, message: 'Not Found' } }, {}],
    ['LocationName', { header: ok }, { method: 'POST', sent: { header, data: { LocationName: 'a' } } }],
    ['LocationName', { header: { status: 11, message: 'Out Of Connections' } }, { status: 429 }],
    ['LocationName', 'Forbidden', { status: 403, headers: ['Content-Type', 'text/plain'] }],
    ['parameterbackup', 'any bytes', { headers: [] }],
  ])('%s may have %j', (name, answer, exchange) => {
    expect(wrongIn(name, answer, exchange)).toEqual([]);
  });

  test.each([
    ['LocationName', { header: ok, data: { LocationName: 7 } }, {}, 'data.LocationName: a string, not 7'],
    [
      'EtherIPAddress',
      { header: ok, data: { EtherIPAddress: [1, 2, 3, 300] } },
      {},
      'data.EtherIPAddress[3]: 0 to 255, not 300',
    ],
    ['DeviceStatus', { header: ok, data: { DeviceStatus: 99 } }, {}, 'data.DeviceStatus: '],
    ['LocationName', { header: ok, data: {} }, {}, 'data.LocationName: a value, not nothing'],
    ['LocationName', { header: ok }, {}, 'data: an object, not nothing'],
    ['LocationName', { data: {} }, {}, 'header: an object, not nothing'],
    [
      'LocationName',
      { header: { status: 12, message: 'x' } },
      {},
      'header.status: a number from 0 to 11, not 12',
    ],
    [
      'LocationName',
      { header: { status: 3, message: 'Ok' } },
      {},
      'header.message: "Internal Server Error", not "Ok"',
    ],
    [
      'LocationName',
      { header: ok, data: { LocationName: '' }, more: 1 },
      {},
      'more: header, data or challenge, not another member',
    ],
    ['LocationName', '<html>', {}, 'body: a JSON object, not <html>'],
    ['LocationName', {}, { status: 500 }, 'HTTP status: 200, not 500'],
    [
      'LocationName',
      { header: ok, data: { LocationName: '' } },
      { headers: [] },
      'Content-Type: application/json, not nothing',
    ],
    [
      'LocationName',
      { header: { status: 4, message: 'Access Denied' } },
      {},
      'header.status: a status that a read can have: 0, 1, 3, 5 or 11, not 4',
    ],
    [
      'LocationName',
      { header: ok },
      { method: 'POST', sent: { data: {} } },
      'header.status: 4, because nobody has logged in, not 0',
    ],
    [
      'SerialNumber',
      { header: ok },
      { method: 'POST', sent: { header } },
      'header.status: 8, because nobody can write SerialNumber, not 0',
    ],
    ['WriteEeprom', { header: ok, data: {} }, {}, 'header.status: 5, because WriteEeprom is a method, not 0'],
    [
      'getChallenge',
      { header: ok, challenge: { realm: 'a' } },
      { method: 'POST', sent: { data: { user: 'Service' } } },
      'challenge.',
    ],
  ])('%s must not have %j', (name, answer, exchange, expected) => {
    expect(wrongIn(name, answer, exchange)).toContainEqual(expect.stringContaining(expected));
  });

  test('names are those of the release that DeviceIdent has stated', () => {
    const check = new ConformityCheck();
    const alarm = { header: ok, data: { temperatureAlarmStatus: false } };
    expect(wrongIn('temperatureAlarmStatus', alarm, {}, check)).toEqual([]);
    expect(
      wrongIn('DeviceIdent', { header: ok, data: { Name: 'a', Version: '2.1.0.0R' } }, {}, check),
    ).toEqual([]);
    expect(wrongIn('temperatureAlarmStatus', alarm, {}, check)).toEqual([
      'header.status: 5, because release 2.1.0 has no temperatureAlarmStatus, not 0',
    ]);
    expect(wrongIn('LocationName', { header: { status: 5, message: 'Not Found' } }, {}, check)).toEqual([
      'header.status: another status, because release 2.1.0 has LocationName, not 5',
    ]);
  });
});

function connection(protocol: 'events' | 'text' | 'binary') {
  const check = new ConformityCheck();
  const of = { at: 0, connection: 1 };
  check.mismatches({ kind: 'opened', ...of, protocol });
  const pass = (entry: TimelineEntry) =>
    check.mismatches(entry).map(({ where, expected, came }) => `${where}: ${expected}, not ${came}`);
  return {
    event: (direction: 'to scanner' | 'from scanner', message: unknown) =>
      pass({ kind: 'event', ...of, path: '/apievents', direction, message: JSON.stringify(message) }),
    legacy: (direction: 'to scanner' | 'from scanner', bytes: Uint8Array) =>
      pass({ kind: 'legacy', ...of, framing: protocol === 'text' ? 'text' : 'binary', direction, bytes }),
  };
}

test('events have a registration, a status, and a value of their type', () => {
  const { event } = connection('events');
  const temperature = (type: string, value: unknown, clientId = 1) => ({
    ...{ type, event: 'CurrentTempDev', clientId, status: 0 },
    data: { CurrentTempDev: value },
  });
  event('to scanner', { type: 'register', event: 'CurrentTempDev', clientId: 1 });
  expect(event('from scanner', temperature('register', 20))).toEqual([]);
  expect(event('from scanner', temperature('event', 21))).toEqual([]);
  expect(event('from scanner', temperature('event', 'hot'))).toEqual([
    expect.stringContaining('data.CurrentTempDev: a number'),
  ]);
  expect(event('from scanner', temperature('event', 21, 2))).toEqual([
    'event and clientId: those of a registration, not "CurrentTempDev", 2',
  ]);
  expect(event('from scanner', temperature('changed', 21))).toEqual([
    'type: "register" or "event", not "changed"',
  ]);
  expect(event('from scanner', { ...temperature('event', 21), status: 1 })).toEqual(['status: 0, not 1']);
});

test('legacy telegrams answer a request, with a value of its type', () => {
  const { legacy } = connection('text');
  const asks = (text: string) => legacy('to scanner', frameText(text));
  const answers = (text: string) => legacy('from scanner', frameText(text));
  asks('sRN DeviceStatus');
  expect(answers('sRA DeviceStatus 3')).toEqual([]);
  expect(answers('sRA DeviceStatus 3')).toEqual(['command: the answer to a request, not sRA DeviceStatus']);
  asks('sRN DeviceStatus');
  expect(answers('sRA DeviceStatus 63')).toEqual([expect.stringMatching(/^DeviceStatus: /)]);
  asks('sRN Nothing');
  expect(answers('sFA 3')).toEqual([]);
  expect(answers('sFA 3')).toEqual(['command: the answer to a request, not sFA 3']);
  expect(answers('sSN DeviceStatus 3')).toEqual(['name: that of a subscription, not DeviceStatus']);
  asks('sEN DeviceStatus 1');
  expect([...answers('sEA DeviceStatus 1'), ...answers('sSN DeviceStatus 3')]).toEqual([]);
  asks('sRN LMDscandata');
  expect(answers('sRA LMDscandata 1 1')).toEqual([expect.stringMatching(/^LMDscandata, byte \d+: /)]);
  expect(legacy('from scanner', Buffer.from('xyz'))).toEqual([
    'frame: a telegram with its frame, not 3 bytes that are none: xyz',
  ]);
});

test('binary telegrams are checked, too', () => {
  const { legacy } = connection('binary');
  legacy('to scanner', frameBinary(Buffer.from('sRN DeviceStatus')));
  expect(legacy('from scanner', frameBinary(Buffer.from('sRA DeviceStatus \x63')))).toEqual([
    expect.stringMatching(/^DeviceStatus: /),
  ]);
});

test('a finding names the response, and comes behind it', async () => {
  const timeline = new Timeline();
  checkConformity(timeline);
  const kinds: unknown[] = [];
  timeline.follow((entry) => kinds.push(entry.kind === 'finding' ? entry.of : entry.kind));
  timeline.add({
    kind: 'request',
    at: 0,
    id: 7,
    method: 'GET',
    path: '/api/LocationName',
    headers: [],
    body: Buffer.of(),
  });
  timeline.add({ kind: 'response', at: 0, id: 7, status: 200, headers: jsonType, body: Buffer.from('[]') });
  await Promise.resolve();
  expect(kinds).toEqual(['request', 'response', 'response 7']);
});
