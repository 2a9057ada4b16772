import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('a browser shows the page of the interface', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  // Its sandbox is for pages of strangers, and does not start as root.
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${scannerFolder.folder}/browser`,
  ];
  // It waits until nothing is under way any more, for so long (ms) at most.
  flags.push('--virtual-time-budget=20000');
  const address = `http://127.0.0.1:${scanner.httpPort}/docs`;
  const { stdout } = await run('chromium', [...flags, '--dump-dom', address], { timeout: 60_000 });
  const served = (await scanner.client().send({ method: 'GET', path: '/docs' })).text;
  const [, title = 'no title'] = /<title>([^<]+)<\/title>/.exec(served) ?? [];
  expect(stdout).toContain(`<title>${title}</title>`);
  expect(stdout).toContain('LocationName');
}, 90_000);
