import { authorizedClient, type HttpResponse } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { number, object, parse } from '@azimuth/test-support/json';
import { listens, RawConnection } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess, sharedScanner } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

const reboots: readonly [string, unknown][] = [
  ['RebootDevice', undefined],
  ['SoftReset', { ProcessorNbr: 0 }],
];

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(client().port);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** Reboots and brings the scanner back, with a look at it while it is down. */
async function whileDown(reboot: [string, unknown], look: () => Promise<void>): Promise<void> {
  let reply: HttpResponse | undefined;
  await scanner().throughReboot(async () => {
    reply = await client().call(...reboot);
    await look();
  });
  if (reply === undefined) throw new Error('no answer');
  expectDone(reply);
}

describe.each(reboots)('%s', (...reboot) => {
  test('answers whole, and then the port is closed', async () => {
    await whileDown(reboot, async () => {
      await expect.poll(() => listens(client().port)).toBe(false);
    });
  });

  test('closes idle, half-sent and unused connections', async () => {
    const idle = await open();
    idle.request('GET /api/DeviceStatus', ['Connection: keep-alive']);
    await idle.response();
    const half = await open();
    half.write('POST /api/getChallenge HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
    const unused = await open();
    await whileDown(reboot, async () => {
      await expect
        .poll(() => [idle, half, unused].map(({ isClosed }) => isClosed))
        .toEqual([true, true, true]);
    });
  });

  test('answers over a kept connection before it closes it', async () => {
    const keeping = scanner().client({ keepAlive: true });
    onTestFinished(() => keeping.close());
    await scanner().throughReboot(async () => expectDone(await keeping.call(...reboot)));
  });

  test('leaves nothing listening for the whole boot time, and comes back on the same port', async () => {
    const port = client().port;
    await whileDown(reboot, async () => {
      await until(async () => !(await scanner().isUp()));
      await scanner().advance(scanner().bootTime * 1000 - 60_000);
      for (let look = 0; look < 20; look++) expect(await listens(port)).toBe(false);
      expect(await scanner().isUp()).toBe(false);
    });
    expectStatus(await client().get('DeviceStatus'), 0);
    expect(client().port).toBe(port);
    expect((await client().send({ method: 'GET', path: '/healthz' })).httpStatus).toBe(200);
  });

  test('is not counted as a power-on', async () => {
    const before = await client().value('PowerOnCnt');
    await whileDown(reboot, async () => {});
    expect(await client().value('PowerOnCnt')).toBe(before);
  });
});

test('a refused reboot reboots nothing', async () => {
  const witness = await open();
  expectStatus(await client().call('RebootDevice', undefined, authorizedClient), 4);
  expectStatus(await client().post('RebootDevice'), 4);
  expectStatus(await client().call('SoftReset'), 1);
  witness.request('GET /api/DeviceStatus');
  expect((await witness.response()).body).toContain('"status":0');
});

test('the scanner comes back ten times in a row', async () => {
  for (let time = 0; time < 10; time++) {
    expectDone(await client().write('LocationName', `reboot ${time}`));
    await whileDown(['RebootDevice', undefined], async () => {});
    expect(await client().value('LocationName')).toBe(`reboot ${time}`);
  }
  expect(await client().value('DeviceStatus')).toBe(3);
});

test('the control port stays open and tells that the scanner is down', async () => {
  const controlPort = scanner().controlPort;
  await whileDown(['RebootDevice', undefined], async () => {
    await until(async () => !(await scanner().isUp()));
    expect(await stateOf(scanner())).toMatchObject({ up: false });
  });
  expect(await stateOf(scanner())).toMatchObject({ up: true });
  expect(number(controlPort)).toBe(scanner().controlPort);
});

test('SIGTERM ends a scanner cleanly that is down, and what it stored is there', async () => {
  const scannerFolder = new ScannerFolder();
  const rebooting = await scannerFolder.start();
  expectDone(await rebooting.client().write('LocationName', 'Gate 3'));
  expectDone(await rebooting.client().call('RebootDevice'));
  await until(async () => !(await rebooting.isUp()));
  expect((await rebooting.stop()).code).toBe(0);
  expect(await (await scannerFolder.start()).client().value('LocationName')).toBe('Gate 3');
});

test('a power cut while the scanner is down does no harm', async () => {
  const scannerFolder = new ScannerFolder();
  const rebooting = await scannerFolder.start();
  expectDone(await rebooting.client().call('RebootDevice'));
  await until(async () => !(await rebooting.isUp()));
  await rebooting.kill();
  const again = await scannerFolder.start();
  expect(await again.client().value('DeviceStatus')).toBe(3);
  expect(await again.client().value('PowerOnCnt')).toBe(2);
});

async function stateOf(process: ScannerProcess) {
  return object(parse((await process.control('/')).text));
}
