import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

/** A scanner that sends from its power-on on, in a process that may have lost it. */
async function sendingScanner() {
  const given = { ours: true };
  let datagrams = 0;
  const socket = createSocket('udp4', () => datagrams++).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const settings = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: socket.address().port };
  const parameters = { ScanDataEthSettings: settings, ScanDataEnable: true };
  const { fleet } = await someFleet(
    scannerFacts(1, () => ({ parameters })),
    { owns: () => given.ours },
  );
  await until(() => datagrams > 3);
  /** Resolves when a datagram would have come long ago: a later one has come. */
  const silence = async () => {
    const before = datagrams;
    const other = await sendingElsewhere();
    await other(10);
    return datagrams - before;
  };
  return { fleet, given, count: () => datagrams, silence };
}

/** A scanner of another fleet, as a measure of time. @returns a function that waits for this many datagrams of it */
async function sendingElsewhere(): Promise<(datagrams: number) => Promise<void>> {
  let datagrams = 0;
  const socket = createSocket('udp4', () => datagrams++).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const settings = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: socket.address().port };
  await someFleet(
    scannerFacts(1, () => ({ parameters: { ScanDataEthSettings: settings, ScanDataEnable: true } })),
  );
  return (wanted) => until(() => datagrams >= wanted);
}

test('a scanner that another process may run sends nothing, and goes on if it is still ours', async () => {
  const { given, silence, count } = await sendingScanner();
  given.ours = false;
  // Waits for datagrams that are already sent.
  await new Promise(setImmediate);
  expect(await silence()).toBeLessThanOrEqual(1);
  given.ours = true;
  const before = count();
  await until(() => count() > before + 3);
});

test('a scanner that another process may run is switched off, also while it is started', async () => {
  const { fleet, given } = await sendingScanner();
  given.ours = false;
  await fleet.switchOff(fleet.virtualMatching('1'));
  expect(fleet.states.off).toBe(1);
  await fleet.switchOn(fleet.virtualMatching('1'));
  const [scanner] = fleet.scanners.values();
  const started = scanner?.started().catch(() => undefined);
  await fleet.switchOff(fleet.virtualMatching('1'));
  await started;
  expect(fleet.states.off).toBe(1);
});
