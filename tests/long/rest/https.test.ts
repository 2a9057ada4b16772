import { type BundleData, bundleOf, issue } from '@azimuth/test-support/certificates';
import { type Client, service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { filesIn, fileWith } from '@azimuth/test-support/files';
import { isObject, object, parse } from '@azimuth/test-support/json';
import { changePassword } from '@azimuth/test-support/password-change';
import { listens } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const done = { success: true, errorCode: { error: 'None' } };
const leaf = issue();
const tls = { ca: leaf.certificate, servername: 'localhost' };

async function set(client: Client, data: BundleData = bundleOf([leaf])): Promise<void> {
  expectData(await client.call('setCertificateBundle', data), done);
}

/** Every line of the key that could give it away. */
function secretsOf({ contentPrivateKey }: BundleData): readonly string[] {
  return contentPrivateKey.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'));
}

test('the port of HTTPS is a number while nothing listens there, and stays the same', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  const port = scanner.httpsPort;
  expect(await listens(port)).toBe(false);
  await set(scanner.client());
  expect(await scanner.client({ tls }).value('DeviceStatus')).toBe(3);
  await scanner.throughReboot(() => scanner.client({ tls }).call('RebootDevice'));
  expect(await scanner.client({ tls }).value('DeviceStatus')).toBe(3);
  expectData(await scanner.client({ tls }).call('removeCertificateBundle'), done);
  await expect.poll(() => listens(port)).toBe(false);
});

test('everything that HTTP can, HTTPS can: logins, passwords, saving, reboots', async () => {
  const scanner = await new ScannerFolder().start();
  await set(scanner.client());
  const client = scanner.client({ tls, keepAlive: true });
  expectStatus(
    await client.call('LocationName', { LocationName: 'x' }, { ...service, password: 'wrong' }),
    4,
  );
  expectDone(await client.write('LocationName', 'Gate 3'));
  expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  expectData(await changePassword(client, service, 'renewed'), { result: 0 });
  const renewed = { ...service, password: 'renewed' };
  expectData(await client.call('WriteEeprom', undefined, renewed), { Success: true });
  client.close();
});

/** Asks for everything that can be read without changing anything, and hands out what came. */
async function everything(scanner: ScannerProcess): Promise<string> {
  const client = scanner.client();
  const description = await client.send({ method: 'GET', path: '/openapi.json' });
  const paths = Object.entries(object(object(parse(description.text)).paths))
    .filter(([, verbs]) => isObject(verbs) && 'get' in verbs)
    .map(([path]) => path);
  expect(paths).toContain('/api/certificateBundleInfo');
  const reported = [description.text];
  for (const path of [...paths, '/metrics', '/x/stored', '/healthz', '/docs']) {
    const { headers, text } = await client.send({ method: 'GET', path });
    reported.push(JSON.stringify(headers), text);
  }
  return reported.join('\n');
}

test.each([[['--json']], [[]]])(
  'the key is in no answer, no log, no measure, and in one file of mode 0600 alone (%j)',
  async (flags) => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start(flags);
    const client = scanner.client();
    const [good, bad] = [bundleOf([leaf]), bundleOf([issue()], issue().keys)];
    const data = { ...good, contentPrivateKey: good.contentPrivateKey.slice(0, -20) };
    const replies = [
      await client.call('setCertificateBundle', bad),
      await client.call('setCertificateBundle', data),
      await client.call('setCertificateBundle', { ...good, contentPrivateKey: [good.contentPrivateKey] }),
      await client.call('setCertificateBundle', {
        ...good,
        contentPrivateKey: good.contentPrivateKey.padEnd(4001),
      }),
      await client.call('setCertificateBundle', { ...good, [good.contentPrivateKey]: 1 }),
      await client.call('setCertificateBundle', good),
      await client.call('DoDiagnosisDump'),
      await client.call('WriteEeprom'),
    ];
    const read = await everything(scanner);
    const { stdout, log } = await scanner.stop();
    const reported = [
      read,
      stdout,
      log,
      ...replies.map(({ headers, text }) => JSON.stringify(headers) + text),
    ].join('\n');
    expect(log).toContain('A certificate bundle was set');
    expect(log).toContain('A certificate bundle was refused');
    expect(reported).toContain('azimuth_requests_total');
    const secrets = [...secretsOf(good), ...secretsOf(bad)];
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    expect(secrets.filter((secret) => reported.includes(secret))).toEqual([]);
    const [secret = ''] = secretsOf(good);
    expect(fileWith(scannerFolder.folder, secret).mode).toBe(0o600);
    const [never = ''] = secretsOf(bad);
    expect(filesIn(scannerFolder.folder).filter(({ content }) => content.includes(never))).toEqual([]);
  },
);
