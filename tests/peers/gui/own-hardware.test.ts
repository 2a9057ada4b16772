import type { FirmwareInstaller, NetworkSettings } from '@azimuth/device';
import { defineProduct } from '@azimuth/model';
import { guiFolder } from '@azimuth/server/pages';
import { VirtualHardware } from '@azimuth/simulation';
import { firmware } from '@azimuth/test-support/firmware';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.js';
import { fileOf } from './files.js';
import { logIn, openGui } from './gui.js';

const browser = sharedBrowser();

/** A product whose board is too hot, sets no address, and cannot install firmware. */
const product = defineProduct({
  ...{ name: 'acme', deviceType: 'acme', orderNumber: '1', realm: 'acme' },
  releases: { '5.0.0': '2.1.0' },
  profiles: { 21: { frequency: 1000, resolution: 3333 }, 22: { frequency: 8000, resolution: 5000 } },
});

class Board extends VirtualHardware {
  readonly fails = latch();
  override readonly network = {
    lease: () => undefined,
    apply: async ({ address }: NetworkSettings) => {
      if (address.address[0] === 10) throw new Error('not permitted');
    },
  };
  readonly firmware: FirmwareInstaller = {
    install: async (_, progress) => {
      progress(42);
      await this.fails.opened;
      throw new Error('no slot');
    },
  };

  errors(): readonly string[] {
    return ['the board is too hot'];
  }
}

test('the pages show what the hardware of a product says, and what it could not do', async () => {
  let board: Board | undefined;
  const scanner = await TestScanner.start({
    product,
    web: { gui: guiFolder },
    hardware: (log) => {
      board = new Board(log);
      return board;
    },
  });
  const page = await openGui(browser(), `http://127.0.0.1:${scanner.httpPort}/`);
  const main = page.getByRole('main');
  await main.getByText('Hardware: the board is too hot.').waitFor();
  await logIn(page);

  await page.getByRole('link', { name: 'Network', exact: true }).click();
  await main.getByText('192.168.0.1, mask 255.255.255.0, static').waitFor();
  const client = scanner.client();
  await client.write('EtherIPAddress', [10, 0, 0, 5]);
  await client.call('EthernetUpdate');
  await main.getByRole('alert').getByText('not permitted').waitFor();
  await main.getByText('192.168.0.1, mask 255.255.255.0, static').waitFor();

  await page.getByRole('link', { name: 'Firmware', exact: true }).click();
  const file = firmware({ release: '5.0.0', deviceType: 'acme', product: 'acme' });
  await main.getByLabel('Choose a file').setInputFiles(fileOf('acme.spk', file));
  await main.getByRole('button', { name: 'Install …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
  await main.getByText('It is going on: 42 %').waitFor();
  await main.getByRole('listitem').getByText('42 %').waitFor();
  board?.fails.open();
  await main.getByRole('alert').getByText('no slot').waitFor();

  await page.goto(`http://127.0.0.1:${scanner.httpPort}/#/parameters/PerformanceProfileNumber`);
  await expect
    .poll(() => main.getByRole('option').allInnerTexts())
    .toEqual(expect.arrayContaining(['21: 10 Hz, 1/3°', '22: 80 Hz, 0.5°']));
});
