import { IssuedChallenge } from '@azimuth/device/network-interface';
import { payloadOf } from '@azimuth/http';
import { backupRestore, general, Refusal } from '@azimuth/model';
import { expect, test } from 'vitest';
import { argumentOf } from '../../src/rest/method-calls.js';
import { responseBody } from '../../src/rest/response-bodies.js';
import { valueOfPayload } from '../../src/rest/rest-interface.js';

const deepest = 4;
const nothing = { header: undefined, data: undefined };

const read = (body: string | Buffer) => payloadOf(Buffer.from(body), deepest);

/** Returns the refusal of a body; undefined if it is not refused. */
function faultOf(body: string | Buffer): Refusal | undefined {
  try {
    read(body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

test.each(['', ' ', '\r\n', 'null', ' null ', '{}', '{ }'])(
  'the body %j means that there is no payload',
  (text) => {
    expect(read(text)).toEqual(nothing);
  },
);

test('header and data are read in either order, and other members are ignored', () => {
  const payload = { header: { user: 'Service' }, data: { LocationName: 'Gäte ☃ 😀' } };
  expect(read(JSON.stringify(payload))).toEqual(payload);
  const text = JSON.stringify({ data: payload.data, other: 1, header: payload.header });
  expect(read(text)).toEqual(payload);
  expect(read('{"data":null}')).toEqual({ header: undefined, data: null });
  expect(read('{"__proto__":{"header":1,"data":1},"constructor":2}')).toEqual(nothing);
});

const wrong = [
  '[]',
  '[{"data":1}]',
  '"text"',
  '7',
  '0',
  '-1e400',
  'true',
  'false',
  '{',
  '}',
  '[',
  '"open',
  '{"data":}',
];
const malformed = ["{'data':1}", '{} {}', '{"data":1,}', '{"data":01}', 'NaN', 'undefined', 'nope', '\u0000'];

test.each([...wrong, ...malformed])('the body %j is status 1', (text) => {
  expect(faultOf(text)).toMatchObject({ status: 'parsingFailed' });
});

test('a body that is not UTF-8 is status 1', () => {
  const body = Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  expect(faultOf(body)).toMatchObject({ status: 'parsingFailed' });
});

test.each([1, 300, 100_000])('a body that is nested too deep by %i is status 1', (more) => {
  const nested = (depth: number) => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect(faultOf(nested(deepest - 1 + more))).toMatchObject({
    status: 'parsingFailed',
    message: expect.stringContaining('nested deeper'),
  });
  expect(faultOf(nested(deepest - 1))).toBeUndefined();
});

test('brackets in strings and names do not count as nesting', () => {
  const text = '[{'.repeat(100);
  const payload = { header: undefined, data: { [text]: `\\" ${text}`, b: [`${text}\\`] } };
  for (const blanks of ['', ' '.repeat(20_000)]) {
    const { data } = read(JSON.stringify(payload) + blanks);
    expect(data).toEqual(payload.data);
  }
});

test('large bodies are refused and read like small ones', () => {
  const blanks = ' '.repeat(20_000);
  const numbers = ['{"data":1.}', '{"data":-}'];
  const texts = ['{"data":"\\x"}', '{"data":"\\u12g4"}', '{"data":"a\nb"}', '{"data":[1,]}', '{"data":1,}'];
  for (const text of [...wrong, ...malformed, ...numbers, ...texts, '{"data":tru}', '{"data":nul']) {
    expect(faultOf(text + blanks), text).toMatchObject({ status: 'parsingFailed' });
  }
  for (const text of ['null', '', '{}']) expect(read(text + blanks)).toMatchObject(nothing);
  const twice = `{"header":1,"data":1,"d\\u0061ta":[-0.5e+3,true,null,"ä\\n"],"header":{"user":"x"}}`;
  const { header, data } = read(twice + blanks);
  expect([header, data]).toEqual([{ user: 'x' }, [-500, true, null, 'ä\n']]);
});

const hex = '0123456789abcdef'.repeat(4);

test.each([
  new IssuedChallenge('SICK Sensor', hex, hex, [1, 2, 255]),
  new IssuedChallenge('a "realm" in ä\\', hex, '', []),
  { realm: '', nonce: 'a "nonce"', opaque: '\\', salt: [7] },
  {},
])('the reply with a challenge is the JSON of the challenge: %o', (challenge) => {
  const { text, length } = responseBody(general.members.getChallenge, challenge);
  expect(text).toBe(JSON.stringify({ header: { status: 0, message: 'Ok' }, challenge }));
  expect(length).toBe(Buffer.byteLength(text));
});

test('a new salt, and a new realm with the same salt, are in the next reply', () => {
  const salts = [[1], [2], [1]];
  const [again = []] = salts;
  for (const [realm, salt] of [...salts.map((salt) => ['A', salt] as const), ['B', again] as const]) {
    const { text } = responseBody(general.members.getChallenge, new IssuedChallenge(realm, hex, hex, salt));
    expect(text).toContain(`"salt":${JSON.stringify(salt)}}`);
    expect(text).toContain(`"realm":"${realm}"`);
  }
});

/** Returns the name of the status of a refusal; undefined if nothing is refused. */
function statusOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

test.each([
  ['no data', undefined, 'parsingFailed'],
  ['data without a member', {}, 'parsingFailed'],
  ['a lone wrong key', { Location: 'x' }, 'invalidData'],
  ['the name in another case', { locationName: 'x' }, 'invalidData'],
  ['two wrong keys, so that the right one is missing', { Location: 'x', Name: 'x' }, 'parsingFailed'],
  ['an unknown member beside the right one', { LocationName: 'x', x: 1 }, 'invalidData'],
  ['a lone __proto__', JSON.parse('{"__proto__":{"LocationName":"x"}}'), 'invalidData'],
  ['a __proto__ beside the right one', JSON.parse('{"LocationName":"x","__proto__":null}'), 'invalidData'],
  ['a lone toString', { toString: 'x' }, 'invalidData'],
  ['data that is null', null, 'invalidData'],
  ['data that is an array', ['x'], 'invalidData'],
  ['data that is text', 'x', 'invalidData'],
])('a write with %s is refused with %s', (_, data, status) => {
  expect(valueOfPayload('LocationName', { LocationName: 'x' })).toBe('x');
  expect(statusOf(() => valueOfPayload('LocationName', data))).toBe(status);
});

test('a method without members ignores its data', () => {
  const { WriteEeprom } = general.members;
  for (const data of [undefined, null, {}, { x: 1 }, [], 'x', 5])
    expect(
      statusOf(() => argumentOf(WriteEeprom, data)),
      JSON.stringify(data),
    ).toBeUndefined();
});

test('a method with members takes all of its data, and needs some unless each member may be absent', () => {
  const { CreateParameterBackup } = backupRestore.members;
  const { EnableUserLevel } = general.members;
  const data = { userLevel: 2, x: 1 };
  expect(argumentOf(EnableUserLevel, data)).toBe(data);
  expect(statusOf(() => argumentOf(EnableUserLevel, undefined))).toBe('parsingFailed');
  expect(argumentOf(CreateParameterBackup, undefined)).toEqual({});
});
