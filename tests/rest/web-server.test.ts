import { expect, test } from 'vitest';
import { Client } from '../independent/client.js';
import { expectData, expectDone, expectStatus } from '../independent/envelope.js';
import { listens } from '../independent/raw-connection.js';
import { Bench, type ScannerProcess } from '../independent/scanner-process.js';
import { until } from '../independent/until.js';

/** Switches the web server off and reboots; the scanner is then up without it. */
async function switchOff(scanner: ScannerProcess): Promise<void> {
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: false });
  await scanner.throughReboot(async () => expectDone(await client.call('RebootDevice')));
}

test('a new scanner has its web server on', async () => {
  const scanner = await new Bench().start();
  expectData(await scanner.client().post('GetWebserverEnabled'), { IsEnabled: true });
});

test('GetWebserverEnabled tells the value set, and the web server goes on until the reboot', async () => {
  const scanner = await new Bench().start();
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: false });
  expectStatus(await client.get('DeviceStatus'), 0);
  expectDone(await client.call('SetWebserverEnabled', { Enable: true }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
  await scanner.throughReboot(async () => expectDone(await client.call('RebootDevice')));
  expectStatus(await client.get('DeviceStatus'), 0);
});

test('after a reboot with the web server off nothing listens on its port, and the scanner is up', async () => {
  const scanner = await new Bench().start();
  const port = scanner.client().port;
  await switchOff(scanner);
  expect(await scanner.isUp()).toBe(true);
  expect(await listens(port)).toBe(false);
});

test('it stays off over restarts, and the ready line says so', async () => {
  const bench = new Bench();
  const first = await bench.start();
  await switchOff(first);
  await first.kill();
  const second = await bench.start();
  expect(second.readyLine).toMatchObject({ ready: true, http: null });
  expect(await second.isUp()).toBe(true);
});

test('serve --enable-webserver brings it back', async () => {
  const bench = new Bench();
  const first = await bench.start();
  expectDone(await first.client().write('LocationName', 'Gate 3'));
  await switchOff(first);
  await first.stop();
  const back = await bench.start(['--enable-webserver']);
  const client = back.client();
  expect(await client.value('LocationName')).toBe('Gate 3');
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
  await back.throughReboot(async () => expectDone(await client.call('RebootDevice')));
  expectStatus(await new Client(client.port).get('DeviceStatus'), 0);
});

test('factory defaults bring it back for the next boot', async () => {
  const bench = new Bench();
  const scanner = await bench.start();
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectDone(await client.call('LoadFactoryDefaults'));
  await scanner.powerCycle();
  await until('the web server', () => listens(client.port));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
});
