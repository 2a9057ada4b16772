import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, dataOf, headerFor, service, statusOf } from '@azimuth/test-support/client';
import { firmware, signer } from '@azimuth/test-support/firmware';
import { object, string } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

interface Scene {
  readonly scannerFolder: ScannerFolder;
  readonly scanner: ScannerProcess;
  readonly client: Client;
}

async function scene(flags: readonly string[] = []): Promise<Scene> {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start(flags);
  return { scannerFolder, scanner, client: scanner.client() };
}

async function tokenOf(client: Client): Promise<string> {
  return string(dataOf(await client.call('CreateSessionToken')).token);
}

const get = (client: Client, path: string, token?: string) =>
  client.send({ method: 'GET', path, headers: token === undefined ? {} : { 'X-Session-Token': token } });

describe('an attacker', () => {
  it('cannot log in with a forged challenge or one of another scanner', async () => {
    const [{ client }, other] = [await scene(), await scene()];
    const foreign = await other.client.challenge();
    const own = await client.challenge();
    for (const challenge of [
      foreign,
      { ...own, nonce: '0'.repeat(64) },
      { ...own, nonce: own.nonce.slice(0, 32) + foreign.nonce.slice(32) },
    ]) {
      const header = headerFor(challenge, service, 'WriteEeprom');
      expect(statusOf(await client.post('WriteEeprom', { header }))).toBe(4);
    }
  });

  it('cannot use a session token of another boot, of another scanner, altered or expired', async () => {
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

  it('cannot read other files, however their path is written', async () => {
    const { scannerFolder, client } = await scene();
    await client.call('DoDiagnosisDump');
    const secret = readFileSync(join(scannerFolder.folder, 'credentials.json'), 'latin1');
    for (const path of [
      'credentials.json',
      '../credentials.json',
      '..%2Fcredentials.json',
      '..%252Fcredentials.json',
      '%2e%2e%2fcredentials.json',
      '..%5Ccredentials.json',
      `${encodeURIComponent(scannerFolder.folder)}%2Fcredentials.json`,
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

  it('cannot install firmware that is older, unsigned, signed with another key, or altered', async () => {
    const scannerFolder = new ScannerFolder();
    const trusted = signer(join(scannerFolder.folder, 'key.pem'));
    const foreign = signer(join(scannerFolder.folder, 'other.pem'));
    const scanner = await scannerFolder.start([
      '--firmware',
      '2.3.1',
      '--firmware-key',
      join(scannerFolder.folder, 'key.pem'),
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
});
