import { call, get, post, write } from '../steps/index.js';
import type { Area } from './case.js';
import { caseList } from './case-list.js';
import { headerOf, nothingBut, withMessage } from './envelopes.js';

const json = { 'content-type': { pattern: '^application/json *(;.*)?$' } } as const;

const reads = caseList(
  'status',
  { place: 'specification: Errors', level: 'must', stage: 'read' },
  {
    id: 'ok',
    clause: 'A successful read answers HTTP 200 with status 0 and the message Ok.',
    steps: [get('SerialNumber', { status: 0, body: { has: { header: headerOf(0) } } })],
  },
  {
    id: 'read-members',
    clause: 'The answer to a read has the members header and data.',
    place: 'specification: Message conventions',
    steps: [
      get('SerialNumber', {
        status: 0,
        body: { exactly: { header: { present: true }, data: { present: true } } },
      }),
    ],
  },
  {
    id: 'read-key',
    clause: 'The key in data is the name of the endpoint, with the same letters.',
    place: 'specification: Message conventions',
    steps: [get('SerialNumber', { status: 0, data: { exactly: { SerialNumber: { present: true } } } })],
  },
  {
    id: 'content-type',
    clause: 'The answer to a read is application/json.',
    place: 'specification: Message conventions',
    steps: [get('SerialNumber', { status: 0, headers: json })],
  },
  {
    id: 'content-type-of-failure',
    clause: 'The answer to a request that fails is application/json, too.',
    place: 'specification: Message conventions',
    steps: [
      get('ThereIsNoSuchName', { status: 5, headers: json }),
      post('getChallenge', { status: 1, headers: json }, { body: '{' }),
    ],
  },
  {
    id: 'unknown-endpoint',
    clause: 'A name that the interface does not have answers status 5, Not Found, with HTTP 200.',
    steps: [get('ThereIsNoSuchName', withMessage(5))],
  },
  {
    id: 'post-to-unknown-endpoint',
    clause: 'A POST to a name that the interface does not have answers status 5, with HTTP 200.',
    steps: [post('ThereIsNoSuchName', { status: 5 }, { data: { ThereIsNoSuchName: 1 } })],
  },
  {
    id: 'no-data-on-failure',
    clause: 'The answer to a read that fails has a header, and no data.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [get('ThereIsNoSuchName', nothingBut(5))],
  },
  {
    id: 'no-challenge-on-failure',
    clause: 'A getChallenge that fails answers a header, and no challenge.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [post('getChallenge', nothingBut(3), { data: { user: 'Nobody' } })],
  },
  {
    id: 'get-on-method',
    clause: 'A GET of a method answers status 5: the method of HTTP is wrong.',
    steps: [get('WriteEeprom', { status: 5 }), get('getChallenge', { status: 5 })],
  },
  {
    id: 'parsing-failed',
    clause: 'A body that is not valid JSON answers status 1, Parsing Failed, with HTTP 200.',
    steps: [post('getChallenge', withMessage(1), { body: '{"data":{"user":"Service"}' })],
  },
  {
    id: 'missing-data',
    clause: 'A POST without data that the endpoint needs answers status 1.',
    steps: [post('getChallenge', { status: 1 }, { body: {} })],
  },
  {
    id: 'missing-member',
    clause: 'A POST whose data lacks a required field answers status 1.',
    steps: [post('getChallenge', { status: 1 }, { data: {} })],
  },
  {
    id: 'invalid-data',
    clause: 'A value of a wrong type answers status 2, Invalid Data, with HTTP 200.',
    steps: [post('getChallenge', withMessage(2), { data: { user: 4 } })],
  },
  {
    id: 'internal-server-error',
    clause: 'getChallenge with an unknown user name answers status 3, Internal Server Error, with HTTP 200.',
    steps: [post('getChallenge', withMessage(3), { data: { user: 'Nobody' } })],
  },
  {
    id: 'access-denied',
    clause: 'A POST without the header of a login answers status 4, Access Denied, with HTTP 200.',
    steps: [post('WriteEeprom', withMessage(4), { body: {} })],
  },
  {
    id: 'write-without-header',
    clause: 'A POST that writes, without the header of a login, answers status 4, Access Denied.',
    steps: [post('LocationName', { status: 4 }, { data: { LocationName: 'x' } })],
  },
  {
    id: 'nothing-but-access-denied',
    clause: 'A refused POST answers a header, and nothing else.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [post('WriteEeprom', nothingBut(4), { body: {} })],
  },
  {
    id: 'out-of-bounds',
    clause: 'The level name Authorized Client with a blank answers status 7, Out Of Bounds, with HTTP 200.',
    steps: [post('getChallenge', withMessage(7), { data: { user: 'Authorized Client' } })],
  },
  {
    id: 'read-only',
    clause: 'A POST to a read-only variable answers status 8, Read Only, with HTTP 200.',
    steps: [post('SerialNumber', withMessage(8), { data: { SerialNumber: '1' } })],
  },
);

const writes = caseList(
  'status',
  { place: 'specification: Errors', level: 'must', stage: 'write' },
  {
    id: 'method-with-login',
    clause: 'A method that succeeds answers status 0 with the message Ok.',
    place: 'specification: Endpoints, General',
    steps: [call('checkCredentials', undefined, withMessage(0))],
  },
  {
    id: 'method-without-result',
    clause: 'A method without a result answers a header, and nothing else.',
    place: 'specification: Endpoints, General',
    steps: [call('checkCredentials', undefined, nothingBut(0))],
  },
  {
    id: 'write',
    clause: 'A write answers a header with status 0, and nothing else.',
    place: 'specification: Writable variables',
    steps: [
      get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
      write('LocationName', { saved: 'before' }, nothingBut(0)),
    ],
  },
  {
    id: 'write-other-key',
    clause: 'A write whose key in data is not the name of the endpoint answers status 2.',
    steps: [call('LocationName', { EtherIPMask: 'Gate 3' }, { status: 2 })],
  },
  {
    id: 'write-other-case',
    clause: 'A write whose key in data has other capitals than the endpoint answers status 2.',
    steps: [call('LocationName', { locationname: 'Gate 3' }, { status: 2 })],
  },
  {
    id: 'write-unknown-member',
    clause: 'A write with a further key beside the name of the endpoint answers status 2.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [call('LocationName', { LocationName: 'Gate 3', Other: 1 }, { status: 2 })],
  },
  {
    id: 'write-null',
    clause: 'A write of null answers status 2.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [write('LocationName', null, { status: 2 })],
  },
  {
    id: 'write-no-object',
    clause: 'A write whose data is no object answers status 2.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [call('LocationName', 'Gate 3', { status: 2 }), call('LocationName', ['Gate 3'], { status: 2 })],
  },
  {
    id: 'write-without-data',
    clause: 'A write without data answers status 1.',
    steps: [call('LocationName', undefined, { status: 1 })],
  },
  {
    id: 'write-empty-data',
    clause: 'A write with data that has no members answers status 1.',
    steps: [call('LocationName', {}, { status: 1 })],
  },
  {
    id: 'refused-write',
    clause: 'A write that is refused changes nothing.',
    steps: [
      get('EtherIPMask', { status: 0 }, { save: { before: 'data.EtherIPMask' } }),
      write('EtherIPMask', [255, 255, 255], { status: 7 }),
      post('EtherIPMask', { status: 4 }, { data: { EtherIPMask: [255, 0, 0, 0] } }),
      get('EtherIPMask', { status: 0, data: { has: { EtherIPMask: { isSaved: 'before' } } } }),
    ],
  },
  {
    id: 'out-of-range',
    clause: 'A number outside of its range answers status 6, Out Of Range, with HTTP 200.',
    steps: [write('EtherIPMask', [255, 255, 256, 0], withMessage(6))],
  },
  {
    id: 'too-long',
    clause: 'A text that is too long answers status 7, Out Of Bounds.',
    steps: [write('LocationName', 'x'.repeat(33), withMessage(7))],
  },
  {
    id: 'illegal-value',
    clause: 'A number that the enumeration does not have answers status 9, Illegal Value, with HTTP 200.',
    steps: [write('EtherAddressingMode', 7, withMessage(9))],
  },
  {
    id: 'read-only-with-login',
    clause: 'A POST to a read-only variable answers status 8, whoever asks.',
    steps: [write('SerialNumber', '12345678', { status: 8 })],
  },
  {
    id: 'invalid-challenge',
    clause: 'A POST whose challenge was invalidated answers status 10, Invalid Challenge, with HTTP 200.',
    steps: [
      post('getChallenge', { status: 0 }, { data: { user: 'Service' }, save: { first: 'challenge' } }),
      post('getChallenge', { status: 0 }, { data: { user: 'Maintenance' } }),
      post('checkCredentials', withMessage(10), { login: { level: 'Service', challenge: 'first' } }),
    ],
    cleanup: [call('checkCredentials', undefined)],
  },
);

/** Statuses and messages of the envelope. */
export const statusArea: Area = {
  name: 'status',
  title: 'Statuses and messages',
  cases: () => [...reads, ...writes],
};
