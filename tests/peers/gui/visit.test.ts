import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { service } from '@azimuth/test-support/client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { logIn, movingScene, openGui, strip } from './gui.js';

const browser = sharedBrowser();
const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));

/** A name that a shell takes apart, unless it is quoted. */
const name = `Gate 3's "left" $HOME \`x\` #7`;

/** Runs a script as a person does who has installed `azimuth` and set the password. Throws if it fails. */
async function run(script: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-script-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'azimuth');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${folder}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, AZIMUTH_PASSWORD: service.password };
  await promisify(execFile)('sh', ['-eu', '-c', script], { env });
}

/** Writes a parameter with one value as a person does. */
async function write(page: Page, parameter: string, value: string): Promise<void> {
  await page.evaluate(`location.hash = '#/parameters/${parameter}'`);
  const box = page.getByRole('form', { name: parameter }).getByRole('textbox');
  await box.fill(value);
  await box.press('Enter');
}

test.each(['azimuth', 'curl'])(
  'the %s commands of this visit do the same at a second scanner, as they stand there',
  async (tool) => {
    const [first, second] = await Promise.all([
      new ScannerFolder().start(movingScene),
      new ScannerFolder().start(movingScene),
    ]);
    const page = await openGui(browser(), first, { at: 'parameters' });
    await logIn(page);
    await write(page, 'LocationName', name);
    await write(page, 'TSCTCupdatetime', '77');
    await expect.poll(() => first.client().value('TSCTCupdatetime')).toBe(77);
    await strip(page).getByRole('button', { name: 'Save' }).click();
    await strip(page).getByText('Everything is saved').waitFor();
    await page.evaluate(`location.hash = '#/changes'`);
    await page.getByRole('button', { name: tool, exact: true }).click();
    const script = await page.getByRole('region', { name: 'Commands' }).locator('pre').innerText();
    expect(script).toContain(`127.0.0.1:${first.httpPort}`);
    expect(script).not.toContain(service.password);
    await run(script.replaceAll(`127.0.0.1:${first.httpPort}`, `127.0.0.1:${second.httpPort}`));
    expect(await second.client().value('LocationName')).toBe(name);
    expect(await second.client().stored('LocationName')).toBe(name);
    expect(await second.client().stored('TSCTCupdatetime')).toBe(77);
  },
);
