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

/**
 * The browsers that tests can have, the cheapest first. The shell is the same engine without the window around it: Chromium
 * itself needs three times the computing time to open a page.
 */
const browsers = ['chromium-headless-shell', 'chromium'];

/** One Chromium for all tests of a file. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: firstProgramOf(browsers), args: flags });
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('the browser is not running');
    return browser;
  };
}

function firstProgramOf(names: readonly string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(`there is no ${names.join(' or ')}: npm run test:peers says how to install it`);
  }
  return found;
}
