import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { blankPage, gone, isShown, logIn, openPage, pageTitles, strip } from './gui.js';
import { PageFaults } from './page-faults.js';
import { ScansOnTheWire } from './scans-on-the-wire.js';

const browser = sharedBrowser();

/** The page of a fleet. The test fails if the pages that are opened there do what they must not. */
async function pageOf(fleet: FleetProcess): Promise<Page> {
  const page = await blankPage(browser());
  // Its answer 404 tells that nothing is recorded. Connections end when a scanner moves.
  const faults = new PageFaults(page, fleet.url, [/status of 404 .*\/cloud\.pcd/, ...gone]);
  onTestFinished(() => {
    expect(faults.all, 'faults of the page').toEqual([]);
  });
  await page.goto(fleet.url);
  expect(page.url()).toBe(`${fleet.url}/?scanners`);
  await isShown(page, 'Scanners');
  return page;
}

/** Finds a scanner in the table of the fleet, opens it, watches it, gives it a name and saves that. */
async function findAndName(fleet: FleetProcess, serial: string): Promise<Page> {
  const page = await pageOf(fleet);
  await page.getByRole('searchbox', { name: 'Filter scanners' }).fill(serial);
  await page.getByText('All 1 shown').waitFor();
  await page.getByRole('rowheader').getByRole('link', { name: serial }).click();
  await expect.poll(() => page.url()).toBe(`${fleet.url}/?scanners#/scanners/${serial}/@/overview`);
  await strip(page).getByText('Measuring').waitFor();
  // On the list, no scanner is open.
  const [list, ...titles] = await pageTitles(page);
  expect(list).toBe('Scanners');
  for (const title of titles) await openPage(page, title);
  // The scanner has a page of its own, too, whose live view shows no other one.
  const scans = new ScansOnTheWire(page);
  await page.goto(`${fleet.url}/scanners/${serial}/#/live`);
  await isShown(page, 'Live view');
  await expect.poll(() => scans.count).toBeGreaterThan(10);
  expect(scans.lostTelegrams).toBe(0);
  await page.goto(`${fleet.url}/scanners/${serial}/#/parameters/LocationName`);
  await isShown(page, 'Parameters');
  await logIn(page);
  await page.getByRole('form', { name: 'LocationName' }).getByRole('textbox').fill('Gate 3');
  await page.keyboard.press('Enter');
  await strip(page).getByRole('button', { name: 'Save' }).click();
  await strip(page).getByText('Everything is saved').waitFor();
  await expect.poll(() => page.title()).toContain('Gate 3');
  // A change by somebody else comes as an event.
  await fleet.scanner(serial).write('LocationName', 'Gate 4');
  await expect.poll(() => page.title()).toContain('Gate 4');
  return page;
}

const yaml = 'groups: {gate: {count: 3, serial: "23####", scene: gate}}';

test('behind the port of a fleet, each scanner has its pages', async () => {
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, yaml);
  const fleet = await FleetProcess.start(file, '--data', temporaryFolder());
  await findAndName(fleet, '230002');
});

test('behind a gateway, each scanner has its pages, and they go on when another worker has the scanner', async () => {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.remove());
  const environment = {
    AZIMUTH_STORE: await cluster.database(),
    AZIMUTH_FLEET_KEY: 'a key of the deployment',
  };
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(file, yaml);
  await azimuth(['fleet', 'migrate'], undefined, environment);
  await azimuth(['fleet', 'apply', file], undefined, environment);
  const gateway = await FleetProcess.gateway(environment);
  const worker = await FleetProcess.worker(environment);
  const page = await findAndName(gateway, '230002');
  await FleetProcess.worker(environment);
  expect(await worker.end('SIGTERM')).toBe(0);
  // As after a power cut.
  await expect.poll(() => page.title()).toContain('Gate 3');
  await strip(page).getByText('Measuring').waitFor();
  await gateway.scanner('230002').write('LocationName', 'Gate 5');
  await expect.poll(() => page.title()).toContain('Gate 5');
});
