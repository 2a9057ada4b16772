import { RawConnection } from '@azimuth/test-support/raw-connection';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { openSocket } from '@azimuth/test-support/subscriber';
import { expect, onTestFinished, test } from 'vitest';

/** The scanner must have closed all this soon (ms) after its answer; the rest is for a busy machine. */
const down = 100 + 50;

test.each<[string, unknown]>([
  ['RebootDevice', undefined],
  ['SoftReset', { ProcessorNbr: 0 }],
])('%s closes every connection within 100 ms of its answer', async (...reboot) => {
  const scanner = await new ScannerFolder().start();
  const port = Number(scanner.httpPort);
  const half = await RawConnection.open(port);
  onTestFinished(() => half.destroy());
  half.write('POST /api/getChallenge HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"');
  const unused = await RawConnection.open(port);
  onTestFinished(() => unused.destroy());
  const own = await openSocket(port, { path: '/x/events' });
  // It neither answers a close frame nor closes anything itself.
  const stubborn = await openSocket(port, { silent: true });
  await scanner.throughReboot(async () => {
    await scanner.client().call(...reboot);
    const answered = performance.now();
    await Promise.all([half.closed, unused.closed, own.closed, stubborn.closed]);
    expect(performance.now() - answered).toBeLessThan(down);
  });
});
