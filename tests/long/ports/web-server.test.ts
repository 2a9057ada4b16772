import { Client } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { listens } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

/** Switches the web server off and reboots; the scanner is then up without it. */
async function switchOff(scanner: ScannerProcess): Promise<void> {
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: false });
  await scanner.throughReboot(async () => expectDone(await client.call('RebootDevice')));
}

/** Where the control port says that the web server listens. */
async function httpOf(scanner: ScannerProcess): Promise<unknown> {
  return object(parse((await scanner.control('/')).text)).http;
}

test('GetWebserverEnabled returns the new value, and the web server listens until the reboot', async () => {
  const scanner = await new ScannerFolder().start();
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: false });
  expectStatus(await client.get('DeviceStatus'), 0);
  expectDone(await client.call('SetWebserverEnabled', { Enable: true }));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
  await scanner.throughReboot(async () => expectDone(await client.call('RebootDevice')));
  expectStatus(await client.get('DeviceStatus'), 0);
});

test('if it is off, nothing listens on its port after a reboot or a restart, and the ready line has null', async () => {
  const scannerFolder = new ScannerFolder();
  const first = await scannerFolder.start();
  const { port } = first.client();
  await switchOff(first);
  expect(await first.isUp()).toBe(true);
  expect(await listens(port)).toBe(false);
  await first.kill();
  const second = await scannerFolder.start();
  expect(second.readyLine).toMatchObject({ ready: true, http: null });
  expect(await second.isUp()).toBe(true);
});

test('serve --enable-webserver switches it on', async () => {
  const scannerFolder = new ScannerFolder();
  const first = await scannerFolder.start();
  expectDone(await first.client().write('LocationName', 'Gate 3'));
  await switchOff(first);
  await first.stop();
  const back = await scannerFolder.start(['--enable-webserver']);
  const client = back.client();
  expect(await client.value('LocationName')).toBe('Gate 3');
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
  await back.throughReboot(async () => expectDone(await client.call('RebootDevice')));
  expectStatus(await new Client(client.port).get('DeviceStatus'), 0);
});

test('the switch takes effect at a power cut as at a reboot, without saving', async () => {
  const scanner = await new ScannerFolder().start();
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  await scanner.powerCycle();
  expect(await listens(client.port)).toBe(false);
  expect(await httpOf(scanner)).toBeNull();
});

test('the control port switches it on for the next boot, on the same port', async () => {
  const scanner = await new ScannerFolder().start();
  const client = scanner.client();
  const { port } = client;
  await switchOff(scanner);
  expect((await scanner.control('/webserver', { enabled: true })).httpStatus).toBe(200);
  expect(await httpOf(scanner)).toBeNull();
  await scanner.control('/power-cycle', {});
  await scanner.boot();
  await until(() => listens(port));
  expect(await httpOf(scanner)).toEqual({ host: '127.0.0.1', port });
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
});

test('the control port can switch it off, too', async () => {
  const scanner = await new ScannerFolder().start();
  const client = scanner.client();
  await scanner.control('/webserver', { enabled: false });
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: false });
  await scanner.powerCycle();
  expect(await listens(client.port)).toBe(false);
});

test('factory defaults switch it on for the next boot', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  const client = scanner.client();
  expectDone(await client.call('SetWebserverEnabled', { Enable: false }));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectDone(await client.call('LoadFactoryDefaults'));
  await scanner.powerCycle();
  await until(() => listens(client.port));
  expectData(await client.post('GetWebserverEnabled'), { IsEnabled: true });
});
