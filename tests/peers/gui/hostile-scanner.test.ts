import { hostileScanner } from '@azimuth/test-support/hostile-scanner';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { guiCommand } from './gui-command.js';

const browser = sharedBrowser();

test('a hostile scanner cannot run a script on the pages of azimuth gui, or stay there as a service worker', async () => {
  const scanner = await hostileScanner();
  const url = await guiCommand(scanner.url);
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  for (const path of ['s/0/api/DeviceStatus', 's/0/x/evil.html', 's/0/', 's/0/cloud.pcd']) {
    const response = await page.goto(url + path);
    expect([403, 404]).toContain(response?.status());
    expect(await page.title()).not.toBe('taken');
  }
  expect(scanner.requests).toEqual([]);
  // Its own pages ask it, and get data.
  await page.goto(url);
  await expect.poll(() => scanner.requests.length).toBeGreaterThan(0);
  for (const type of ['text/html', 'text/javascript']) {
    scanner.type = type;
    const registered = await page.evaluate(async (path) => {
      try {
        await navigator.serviceWorker.register(path, { scope: '/s/0/' });
        return 'registered';
      } catch (error) {
        return String(error);
      }
    }, '/s/0/x/sw.js');
    expect(registered).toContain('Error');
  }
  const embedded = await page.evaluate(async () => {
    const load = (tag: 'script' | 'iframe') =>
      new Promise<string>((resolve) => {
        const element = document.createElement(tag);
        element.onload = () => {
          const { contentDocument } =
            element instanceof HTMLIFrameElement ? element : { contentDocument: null };
          resolve(`${tag} ${contentDocument?.title ?? ''}`);
        };
        element.onerror = () => resolve(`${tag} refused`);
        element.src = '/s/0/api/DeviceStatus';
        document.body.append(element);
      });
    return Promise.all([load('script'), load('iframe')]);
  });
  expect(embedded[0]).toBe('script refused');
  expect(embedded[1]).not.toContain('taken');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(await page.evaluate(() => document.title)).not.toBe('taken');
  expect(await context.cookies()).toEqual([]);
});
