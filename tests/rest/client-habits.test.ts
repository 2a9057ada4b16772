import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answer, type Client, type Reply, readChallenge, service } from '../support/client.js';
import { expectData, expectDone, expectStatus, messages } from '../support/envelope.js';
import { resetFailedLogins } from '../support/failed-logins.js';
import { object, parse } from '../support/json.js';
import { RawConnection, type RawResponse } from '../support/raw-connection.js';
import { sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

/** A client that keeps one connection for everything. */
function keepingAlive(): Client {
  const keeping = scanner().client({ keepAlive: true });
  onTestFinished(() => keeping.close());
  return keeping;
}

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(client().port);
  onTestFinished(() => connection.destroy());
  return connection;
}

function statusIn({ body }: RawResponse): unknown {
  return object(object(parse(body)).header).status;
}

describe('a client that opens a connection for each request', () => {
  test('is answered whole before the connection closes', async () => {
    const connection = await open();
    connection.request('GET /api/LocationName', ['Connection: close']);
    expect(statusIn(await connection.response())).toBe(0);
    await connection.closed;
  });

  test('logs in and writes over three connections', async () => {
    const headers = { Connection: 'close', 'Content-Type': 'application/json' };
    const body = '{"data":{"user":"Service"}}';
    const challenge = readChallenge(await client().postText('getChallenge', body, headers));
    const header = answer(challenge, service, 'ScanDataEnable');
    const text = JSON.stringify({ header, data: { ScanDataEnable: true } });
    expectDone(await client().postText('ScanDataEnable', text, headers));
    expect(await client().value('ScanDataEnable')).toBe(true);
  });
});

describe('a client that speaks HTTP in its own way', () => {
  test('is served over HTTP/1.0, without a Host', async () => {
    const connection = await open();
    connection.write('GET /api/DeviceStatus HTTP/1.0\r\n\r\n');
    expect(statusIn(await connection.response())).toBe(0);
    await connection.closed;
  });

  test('may wait for leave to send its body', async () => {
    const body = '{"data":{"user":"Service"}}';
    expectStatus(await client().postText('getChallenge', body, { Expect: '100-continue' }), 0);
  });

  test('may send a body with a read', async () => {
    const reply = await client().send({ method: 'GET', path: '/api/DeviceStatus', body: '{"data":1}' });
    expectData(reply, { DeviceStatus: 3 });
  });

  test('or something that is no HTTP at all, which costs it its connection and nobody else anything', async () => {
    for (const text of ['sRN DeviceIdent\r\n\r\n', '\u0002sRN DeviceIdent\u0003\r\n\r\n', '{}\r\n\r\n']) {
      const connection = await open();
      connection.write(text);
      await connection.closed;
    }
    expectStatus(await client().get('DeviceStatus'), 0);
  });
});

describe('a client that keeps its connection', () => {
  test('does all over one', async () => {
    const keeping = keepingAlive();
    for (const value of [1, 2, 3]) {
      expectDone(await keeping.write('ScanDataFormat', value));
      expect(await keeping.value('ScanDataFormat')).toBe(value);
    }
    expectStatus(await keeping.get('Nothing'), 5);
    expectStatus(await keeping.postText('getChallenge', 'not JSON'), 1);
    expectStatus(await keeping.get('DeviceStatus'), 0);
  });

  test('gets the answers to requests that it sends without waiting in their order', async () => {
    const connection = await open();
    for (const name of ['SerialNumber', 'Nothing', 'DeviceStatus']) connection.request(`GET /api/${name}`);
    connection.request('POST /api/getChallenge', [], '{"data":{"user":"Service"}}');
    connection.request('POST /api/GetWebserverEnabled', [], 'null');
    const statuses: unknown[] = [];
    for (let count = 0; count < 5; count++) statuses.push(statusIn(await connection.response()));
    expect(statuses).toEqual([0, 5, 0, 0, 0]);
  });

  test('may send a request byte by byte', async () => {
    const connection = await open();
    connection.socket.setNoDelay(true);
    const body = '{"data":{"user":"Service"}}';
    const request = `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const character of request) connection.write(character);
    expect(statusIn(await connection.response())).toBe(0);
  });

  test('may break off in the middle of a body, and nobody else notices', async () => {
    for (let count = 0; count < 20; count++) {
      const connection = await open();
      connection.write('POST /api/getChallenge HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
      connection.destroy();
      await connection.closed;
    }
    expectStatus(await client().get('DeviceStatus'), 0);
  });
});

describe('a client that sends null or an empty object where there is no payload', () => {
  test.each(['null', '{}', ''])('gets through with %j', async (body) => {
    expectData(await client().postText('GetWebserverEnabled', body), { IsEnabled: true });
    expectData(await client().postText('GetWebserverEnabled', body, { 'Content-Type': 'application/json' }), {
      IsEnabled: true,
    });
  });

  test('beside the header of a protected call', async () => {
    for (const data of [null, {}]) {
      expectData(await client().call('WriteEeprom', data), { Success: true });
    }
  });
});

describe('a client that sends a header with every POST', () => {
  const calls = [
    ['getChallenge', { user: 'Service' }],
    ['GetWebserverEnabled', undefined],
    ['changePassword', { encryptedMessage: [], userLevel: 'Run' }],
  ] as const;

  test.each(calls)('is served by %s, whether the header is right', async (name, data) => {
    const header = await client().header(name);
    expectStatus(await client().post(name, { header, data }), 0);
  });

  test.each(calls)('is served by %s, whether the header is wrong', async (name, data) => {
    const right = await client().header(name);
    for (const header of [
      { ...right, response: '0'.repeat(64) },
      { ...right, user: 'Nobody' },
      {},
      null,
      'x',
      [],
    ]) {
      expectStatus(await client().post(name, { header, data }), 0);
    }
    expectDone(await client().call('checkCredentials'));
  });
});

describe('what every answer has', () => {
  test('a status and the message that belongs to it, in every kind of failure', async () => {
    const replies: Reply[] = [
      await client().get('DeviceStatus'),
      await client().get('Nothing'),
      await client().post('DeviceStatus', {}),
      await client().postText('getChallenge', '{'),
      await client().post('getChallenge', { data: { user: 1 } }),
      await client().post('getChallenge', { data: { user: 'Nobody' } }),
      await client().post('getChallenge', { data: { user: 'Authorized Client' } }),
      await client().post('WriteEeprom'),
      await client().write('EtherIPMask', [1, 1, 1, 256]),
      await client().write('EtherAddressingMode', 7),
    ];
    const statuses = replies.map(({ text }) => object(object(parse(text)).header));
    for (const { status, message } of statuses) expect(message).toBe(messages.get(Number(status)));
    expect(statuses.map(({ status }) => status)).toEqual([0, 5, 8, 1, 2, 3, 7, 4, 6, 9]);
  });

  test('numbers for enumerations, booleans for booleans, all members of a list', async () => {
    expect(await client().value('EtherAddressingMode')).toBe(0);
    expect(typeof (await client().value('ScanDataEnable'))).toBe('boolean');
    for (const name of ['EtherIPAddress', 'EtherIPMask', 'EtherIPAddressDHCP', 'TSCTCSrvAddr']) {
      expect(await client().value(name), name).toHaveLength(4);
    }
  });

  test('new network values at once, before EthernetUpdate', async () => {
    expectDone(await client().write('EtherIPAddress', [192, 168, 0, 7]));
    expect(await client().value('EtherIPAddress')).toEqual([192, 168, 0, 7]);
    expectDone(await client().call('EthernetUpdate'));
    expect(await client().value('EtherIPAddress')).toEqual([192, 168, 0, 7]);
  });
});
