import { Client, type HttpResponse } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { listens } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

/** Not 127.0.0.1, whose ports are used by other tests: the scanner may find its own taken when it comes back. */
const host = '127.0.0.2';
const rebind = ['--network', 'rebind', '--host', host];

/** Puts an address into force, as a client at another one. */
async function update(client: Client, address: readonly number[]): Promise<HttpResponse> {
  expectDone(await client.write('EtherIPAddress', address));
  return client.call('EthernetUpdate');
}

async function powerCycle(scanner: ScannerProcess): Promise<void> {
  expect((await scanner.control('/power-cycle', {})).httpStatus).toBe(200);
  await scanner.boot();
}

/** Where the control port says that the web server listens. */
async function place(scanner: ScannerProcess): Promise<unknown> {
  return object(parse((await scanner.control('/')).text)).http;
}

/** The next line of the log that holds these words, when it is there. */
async function logged(scanner: ScannerProcess, words: string): Promise<string> {
  const line = () => scanner.log.split('\n').find((candidate) => candidate.includes(words));
  await until(() => line() !== undefined);
  return line() ?? '';
}

test('after the answer of EthernetUpdate, the scanner listens at the new address and no longer at the old one', async () => {
  const scanner = await new ScannerFolder().start(rebind);
  const old = scanner.client({ host });
  const { port } = old;
  const answer = await update(old, [127, 0, 0, 5]);
  expectDone(answer);
  expect(answer.headers.connection).toBe('close');
  await until(async () => !(await listens(port, host)));
  const moved = new Client(port, { host: '127.0.0.5' });
  expect(await moved.value('EtherIPAddress')).toEqual([127, 0, 0, 5]);
  expect(await place(scanner)).toEqual({ host: '127.0.0.5', port });
  await logged(scanner, `Listening at http://127.0.0.5:${port}`);
  expectDone(await update(moved, [127, 0, 0, 6]));
  await until(async () => !(await listens(port, '127.0.0.5')));
  expect(await new Client(port, { host: '127.0.0.6' }).value('DeviceStatus')).toBe(3);
});

test('after a power cut, an address that was not saved is lost and a saved one is in force', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start(rebind);
  const { port } = scanner.client({ host });
  expectDone(await update(scanner.client({ host }), [127, 0, 0, 5]));
  await logged(scanner, 'Listening at http://127.0.0.5:');
  await powerCycle(scanner);
  // The factory address is none of this machine: --host stands in for it.
  await until(() => listens(port, host));
  expect(await listens(port, '127.0.0.5')).toBe(false);

  expectDone(await update(scanner.client({ host }), [127, 0, 0, 5]));
  await until(() => listens(port, '127.0.0.5'));
  const moved = new Client(port, { host: '127.0.0.5' });
  expectData(await moved.call('WriteEeprom'), { Success: true });
  await powerCycle(scanner);
  await until(() => listens(port, '127.0.0.5'));
  expect(await listens(port, host)).toBe(false);

  await scanner.kill();
  const again = await scannerFolder.start(rebind);
  expect(await place(again)).toEqual({ host: '127.0.0.5', port: again.httpPort });
});

test('RebootDevice at the new address stores it, and the scanner comes up there', async () => {
  const scanner = await new ScannerFolder().start(rebind);
  const { port } = scanner.client({ host });
  await update(scanner.client({ host }), [127, 0, 0, 5]);
  await until(() => listens(port, '127.0.0.5'));
  const moved = new Client(port, { host: '127.0.0.5' });
  expectDone(await moved.call('RebootDevice'));
  await scanner.boot();
  await until(() => listens(port, '127.0.0.5'));
  expect(await moved.value('EtherIPAddress')).toEqual([127, 0, 0, 5]);
});

test('below release 2.1.0, an address takes effect at a boot', async () => {
  const scanner = await new ScannerFolder().start([...rebind, '--firmware', '1.5.0']);
  const { port } = scanner.client({ host });
  const written = await scanner.client({ host }).write('EtherIPAddress', [127, 0, 0, 5]);
  expectDone(written);
  expect(await place(scanner)).toEqual({ host, port });
  expectDone(await scanner.client({ host }).call('RebootDevice'));
  await scanner.boot();
  await until(() => listens(port, '127.0.0.5'));
});
