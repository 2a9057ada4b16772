import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** The sandbox is for pages of strangers, and does not start as root. The browser itself asks nobody for anything. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // For HeapProfiler.collectGarbage, and exact figures of memory.
  '--enable-precise-memory-info',
];

/** One Chromium for all tests of a file. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: programNamed('chromium'), args: flags });
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is not running');
    return browser;
  };
}

function programNamed(name: string): string {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there is no ${name}: npm run test:peers says how to install it`);
  return found;
}
