import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FolderStorage } from '@azimuth/device';
import { bundleOf, issue, keyPem } from '@azimuth/test-support/certificates';
import { freePort } from '@azimuth/test-support/free-port';
import { ended, Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { expect, onTestFinished, test } from 'vitest';

const leaf = issue();

/** The folder of a scanner that has a certificate bundle. */
async function folderWithBundle(): Promise<string> {
  const folder = temporaryFolder();
  const storage = await FolderStorage.open(folder);
  const { contentCertificateBundle } = bundleOf([leaf]);
  const document = {
    format: 1,
    uuid: '1',
    certificates: contentCertificateBundle,
    privateKey: keyPem(leaf.keys),
  };
  await storage.write('certificates.json', Buffer.from(JSON.stringify(document)), { secret: true });
  await storage.close();
  return folder;
}

/** The output for people at the start. */
async function welcome(folder: string, ...flags: readonly string[]): Promise<string> {
  const stdout = new Reader(serve({ flags: ['--data', folder, ...flags] }).stdout);
  await stdout.until((text) => text.includes('  folder   '));
  return stdout.text;
}

test('the welcome names the address of HTTPS while it is up', async () => {
  expect(await welcome(await folderWithBundle(), '--https-port', '0')).toMatch(
    /^ {2}HTTPS {4}https:\/\/127\.0\.0\.1:\d+\/api$/m,
  );
});

test('without a bundle the welcome does not mention HTTPS', async () => {
  expect(await welcome(temporaryFolder(), '--https-port', '0')).not.toContain('HTTPS');
});

test('the port is 8443 unless another one is chosen or HTTP has any free port, and is in the ready line', async () => {
  const ready = async (port: number) => {
    const flags = ['--data', temporaryFolder(), '--json', '--port', `${port}`];
    const stdout = new Reader(serve({ flags }).stdout);
    await stdout.until((text) => text.includes('\n'));
    return stdout.text;
  };
  expect(await ready(await freePort())).toContain('"https":8443,');
  expect(await ready(0)).toMatch(/"https":(?!8443)\d+,/);
});

test('with a bundle, a port in use refuses the start and names the option', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const folder = await folderWithBundle();
  const { exitCode, stderr } = await ended(serve({ flags: ['--data', folder, '--https-port', `${port}`] }));
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`azimuth: Port ${port} on 127.0.0.1 is in use.`);
  expect(stderr).toContain('--https-port');
});

test('a bundle that cannot be read is reported and does not prevent the start', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'certificates.json'), 'damaged');
  const child = serve({ flags: ['--data', folder, '--https-port', '0'] });
  const [stdout, stderr] = [new Reader(child.stdout), new Reader(child.stderr)];
  await stderr.until((text) => text.includes('The certificate bundle is lost'));
  await stdout.until((text) => text.includes('  folder   '));
  expect(stdout.text).not.toContain('HTTPS');
});
