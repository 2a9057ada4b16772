import { dataOf, service } from '@azimuth/test-support/client';
import { EditionScanner } from '@azimuth/test-support/edition-scanner';
import { expectData, expectStatus } from '@azimuth/test-support/envelope';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectRefused, expectTaken, path, tokenOf, upload } from './transfer.js';

const verbs = ['GET', 'PUT', 'POST'];

describe('a file transfer from release 2.3.1 on', () => {
  test.each([['GET'], ['PUT'], ['POST']])(
    'is HTTP 403 for a %s without a token, with the envelope',
    async (method) => {
      const client = (await TestScanner.start()).client();
      const reply = await client.send({ method, path, body: method === 'GET' ? '' : '{}' });
      expect(expectRefused(reply, 403, 4)).toMatch(/X-Session-Token: .*none was sent/);
    },
  );

  test('is 403 for PUT /update as well', async () => {
    const client = (await TestScanner.start()).client();
    expectRefused(await client.send({ method: 'PUT', path: '/api/update', body: 'x' }), 403, 4);
  });

  test('accepts a token any number of times, on every connection, until it expires', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    const headers = await tokenOf(client);
    for (const method of [...verbs.slice(1), ...verbs.slice(1)]) {
      expectTaken(await testScanner.client().send({ method, path, headers, body: '{}' }));
    }
    testScanner.clock.advance(599_999);
    expect((await client.send({ method: 'GET', path, headers })).httpStatus).toBe(200);
    testScanner.clock.advance(1);
    for (const method of verbs) expectRefused(await client.send({ method, path, headers, body: '' }), 403, 4);
  });

  test('refuses a forged token, an altered one, two tokens, and a token in another place', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    const headers = await tokenOf(client);
    const token = headers['X-Session-Token'];
    const forged = [
      '',
      'x',
      token.slice(1),
      `${token}0`,
      token.toUpperCase(),
      '00000000-0000-4000-8000-000000000000',
    ];
    for (const wrong of [...forged, `${token}, ${token}`, 'é'.repeat(36)]) {
      const request = { method: 'GET', path, headers: { 'X-Session-Token': wrong } };
      expectRefused(await client.send(request), 403, 4);
    }
    const twice = { 'X-Session-Token': [token, token] };
    expectRefused(await client.send({ method: 'GET', path, headers: twice }), 403, 4);
    expectRefused(await client.send({ method: 'GET', path: `${path}?X-Session-Token=${token}` }), 403, 4);
    expectRefused(await client.send({ method: 'GET', path, headers: { Cookie: token } }), 403, 4);
  });

  test('refuses a token of a level below Service', async () => {
    const testScanner = await TestScanner.start();
    for (const level of ['Run', 'Maintenance', 'AuthorizedClient'] as const) {
      const { token } = testScanner.service.device.features.sessionTokens.issue(level);
      const request = { method: 'GET', path, headers: { 'X-Session-Token': token } };
      expectRefused(await testScanner.client().send(request), 403, 4);
    }
  });

  test('refuses a token from before the reboot', async () => {
    const testScanner = await TestScanner.start();
    const headers = await tokenOf(testScanner.client());
    testScanner.service.device.lifecycle.reboot();
    testScanner.clock.advance(2000);
    await until(() => testScanner.service.ports.http !== null);
    expectRefused(await testScanner.client().send({ method: 'GET', path, headers }), 403, 4);
  });

  test('that is refused reads the whole body, and the connection can be used again', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    const body = Buffer.alloc(20 * 1024 * 1024);
    expectRefused(await client.send({ method: 'PUT', path, body }), 403, 4);
    expectRefused(
      await client.send({ method: 'PUT', path, headers: { Expect: '100-continue' }, body }),
      403,
      4,
    );
    expect(dataOf(await client.get('SerialNumber'))).toEqual({ SerialNumber: '12345678' });
  });

  test('that is refused is answered before its body has arrived', async () => {
    const testScanner = await TestScanner.start();
    const connection = await RawConnection.open(testScanner.httpPort);
    connection.request(`PUT ${path}`, ['Content-Length: 100000000']);
    expect((await connection.response()).statusLine).toContain('403');
    // The rest may still come, but not for ever.
    connection.write(Buffer.alloc(100_000));
    expect(connection.isClosed).toBe(false);
    testScanner.clock.advance(10_000);
    await connection.closed;
  });

  test('refuses a verb that the file does not have, with a token or without', async () => {
    const client = (await TestScanner.start()).client();
    const withToken = await tokenOf(client);
    for (const headers of [{}, withToken]) {
      expectStatus(await client.send({ method: 'DELETE', path, headers }), 5);
    }
  });

  test('keeps tokens out of the log', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    const headers = await tokenOf(client);
    await upload(client, '{}');
    await client.send({ method: 'PUT', path, headers, body: '' });
    expect(JSON.stringify(testScanner.log)).not.toContain(headers['X-Session-Token']);
  });
});

describe('release 2.2.0', () => {
  test('needs no token, and has no CreateSessionToken', async () => {
    const scanner = await EditionScanner.start({ release: '2.2.0', variant: 'full' });
    onTestFinished(() => scanner.close());
    const { client } = scanner;
    expectStatus(await client.call('CreateSessionToken'), 5);
    expectRefused(await client.send({ method: 'GET', path }), 404, 5);
    expectTaken(await client.send({ method: 'PUT', path, body: '{}' }));
    expectTaken(await client.send({ method: 'POST', path, headers: { 'X-Session-Token': 'x' }, body: '{}' }));
    expect((await client.send({ method: 'GET', path })).text).toBe('{}');
  });
});

const basic = (text: string) => ({
  Authorization: `Basic ${Buffer.from(text, 'utf8').toString('base64')}`,
});

describe('CreateSessionToken by HTTP Basic', () => {
  test('returns a token for user and password, with any body that has no header', async () => {
    const client = (await TestScanner.start()).client();
    for (const body of ['', 'null', '{}', '{"data":{}}']) {
      const data = dataOf(await client.postText('CreateSessionToken', body, basic('Service:servicelevel')));
      expect(data).toEqual({ token: expect.stringMatching(/^[0-9a-f-]{36}$/), timeToLive: 600 });
      const headers = { 'X-Session-Token': String(data.token) };
      expectTaken(await client.send({ method: 'PUT', path, headers, body: '{}' }));
    }
  });

  test('accepts a password with characters outside ASCII, in UTF-8 or Latin-1, and with colons', async () => {
    const testScanner = await TestScanner.start({ passwords: { Service: 'grün:3' } });
    const client = testScanner.client();
    for (const encoding of ['utf8', 'latin1'] as const) {
      const Authorization = `basic  ${Buffer.from('Service:grün:3', encoding).toString('base64')}`;
      expect(dataOf(await client.postText('CreateSessionToken', '', { Authorization })).timeToLive).toBe(600);
    }
  });

  test('is status 4 for a wrong password, another level, and other schemes', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    const post = (headers: Record<string, string>) => client.postText('CreateSessionToken', '', headers);
    for (const headers of [
      basic('Service:wrong'),
      basic('AuthorizedClient:client'),
      basic('Run:'),
      basic('service:servicelevel'),
      basic('servicelevel'),
      { Authorization: 'Basic' },
      { Authorization: 'Basic !!!' },
      { Authorization: `Bearer ${Buffer.from('Service:servicelevel').toString('base64')}` },
    ]) {
      expectStatus(await post(headers), 4);
    }
    testScanner.service.device.access.loginSucceeded('Service');
    await client.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
    expectStatus(await post(basic('AuthorizedClient:client')), 4);
  });

  test('counts with the other failed logins, and shares their lock', async () => {
    const testScanner = await TestScanner.start();
    const client = testScanner.client();
    for (let failures = 0; failures < 4; failures++) {
      expectStatus(await client.postText('CreateSessionToken', '', basic('Service:wrong')), 4);
    }
    expectStatus(await client.call('checkCredentials', undefined, { ...service, password: 'wrong' }), 4);
    expectStatus(await client.postText('CreateSessionToken', '', basic('Service:servicelevel')), 4);
    expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
    testScanner.clock.advance(30_000);
    expectStatus(await client.postText('CreateSessionToken', '', basic('Service:servicelevel')), 0);
  });

  test('resets the count of failed logins on success, and does not count unknown names', async () => {
    const client = (await TestScanner.start()).client();
    for (let round = 0; round < 3; round++) {
      for (let failures = 0; failures < 4; failures++) {
        expectStatus(await client.postText('CreateSessionToken', '', basic('Service:wrong')), 4);
        expectStatus(await client.postText('CreateSessionToken', '', basic('Nobody:wrong')), 4);
      }
      expectStatus(await client.postText('CreateSessionToken', '', basic('Service:servicelevel')), 0);
    }
  });

  test('is ignored if the body has a header, and for any other method', async () => {
    const client = (await TestScanner.start()).client();
    const wrong = '{"header":{}}';
    expectStatus(await client.postText('CreateSessionToken', wrong, basic('Service:servicelevel')), 4);
    expectStatus(await client.postText('WriteEeprom', '', basic('Service:servicelevel')), 4);
    const header = await client.header('CreateSessionToken');
    const body = JSON.stringify({ header });
    expectStatus(await client.postText('CreateSessionToken', body, basic('Service:wrong')), 0);
  });

  test('is ignored beside a token in a transfer, and is no token itself', async () => {
    const client = (await TestScanner.start()).client();
    const right = basic('Service:servicelevel');
    expectRefused(await client.send({ method: 'PUT', path, headers: right, body: '{}' }), 403, 4);
    const token = await tokenOf(client);
    for (const login of [right, basic('Service:wrong'), { Authorization: 'Basic !!!' }]) {
      expectTaken(await client.send({ method: 'PUT', path, headers: { ...token, ...login }, body: '{}' }));
      const upload = { method: 'PUT', path: '/api/update', headers: { ...token, ...login }, body: 'x' };
      expect((await client.send(upload)).httpStatus).not.toBe(403);
    }
    // Wrong passwords beside a token do not count as failed logins.
    expectStatus(await client.call('checkCredentials'), 0);
  });

  test('keeps the password out of the log', async () => {
    const testScanner = await TestScanner.start();
    await testScanner.client().postText('CreateSessionToken', '', basic('Service:hush-hush'));
    expect(JSON.stringify(testScanner.log)).toContain('A login failed');
    expect(JSON.stringify(testScanner.log)).not.toMatch(/hush|aHVzaA|U2Vydm/);
  });

  test('does not affect CreateSessionToken by challenge', async () => {
    const client = (await TestScanner.start()).client();
    expectData(await client.call('CreateSessionToken'), {
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timeToLive: 600,
    });
    expectStatus(await client.post('CreateSessionToken'), 4);
  });
});
