import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

test('curl accepts HTTPS if it knows the certificate', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  const leaf = issue();
  const answer = await scanner.client().call('setCertificateBundle', { ...bundleOf([leaf]) });
  expectData(answer, { success: true, errorCode: { error: 'None' } });
  const ca = join(scannerFolder.folder, 'ca.pem');
  writeFileSync(ca, leaf.certificate);
  const url = `https://localhost:${scanner.httpsPort}/api/DeviceStatus`;
  const ask = (...flags: string[]) => spawnSync('curl', ['-sS', '-4', ...flags, url], { encoding: 'utf8' });
  expect(ask('--cacert', ca).stdout).toContain('"DeviceStatus":3');
  expect(ask('--cacert', ca, '--tlsv1.3').stdout).toContain('"DeviceStatus":3');
  expect(ask('--cacert', ca, '--tls-max', '1.2').stdout).toContain('"DeviceStatus":3');
  expect(ask().stderr).toMatch(/certificate/);
});
