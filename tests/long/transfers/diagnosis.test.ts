import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import {
  authorizedClient,
  type Client,
  dataOf,
  hash1,
  service,
  statusOf,
} from '@azimuth/test-support/client';
import { filesIn } from '@azimuth/test-support/files';
import { object, parse } from '@azimuth/test-support/json';
import { changePassword } from '@azimuth/test-support/password-change';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { unzip } from '@azimuth/test-support/unzip';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const dumpPath = '/api/crown/file?filePath=diagnosisDump.zip';

async function fetched(scanner: ScannerProcess, path = dumpPath): Promise<Response> {
  return fetch(`http://127.0.0.1:${scanner.httpPort}${path}`);
}

async function archiveOf(scanner: ScannerProcess, path = dumpPath): Promise<Uint8Array> {
  const response = await fetched(scanner, path);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** The HTTP status and the envelope's status of a GET with exactly this target. */
async function refusalOf(scanner: ScannerProcess, target: string) {
  const connection = await RawConnection.open(Number(scanner.httpPort));
  connection.request(`GET ${target}`);
  const { statusLine, headers, body } = await connection.response();
  connection.destroy();
  const header = object(object(parse(body)).header);
  return {
    http: Number(statusLine.split(' ')[1]),
    status: header.status,
    type: headers.get('content-type'),
    body,
  };
}

async function dump(client: Client, data?: unknown) {
  return dataOf(await client.call('DoDiagnosisDump', data));
}

describe('a diagnostic archive', () => {
  it.each([
    ['before 1970', 'Europe/Berlin', { uiYear: 1970, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 30 }, 0],
    ['before 1980', 'UTC', { uiYear: 1975, usiMonth: 6, usiDay: 1, usiHour: 0, usiMinute: 0 }, 170_812_800],
  ])('is created while the clock shows a time %s', async (_, TZ, time, seconds) => {
    const scanner = await new ScannerFolder().start([], { env: { TZ } });
    const client = scanner.client();
    const DateTime = { ...time, usiSec: 0, udiUSec: 0 };
    expect(dataOf(await client.call('LSPsetdatetime', { DateTime }))).toEqual({ ErrorCode: 0 });
    expect(await dump(client, {})).toEqual({ Successfull: true, Successful: true });
    const { DiagDumpExists, DiagDumpTimestamp } = dataOf(await client.post('GetDiagnosisDumpInfo'));
    expect(DiagDumpExists).toBe(true);
    expect(Number(DiagDumpTimestamp) - seconds).toBeLessThan(60);
    expect(DiagDumpTimestamp).toBeGreaterThanOrEqual(seconds);
    const files = await unzip(await archiveOf(scanner));
    expect(object(parse(files.get('status.json') ?? '')).deviceClock).toBeDefined();
    expect(await client.value('DeviceStatus')).toBe(3);
  });

  it('can be fetched under its usual name and the requested name', async () => {
    const scanner = await new ScannerFolder().start(['--serial', '23450001'], { env: { TZ: 'UTC' } });
    const client = scanner.client();
    const day = { uiYear: 2031, usiMonth: 5, usiDay: 17 };
    const DateTime = { ...day, usiHour: 8, usiMinute: 30, usiSec: 15, udiUSec: 0 };
    expect(dataOf(await client.call('LSPsetdatetime', { DateTime }))).toEqual({ ErrorCode: 0 });
    expect(await refusalOf(scanner, dumpPath)).toMatchObject({ http: 404, status: 5 });
    expect(dataOf(await client.post('GetDiagnosisDumpInfo'))).toEqual({
      DiagDumpExists: false,
      DiagDumpTimestamp: 0,
    });

    expect(await dump(client, { DoRunlevelLoop: true, Output: 'gate 3.zip' })).toEqual({
      Successfull: true,
      Successful: true,
    });
    const { DiagDumpExists, DiagDumpTimestamp } = dataOf(await client.post('GetDiagnosisDumpInfo'));
    expect(DiagDumpExists).toBe(true);
    const before = Date.UTC(2031, 4, 17, 8, 30, 15) / 1000;
    expect(DiagDumpTimestamp).toBeGreaterThanOrEqual(before);
    expect(DiagDumpTimestamp).toBeLessThan(before + 60);
    expect(await client.value('DeviceStatus')).toBe(3);

    const response = await fetched(scanner);
    const archive = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('Content-Type')).toBe('application/zip');
    expect(Number(response.headers.get('Content-Length'))).toBe(archive.length);
    expect(response.headers.get('Content-Disposition')).toBe(
      "attachment; filename*=UTF-8''diagnosisDump.zip",
    );
    expect(await archiveOf(scanner, '/api/crown/file?filePath=gate%203.zip')).toEqual(archive);
    const files = await unzip(archive);
    const described = await client.send({ method: 'GET', path: '/openapi.json' });
    expect(parse(files.get('openapi.json') ?? '')).toEqual(parse(described.text));
    expect(object(parse(files.get('variables.json') ?? '')).SerialNumber).toBe('23450001');
  });

  it.each(['full', 'basic'])(
    'contains what docs/diagnosis.md and its own page list: variant %s',
    async (variant) => {
      const scanner = await new ScannerFolder().start(['--variant', variant]);
      await dump(scanner.client(), {});
      const files = await unzip(await archiveOf(scanner));
      const page = readFileSync(new URL('../../../docs/diagnosis.md', import.meta.url), 'utf8');
      const rows = [...page.matchAll(/^\| `([\w-]+\.\w+)` \| (.*) \|$/gm)];
      const documented = rows
        .filter(([, , about = '']) => variant === 'full' || !about.includes('Not in variant `basic`'))
        .map(([, name]) => name);
      expect([...files.keys()]).toEqual(documented);
      const own = [...(files.get('README.txt') ?? '').matchAll(/^([\w-]+\.\w+) {2,}\S/gm)].map(
        ([, name]) => name,
      );
      expect(own).toEqual(documented.slice(1));
    },
  );

  it('contains the log of the scanner since its start', async () => {
    const scanner = await new ScannerFolder().start(['--firmware', '2.3.3']);
    const client = scanner.client();
    await client.call('LocationName', { LocationName: 'x' }, { ...service, password: 'wrong' });
    dataOf(await client.call('WriteEeprom'));
    await dump(client, {});
    const files = await unzip(await archiveOf(scanner));
    const lines = (files.get('log.ndjson') ?? '')
      .trim()
      .split('\n')
      .map((line) => object(parse(line)));
    const told = lines.map(({ severity, message }) => `${severity}: ${message}`);
    // The archive is made before its own call is told of.
    await until(() => scanner.log.includes('DoDiagnosisDump'));
    const said = scanner.log
      .trim()
      .split('\n')
      .map((line) => object(parse(line)))
      .map(({ level, msg }) => `${{ 30: 'info', 40: 'warn', 50: 'error' }[Number(level)]}: ${msg}`);
    expect(told).toEqual(said.slice(0, -1));
    expect(told[0]).toMatch(/^warn: Anybody can log in with a factory password/);
    for (const { time } of lines) expect(Number.isNaN(Date.parse(String(time)))).toBe(false);
  });

  it('contains the detection history, as /x/history returns it', async () => {
    const scanner = await new ScannerFolder().start();
    await dump(scanner.client(), {});
    const files = await unzip(await archiveOf(scanner));
    const { text } = await scanner.client().send({ method: 'GET', path: '/x/history' });
    const { history } = object(object(parse(text)).data);
    expect(parse(files.get('detection-history.json') ?? '')).toEqual(history);
  });

  it('contains no secret', async () => {
    const scannerFolder = new ScannerFolder();
    const next = { ...service, password: 'next-4714-secret' };
    const scanner = await scannerFolder.start([], {
      env: { AZIMUTH_PASSWORD_MAINTENANCE: 'mainten-4711-secret' },
    });
    const client = scanner.client();
    await changePassword(client, service, next.password);
    const { realm, nonce, salt } = await client.challenge();
    const first = hash1(next, realm, salt);
    const header = await client.header('LocationName', next);
    await client.post('LocationName', { header, data: { LocationName: 'x' } });
    await client.call('LocationName', { LocationName: 'x' }, { ...service, password: 'wrong-4715-secret' });
    await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 3_141_592_653 }, next);
    const token = String(dataOf(await client.call('CreateSessionToken', undefined, next)).token);
    const passphrase = 'open-sesame-4716';
    dataOf(await client.call('CreateParameterBackup', { Passphrase: passphrase }, next));
    const bundle = bundleOf([issue()]);
    expect(dataOf(await client.call('setCertificateBundle', bundle, next)).success).toBe(true);
    const ofKey = bundle.contentPrivateKey.split('\n').filter((line) => line.length >= 24);
    expect(ofKey.length).toBeGreaterThan(2);
    const secrets = [
      next.password,
      'mainten-4711-secret',
      'wrong-4715-secret',
      '3141592653',
      'servicelevel',
      first,
      Buffer.from(first, 'hex').toString('base64'),
      JSON.stringify([...Buffer.from(first, 'hex')]),
      nonce,
      header.response,
      token,
      passphrase,
      ...ofKey.slice(1, -1),
      ...storedSecrets(scannerFolder.folder),
    ];
    expect(dataOf(await client.call('DoDiagnosisDump', {}, next)).Successfull).toBe(true);
    const archive = await archiveOf(scanner);
    const text = [...(await unzip(archive)).values(), Buffer.from(archive).toString('latin1')].join('\n');
    // It does tell what happened.
    expect(text).toContain('A login failed');
    expect(text).toContain('A password was changed');
    expect(secrets.length).toBeGreaterThan(12);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

/** Every text of the file that holds the credentials that could be a hash or a salt. */
function storedSecrets(folder: string): string[] {
  const file = filesIn(folder).find(({ path }) => path.endsWith('credentials.json'));
  const texts = file?.content.toString('utf8').match(/[0-9A-Za-z+/=_-]{16,}/g) ?? [];
  return texts.filter((text) => text !== authorizedClient.user);
}

describe('GET /crown/file', () => {
  const folder = temporaryFolder();
  let scanner: ScannerProcess;

  beforeAll(async () => {
    scanner = await ScannerProcess.start({ folder });
    await dump(scanner.client());
    expect(existsSync(join(folder, 'credentials.json'))).toBe(true);
  });
  afterAll(async () => {
    await scanner.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['nothing', ''],
    ['another parameter', '?file=diagnosisDump.zip'],
    ['the parameter in other letters', '?filepath=diagnosisDump.zip'],
    ['no value', '?filePath='],
    ['no equals sign', '?filePath'],
  ])('without filePath is HTTP 400 with status 1: %s', async (_, query) => {
    expect(await refusalOf(scanner, `/api/crown/file${query}`)).toMatchObject({
      http: 400,
      status: 1,
      type: 'application/json',
    });
  });

  it.each([
    '../credentials.json',
    '..',
    'x/../credentials.json',
    'diagnosisDump.zip/..',
    '..\\credentials.json',
    '/etc/passwd',
    '/diagnosisDump.zip',
    '//etc/passwd',
    '\\\\server\\share',
    'C:\\windows',
    'c:credentials.json',
    'file:///etc/passwd',
    '%2e%2e%2fcredentials.json',
    '..%2fcredentials.json',
    '..%5ccredentials.json',
    '%2Fetc%2Fpasswd',
    'diagnosisDump.zip%00',
    'diagnosisDump.zip%00.txt',
    '%00',
    '..%c0%afcredentials.json',
    '%ff',
    'diagnosisDump.zip%0d%0aX:y',
    'diagnosisDump.zip&filePath=diagnosisDump.zip',
    '%zz%2e%2e%2fcredentials.json/..',
  ])('that leaves the folder is HTTP 400 with status 2: %s', async (path) => {
    const refusal = await refusalOf(scanner, `/api/crown/file?filePath=${path}`);
    expect(refusal).toMatchObject({ http: 400, status: 2, type: 'application/json' });
    expect(refusal.body).not.toContain('root:');
  });

  it.each([
    'nothing.zip',
    'credentials.json',
    'parameters.json',
    './diagnosisDump.zip',
    'diagnosisDump.zip/',
    'diagnosisdump.zip',
    'diagnosisDump.zip.',
    'diagnosisDump.zip%20',
    'folder/file',
    '..hidden',
    '...',
    '.',
    '%EF%BC%8Fetc',
    '__proto__',
    'constructor',
    '100%25',
    '%252e%252e%252fcredentials.json',
    '..%25252fcredentials.json',
    'diagnosisDump.zip%2500',
    'x'.repeat(5000),
  ])('for a file that was not created is HTTP 404 with status 5: %s', async (path) => {
    expect(await refusalOf(scanner, `/api/crown/file?filePath=${path}`)).toMatchObject({
      http: 404,
      status: 5,
      type: 'application/json',
    });
  });

  it('is the only allowed method', async () => {
    for (const verb of ['POST', 'PUT', 'DELETE']) {
      const reply = await scanner.client().send({ method: verb, path: dumpPath, body: 'x' });
      expect([reply.httpStatus, statusOf(reply)]).toEqual([200, 5]);
    }
  });

  it('sends the archive to many clients at once', async () => {
    const archives = await Promise.all(Array.from({ length: 20 }, () => archiveOf(scanner)));
    await unzip(archives[0] ?? new Uint8Array());
    for (const archive of archives) expect(archive).toEqual(archives[0]);
  });
});

describe('a foreign file in the place of the archive', () => {
  async function started(prepare: (path: string, folder: string) => void) {
    const scannerFolder = new ScannerFolder();
    const first = await scannerFolder.start();
    await dump(first.client(), { Output: 'mine.zip' });
    await first.stop();
    const path = join(scannerFolder.folder, 'diagnosisDump.zip');
    prepare(path, scannerFolder.folder);
    return scannerFolder.start();
  }

  it('is not followed if it is a link: HTTP 400, and a new archive replaces it', async () => {
    const outside = join(temporaryFolder(), 'secret.zip');
    const secret = randomBytes(64);
    writeFileSync(outside, secret);
    const scanner = await started((path) => {
      rmSync(path);
      symlinkSync(outside, path);
    });
    expect(await refusalOf(scanner, dumpPath)).toMatchObject({ http: 400, status: 2 });
    const client = scanner.client();
    expect(dataOf(await client.post('GetDiagnosisDumpInfo')).DiagDumpExists).toBe(false);
    await dump(client);
    await unzip(await archiveOf(scanner));
    const [{ content } = { content: undefined }] = filesIn(join(outside, '..'));
    expect(content).toEqual(secret);
  });

  it('is set aside if it is a folder, with DeviceStatus 7 until there is a new one', async () => {
    const scanner = await started((path) => {
      rmSync(path);
      mkdirSync(path);
    });
    expect(await refusalOf(scanner, dumpPath)).toMatchObject({ http: 404, status: 5 });
    expect(await scanner.client().value('DeviceStatus')).toBe(7);
    await until(() => scanner.log.includes('A stored file is damaged'));
    await dump(scanner.client());
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  });

  it('is set aside if it is incomplete', async () => {
    const scanner = await started((path) => writeFileSync(path, 'PK\u0003\u0004'));
    expect(await refusalOf(scanner, dumpPath)).toMatchObject({ http: 404, status: 5 });
    // What is logged comes over another pipe than the answer.
    await until(() => scanner.log.includes('A stored file is damaged'));
  });
});
