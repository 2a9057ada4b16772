import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, type Client, dataOf, maintenance, service, statusOf } from './support/client.js';
import { firmware, signer } from './support/firmware.js';
import { object, string } from './support/json.js';
import { RawConnection } from './support/raw-connection.js';
import { Bench, type ScannerProcess } from './support/scanner-process.js';
import { until } from './support/waiting.js';

/** Somebody who wants in, with all that can be seen from outside, and what he has overheard. */
interface Scene {
  readonly bench: Bench;
  readonly scanner: ScannerProcess;
  readonly client: Client;
}

async function scene(flags: readonly string[] = []): Promise<Scene> {
  const bench = new Bench();
  const scanner = await bench.start(flags);
  return { bench, scanner, client: scanner.client() };
}

async function tokenOf(client: Client): Promise<string> {
  return string(dataOf(await client.call('CreateSessionToken')).token);
}

const get = (client: Client, path: string, token?: string) =>
  client.send({ method: 'GET', path, headers: token === undefined ? {} : { 'X-Session-Token': token } });

describe('somebody who wants in', () => {
  it('gains nothing by a login that he has overheard: not for the same, not for another endpoint', async () => {
    const { client } = await scene();
    const header = await client.header('LocationName');
    expect(statusOf(await client.post('LocationName', { header, data: { LocationName: 'mine' } }))).toBe(0);
    for (const name of ['LocationName', 'WriteEeprom', 'RebootDevice']) {
      const reply = await client.post(name, { header, data: { LocationName: 'his' } });
      expect([statusOf(reply), await client.value('LocationName')], name).toEqual([10, 'mine']);
    }
    const fresh = await client.header('checkCredentials');
    expect(statusOf(await client.post('WriteEeprom', { header: fresh }))).toBe(4);
  });

  it('gains nothing by a challenge of his own making, or of another scanner', async () => {
    const [{ client }, other] = [await scene(), await scene()];
    const foreign = await other.client.challenge();
    const own = await client.challenge();
    for (const challenge of [
      foreign,
      { ...own, nonce: '0'.repeat(64) },
      { ...own, nonce: own.nonce.slice(0, 32) + foreign.nonce.slice(32) },
    ]) {
      const header = answer(challenge, service, 'WriteEeprom');
      expect(statusOf(await client.post('WriteEeprom', { header }))).toBe(4);
    }
  });

  it('gains nothing by claiming a higher level than he has the password of', async () => {
    const { client } = await scene();
    await client.call('EnableUserLevel', { userLevel: 2, isEnabled: true });
    const challenge = await client.challenge('Maintenance');
    const header = answer(challenge, maintenance, 'WriteEeprom');
    expect(statusOf(await client.post('WriteEeprom', { header: { ...header, user: 'Service' } }))).toBe(4);
    expect(statusOf(await client.call('WriteEeprom', undefined, maintenance))).toBe(4);
  });

  it('gains nothing by tokens: of another boot, of another scanner, altered, or expired', async () => {
    const { scanner, client } = await scene();
    await client.call('CreateParameterBackup');
    const token = await tokenOf(client);
    const foreign = await tokenOf((await scene()).client);
    const last = token.endsWith('0') ? '1' : '0';
    for (const wrong of [undefined, '', foreign, token.slice(0, -1) + last, `${token} `.repeat(2)]) {
      expect((await get(client, '/api/parameterbackup', wrong)).httpStatus).toBe(403);
    }
    expect((await get(client, '/api/parameterbackup', token)).httpStatus).toBe(200);
    await scanner.advance(600_000);
    expect((await get(client, '/api/parameterbackup', token)).httpStatus).toBe(403);
    const second = await tokenOf(client);
    await scanner.throughReboot(() => client.call('SoftReset', { ProcessorNbr: 0 }));
    expect((await get(client, '/api/parameterbackup', second)).httpStatus).toBe(403);
  });

  it('gets no file of the machine, however he writes its path', async () => {
    const { bench, client } = await scene();
    await client.call('DoDiagnosisDump');
    const secret = readFileSync(join(bench.folder, 'credentials.json'), 'latin1');
    for (const path of [
      'credentials.json',
      '../credentials.json',
      '..%2Fcredentials.json',
      '..%252Fcredentials.json',
      '%2e%2e%2fcredentials.json',
      '..%5Ccredentials.json',
      `${encodeURIComponent(bench.folder)}%2Fcredentials.json`,
      'diagnosisDump.zip%00credentials.json',
      '/etc/passwd',
      'file:///etc/passwd',
      './diagnosisDump.zip/../credentials.json',
    ]) {
      const reply = await client.send({ method: 'GET', path: `/api/crown/file?filePath=${path}` });
      expect([400, 404], path).toContain(reply.httpStatus);
      expect(reply.text).not.toContain(secret.slice(20, 60));
      expect(reply.text).not.toContain('root:');
    }
  });

  it('puts no firmware on it that is older, unsigned, signed by another, or altered', async () => {
    const bench = new Bench();
    const trusted = signer(join(bench.folder, 'key.pem'));
    const foreign = signer(join(bench.folder, 'other.pem'));
    const scanner = await bench.start([
      '--firmware',
      '2.3.1',
      '--firmware-key',
      join(bench.folder, 'key.pem'),
    ]);
    const client = scanner.client();
    const signed = firmware({ release: '2.4.4', key: trusted });
    const altered = Buffer.from(signed);
    altered[30] = (altered[30] ?? 0) ^ 1;
    for (const file of [
      firmware({ release: '2.2.0', key: trusted }),
      firmware({ release: '2.4.4' }),
      firmware({ release: '2.4.4', key: foreign }),
      altered,
      signed.subarray(0, -64),
    ]) {
      const headers = { 'X-Session-Token': await tokenOf(client) };
      const reply = await client.send({ method: 'PUT', path: '/api/update', headers, body: file });
      expect(reply.httpStatus).toBe(200);
      expect(statusOf(await client.call('RunFirmwareUpdate'))).toBe(0);
      await scanner.advance(5000);
      await until(async () => (await client.value('UpdateState')) === 3);
    }
    await scanner.advance(10_000);
    expect(await scanner.isUp()).toBe(true);
    expect(object(await client.value('DeviceIdent')).Version).toBe('2.3.1.0R');
  });

  it('keeps nobody out with uploads that he begins and never ends', async () => {
    const { scanner, client } = await scene();
    const token = await tokenOf(client);
    const begun = [
      `PUT /api/parameterbackup HTTP/1.1\r\nHost: x\r\nX-Session-Token: ${token}\r\nContent-Length: 16000000\r\n\r\n{`,
      'PUT /api/update HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\nx',
      'POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{',
    ];
    const connections = await Promise.all(
      Array.from({ length: 150 }, () => RawConnection.open(Number(scanner.httpPort))),
    );
    for (const [index, connection] of connections.entries()) connection.write(begun[index % 3] ?? '');
    expect(statusOf(await client.write('LocationName', 'served'))).toBe(0);
    expect(await client.value('LocationName')).toBe('served');
    for (const connection of connections) connection.destroy();
  });

  it('finds no password in what lies on the disk', async () => {
    const { bench, scanner } = await scene(['--password', 'Service=a-long-secret-4711']);
    await scanner.stop();
    const content = readFileSync(join(bench.folder, 'credentials.json'), 'latin1');
    const unsalted = createHash('sha256').update('Service:SICK Sensor:a-long-secret-4711').digest('hex');
    expect(content).not.toContain('a-long-secret-4711');
    expect(content).not.toContain(unsalted);
  });
});
