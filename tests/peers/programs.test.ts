import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleOf, issue } from '../support/certificates.js';
import { expectData } from '../support/envelope.js';
import { ProcessBench } from '../support/scanner-process.js';

test('curl is content with HTTPS, once it knows the certificate', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  const leaf = issue();
  const answer = await scanner.client().call('setCertificateBundle', { ...bundleOf([leaf]) });
  expectData(answer, { success: true, errorCode: { error: 'None' } });
  const ca = join(bench.folder, 'ca.pem');
  writeFileSync(ca, leaf.certificate);
  const url = `https://localhost:${scanner.httpsPort}/api/DeviceStatus`;
  const ask = (...flags: string[]) => spawnSync('curl', ['-sS', '-4', ...flags, url], { encoding: 'utf8' });
  expect(ask('--cacert', ca).stdout).toContain('"DeviceStatus":3');
  expect(ask('--cacert', ca, '--tlsv1.3').stdout).toContain('"DeviceStatus":3');
  expect(ask('--cacert', ca, '--tls-max', '1.2').stdout).toContain('"DeviceStatus":3');
  expect(ask().stderr).toMatch(/certificate/);
});

const run = promisify(execFile);

test('a browser shows the page that tells of the interface', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  // Its sandbox is for pages of strangers, and does not start as root.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${bench.folder}/browser`];
  // It waits until nothing is under way any more, for so long (ms) at most.
  flags.push('--virtual-time-budget=20000');
  const address = `http://127.0.0.1:${scanner.httpPort}/docs`;
  const { stdout } = await run('chromium', [...flags, '--dump-dom', address], { timeout: 60_000 });
  const served = (await scanner.client().send({ method: 'GET', path: '/docs' })).text;
  const [, title = 'no title'] = /<title>([^<]+)<\/title>/.exec(served) ?? [];
  expect(stdout).toContain(`<title>${title}</title>`);
  expect(stdout).toContain('LocationName');
}, 90_000);
