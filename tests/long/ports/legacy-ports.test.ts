import { createServer } from 'node:net';
import { expectDone } from '@azimuth/test-support/envelope';
import { freePort } from '@azimuth/test-support/free-port';
import {
  dialects,
  expectServed,
  portsOf,
  serviceSession,
  session,
} from '@azimuth/test-support/legacy/scanner';
import { errorCodeOf, LegacyClient } from '@azimuth/test-support/legacy-client';
import { listening } from '@azimuth/test-support/listening';
import { listens } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';

/** Starts the scanner without the flags that fix its legacy ports. */
const withoutFlags = `
n=$#
while [ $n -gt 0 ]; do
  case "$1" in
    --legacy-a-port|--legacy-b-port) shift 2; n=$((n - 2)) ;;
    *) set -- "$@" "$1"; shift; n=$((n - 1)) ;;
  esac
done
exec "$@"`;
const launcher = ['sh', '-c', withoutFlags, 'sh'];

/** Two ports that nobody uses. */
async function freePair(): Promise<readonly [number, number]> {
  const [a, b] = [await freePort(), await freePort()];
  return a === b ? freePair() : [a, b];
}

/** A scanner that listens where its own settings say, which are stored. */
async function onItsOwnPorts(
  scannerFolder: ScannerFolder,
): Promise<{ scanner: ScannerProcess; a: number; b: number }> {
  const [a, b] = await freePair();
  const first = await scannerFolder.start();
  const rest = first.client();
  expectDone(await rest.write('EtherAuxIPPort', a));
  expectDone(await rest.write('EtherHostIPPort', b));
  await rest.call('WriteEeprom');
  await first.stop();
  return { scanner: await scannerFolder.start([], { launcher }), a, b };
}

describe('the ports of the settings', () => {
  test('without flags are those of the ready line; EthernetUpdate over A moves A', async () => {
    const { scanner, a, b } = await onItsOwnPorts(new ScannerFolder());
    expect(portsOf(scanner)).toEqual({ A: a, B: b });
    const client = await serviceSession({ A: a, B: b }, 'A');
    const beside = await session({ A: a, B: b }, 'B');
    const next = await freePort();
    expect((await client.request(`sWN EtherAuxIPPort +${next}`)).payload.toString()).toBe(
      'sWA EtherAuxIPPort',
    );
    expect(await listens(next), 'before EthernetUpdate').toBe(false);
    await expectServed(await session({ A: a, B: b }, 'A'));
    // Answered first, then done.
    expect((await client.request('sMN EthernetUpdate')).payload.toString()).toBe('sAN EthernetUpdate');
    await until(() => listens(next));
    await until(async () => !(await listens(a)));
    await expectServed(await session({ A: next, B: b }, 'A'));
    await expectServed(await LegacyClient.forTest(next, 'B'));
    await expectServed(beside);
    // What was not stored is lost: the old port is back after a power cycle.
    await scanner.powerCycle();
    expect(await listens(next)).toBe(false);
    await expectServed(await session({ A: a, B: b }, 'A'));
  });
});

test.each(['legacy-a-port', 'legacy-b-port'])(
  'a port given by --%s that is taken refuses the start',
  async (flag) => {
    const port = await listening(createServer());
    const exit = await new ScannerFolder().refuse([`--${flag}`, String(port)]);
    expect(exit.code).not.toBe(0);
    expect(exit.log).toContain(String(port));
    expect(exit.log).toContain(flag);
  },
);

describe('EtherAuxEnabled', () => {
  test('closes and opens both ports with EthernetUpdate', async () => {
    const scanner = await new ScannerFolder().start();
    const ports = portsOf(scanner);
    const rest = scanner.client();
    const sessions = [await serviceSession(ports, 'A'), await session(ports, 'B')];
    expectDone(await rest.write('EtherAuxEnabled', false));
    for (const client of sessions) await expectServed(client);
    expectDone(await rest.call('EthernetUpdate'));
    for (const client of sessions) await client.untilClosed();
    await until(async () => !(await listens(ports.A)) && !(await listens(ports.B)));
    expect(await rest.value('EtherAuxEnabled')).toBe(false);
    expectDone(await rest.write('EtherAuxEnabled', true));
    expect(await listens(ports.A)).toBe(false);
    expectDone(await rest.call('EthernetUpdate'));
    await until(async () => (await listens(ports.A)) && (await listens(ports.B)));
    for (const dialect of dialects) await expectServed(await session(ports, dialect));
  });

  test('that is stored as off keeps them closed after a boot; a power cut restores the stored value', async () => {
    const scanner = await new ScannerFolder().start();
    const ports = portsOf(scanner);
    const rest = scanner.client();
    expectDone(await rest.write('EtherAuxEnabled', false));
    await rest.call('EthernetUpdate');
    await until(async () => !(await listens(ports.A)));
    await scanner.powerCycle();
    await until(() => listens(ports.A));
    expectDone(await scanner.client().write('EtherAuxEnabled', false));
    await scanner.throughReboot(() => scanner.client().call('RebootDevice'));
    expect([await listens(ports.A), await listens(ports.B)]).toEqual([false, false]);
  });
});

describe('a reboot over a legacy port', () => {
  test.each([
    ['A', 'sMN mSCreboot', 'sAN mSCreboot', 'kept'],
    ['A', 'sMN RebootDevice', 'sAN RebootDevice', 'kept'],
    ['B', 'sMN mSCreboot', 'sAN mSCreboot ', 'kept'],
    ['A', 'sMN mSCsoftreset', 'sAN mSCsoftreset', 'not defined'],
  ] as const)(
    'over %s by "%s" answers, closes everything, and comes back on the same ports',
    async (dialect, words, answer, location) => {
      const scanner = await new ScannerFolder().start();
      const ports = portsOf(scanner);
      const client = await serviceSession(ports, dialect);
      const others = [await session(ports, 'A'), await session(ports, 'B')];
      await client.write('LocationName', { text: [0, 32] }, 'kept');
      await scanner.throughReboot(async () => {
        expect((await client.request(words)).payload.toString('latin1')).toBe(answer);
        await client.untilClosed();
        for (const other of others) await other.untilClosed();
        expect([await listens(ports.A), await listens(ports.B)]).toEqual([false, false]);
      });
      const back = await session(ports, dialect);
      expect(await back.read('LocationName', { text: [0, 32] })).toBe(location);
      // The level is gone.
      expect(errorCodeOf(await back.attempt('LEDEnable', 'boolean', true))).toBe(0x0a);
    },
  );
});
