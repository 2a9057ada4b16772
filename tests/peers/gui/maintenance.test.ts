import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { service } from '@azimuth/test-support/client';
import { firmware, signer } from '@azimuth/test-support/firmware';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { unzip } from '@azimuth/test-support/unzip';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fileOf } from './files.js';
import { logIn, movingScene, openGui } from './gui.js';
import { ways } from './ways.js';

const browser = sharedBrowser();

test.each(ways)(
  'firmware is installed, and the page follows the scanner until it is back with the new release, $name',
  async (way) => {
    const folder = mkdtempSync(join(tmpdir(), 'azimuth-key-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const keyFile = join(folder, 'key.pem');
    const key = signer(keyFile);
    const flags = [...movingScene, '--firmware', '2.3.1', '--firmware-key', keyFile];
    const scanner = await new ScannerFolder().start(flags);
    const page = await openGui(browser(), await way.to(scanner), { at: 'firmware', expected: way.away });
    await logIn(page);
    const main = page.getByRole('main');
    await main.getByText('2.3.1.0R').waitFor();
    await main.getByLabel('Choose a file').setInputFiles(fileOf('scanner.spk.signed', firmware({ key })));
    await main.getByRole('button', { name: 'Install …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
    await main.getByText('Firmware 2.4.4.0R is installed').waitFor({ timeout: 40_000 });
    await main.getByText('Before, the scanner had 2.3.1.0R.').waitFor();
    expect(await scanner.client().value('FirmwareVersion')).toBe('2.4.4.0R');
  },
);

test.each(ways)(
  'a file that is no firmware is refused with the reason, and the scanner runs what it ran before, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    const page = await openGui(browser(), await way.to(scanner), { at: 'firmware' });
    await logIn(page);
    const main = page.getByRole('main');
    await main.getByLabel('Choose a file').setInputFiles(fileOf('holiday.spk', 'no firmware at all'));
    await main.getByRole('button', { name: 'Install …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
    const alert = main.getByRole('alert');
    await alert.getByText('The firmware was not installed').waitFor({ timeout: 30_000 });
    await main.getByText('The firmware is what it was before.').waitFor();
    expect(await alert.innerText()).not.toMatch(/UpdateState|RunFirmwareUpdate/);
    expect(await scanner.client().value('FirmwareVersion')).toBe('2.4.4.0R');
  },
);

test.each(ways)('a certificate opens HTTPS, and is removed again, $name', async (way) => {
  const scanner = await new ScannerFolder().start(movingScene);
  const { contentCertificateBundle, contentPrivateKey } = bundleOf([issue({ names: ['127.0.0.1'] })]);
  const page = await openGui(browser(), await way.to(scanner), { at: 'certificates' });
  await logIn(page);
  const main = page.getByRole('main');
  await main.getByText('HTTPS is closed', { exact: true }).waitFor();
  await main.getByLabel('Choose the certificate').setInputFiles(fileOf('c.pem', contentCertificateBundle));
  await main.getByLabel('Choose the private key').setInputFiles(fileOf('k.pem', contentPrivateKey));
  await main.getByRole('button', { name: 'Set the certificate' }).click();
  await main.getByText('HTTPS is open', { exact: true }).waitFor();
  await main.getByText('It is self-signed').waitFor();
  await main.getByRole('button', { name: 'Remove …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await main.getByText('HTTPS is closed', { exact: true }).waitFor();
  expect(await scanner.client().value('httpsStatus')).toMatchObject({ enabled: false });
});

test.each(ways)(
  'the diagnostic archive is downloaded, and the report of the page is saved without secrets, $name',
  async (way) => {
    const scanner = await new ScannerFolder().start(movingScene);
    await scanner.client().write('LocationName', 'Gate 3');
    const page = await openGui(browser(), await way.to(scanner), { at: 'diagnosis' });
    await expect.poll(() => page.title()).toContain('Gate 3');
    await logIn(page);
    const main = page.getByRole('main');
    const arrives = page.waitForEvent('download');
    await main.getByRole('button', { name: 'Download the archive' }).click();
    const archive = await arrives;
    expect(archive.suggestedFilename()).toMatch(/^Gate-3-diagnosis-.*\.zip$/);
    const files = await unzip(readFileSync(await archive.path()));
    expect([...files.values()].join()).toContain('Gate 3');
    await main.getByText(`${archive.suggestedFilename()} is saved`).waitFor();
    await main.getByText(/^Measuring \(DeviceStatus \d\)$/).waitFor();
    const saved = page.waitForEvent('download');
    await main.getByRole('button', { name: 'Save as text' }).click();
    const report = readFileSync(await (await saved).path(), 'utf8');
    expect(report).toContain('Diagnosis of Gate 3');
    expect(report).not.toContain(service.password);
  },
);
