import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '@azimuth/test-support/waiting';
import { startScanner } from '@azimuth/testing';
import { expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Scanners before the first measurement, and between the two. */
const warmUp = 60;
const many = 240;
/** Bytes of the heap that a scanner may leave behind: far less than one of its scans. */
const mostLeft = 16 * 1024;

/** A whole life of a scanner: it is asked, measures, sends, boots and ends. */
async function live(): Promise<void> {
  const scanner = await startScanner({ search: true, controlPort: true });
  await scanner.write('ScanDataEnable', true);
  await scanner.client.write('LocationName', 'Gate 3');
  await scanner.advance(100);
  await scanner.powerCycle();
  await scanner.close();
}

/** What keeps a process alive, by its kind. */
function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Sockets, listeners and datagram sockets. */
function sockets(): number {
  const counts = handles();
  return ['TCPSocketWrap', 'TCPServerWrap', 'UDPWRAP', 'UDPSendWrap'].reduce(
    (sum, kind) => sum + (counts[kind] ?? 0),
    0,
  );
}

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('hundreds of scanners one after the other leave no socket, timer or memory behind', async () => {
  const [socketsBefore, timersBefore] = [sockets(), handles().Timeout ?? 0];
  for (let times = 0; times < warmUp; times++) await live();
  await until(() => sockets() <= socketsBefore);
  const before = heap();
  for (let times = 0; times < many; times++) await live();
  await until(() => sockets() <= socketsBefore);
  // Timers of the tests themselves come and go.
  await until(() => (handles().Timeout ?? 0) <= timersBefore + 3);
  expect((heap() - before) / many).toBeLessThan(mostLeft);
}, 300_000);
