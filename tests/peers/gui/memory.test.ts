import { sharedScanner } from '@azimuth/test-support/scanner-process';
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { movingScene, openGui, openPage } from './gui.js';
import { ScansOnTheWire } from './scans-on-the-wire.js';

const scanner = sharedScanner(movingScene);
const browser = sharedBrowser();

/** Of the live view. */
const minutes = Number(process.env.AZIMUTH_LIVE_MINUTES ?? 0.75);
/** Scans a second with the usual profile. */
const hertz = 15;
const samples = 24;
/**
 * More than this (MB) from the second third of the run to the last is a leak. A page that kept every scan as objects would
 * grow by 13 KB a scan: by 3 MB in the short form, and by 40 MB in 10 minutes.
 */
const mostGrowth = 1.5;

test(
  `${minutes} min of live view leave the memory of the page as it was`,
  async () => {
    const page = await openGui(browser(), scanner());
    const scans = new ScansOnTheWire(page);
    await openPage(page, 'Live view');
    const cdp = await page.context().newCDPSession(page);
    const used: number[] = [];
    for (let sample = 1; sample <= samples; sample++) {
      const enough = (sample / samples) * minutes * 60 * hertz;
      await expect
        .poll(() => scans.count, { timeout: 120_000, interval: 100 })
        .toBeGreaterThanOrEqual(enough);
      used.push(await heap(cdp));
    }
    const third = samples / 3;
    const [before, after] = [used.slice(third, 2 * third), used.slice(2 * third)].map((part) =>
      Math.min(...part),
    );
    console.log(
      `${scans.count} scans: JS heap ${used[0]?.toFixed(1)} MB at first, at least ${before?.toFixed(2)} MB in the second ` +
        `third, ${after?.toFixed(2)} MB in the last, ${Math.max(...used).toFixed(1)} MB at most`,
    );
    expect(after).toBeLessThan((before ?? 0) + mostGrowth);
  },
  (minutes + 2) * 120_000,
);

/** MB that the scripts of a page hold when nothing waits to be collected, typed arrays included. */
async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const usage: Readonly<Record<string, number>> = await cdp.send('Runtime.getHeapUsage');
  return ((usage.usedSize ?? 0) + (usage.backingStorageSize ?? 0)) / 1e6;
}
