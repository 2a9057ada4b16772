import { expectServed, portsOf, serviceSession, session } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { imuOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';

const login = ['sMN SetAccessMode 4 81BE23AA', 'sAN SetAccessMode 1'] as const;
const run = ['sMN Run', 'sAN Run 1'] as const;

/** What a driver of this family of scanners sends at its start, and what has to stand in the answers. */
function startSequence(scanPort: number, imuPort: number): readonly (readonly [string, string])[] {
  return [
    login,
    ['sWN FREchoFilter 2', 'sWA FREchoFilter'],
    run,
    login,
    ['sRN FREchoFilter', 'sRA FREchoFilter 2'],
    ['sRN LFPangleRangeFilter', 'sRA LFPangleRangeFilter 0 '],
    login,
    [`sWN ScanDataEthSettings 1 +127 +0 +0 +1 +${scanPort}`, 'sWA ScanDataEthSettings'],
    ['sWN ScanDataFormat 2', 'sWA ScanDataFormat'],
    ['sWN PerformanceProfileNumber 2', 'sWA PerformanceProfileNumber'],
    [`sWN ImuDataEthSettings 1 +127 +0 +0 +1 +${imuPort}`, 'sWA ImuDataEthSettings'],
    run,
    login,
    ['sWN ScanDataEnable 1', 'sWA ScanDataEnable'],
    ['sWN ImuDataEnable 1', 'sWA ImuDataEnable'],
    run,
    login,
    ['sMN LMCstartmeas', 'sAN LMCstartmeas'],
  ];
}

async function talk(client: LegacyClient, words: readonly (readonly [string, string])[]): Promise<void> {
  for (const [request, answer] of words) {
    expect((await client.request(request)).payload.toString('latin1'), request).toContain(answer);
  }
}

async function started() {
  const scanner = await new ScannerFolder().start();
  const scan = await UdpReceiver.open();
  const imu = await UdpReceiver.open();
  const client = await session(portsOf(scanner), 'A');
  await talk(client, startSequence(scan.port, imu.port));
  return { scanner, scan, imu, client, sequence: startSequence(scan.port, imu.port) };
}

describe('a driver that starts a scanner over the text interface', () => {
  test('completes its sequence, and then gets scan data and motion', async () => {
    const { scan, imu, client } = await started();
    const telegrams = await scan.next(60);
    expect(new Set(telegrams.map(({ kind }) => kind))).toEqual(new Set(['scan']));
    expect(imuOf(await imu.next(50)).length).toBe(50);
    await talk(client, [
      login,
      ['sWN ScanDataEnable 0', 'sWA ScanDataEnable'],
      ['sWN ImuDataEnable 0', 'sWA ImuDataEnable'],
      run,
    ]);
    await expectServed(client);
  });

  test('can lose its session, closed or not, and the streams continue', async () => {
    const { scanner, scan, imu, client, sequence } = await started();
    await scan.next(10);
    client.reset();
    await client.closed;
    scan.rest();
    imu.rest();
    await scan.next(100);
    await imu.next(100);
    // It starts all over, on a stream that is under way.
    await talk(await session(portsOf(scanner), 'A'), sequence);
    scan.rest();
    await scan.next(30);
  });

  test('can reconnect fifty times in quick succession', async () => {
    const { scanner, scan, sequence } = await started();
    for (let time = 0; time < 50; time += 1) {
      const client = await LegacyClient.open(portsOf(scanner).A, 'A');
      await talk(client, time % 10 === 9 ? sequence : sequence.slice(0, 3));
      if (time % 2 === 0) client.reset();
      else client.close();
    }
    scan.rest();
    await scan.next(30).catch((error: unknown) => {
      throw new Error(scanner.log, { cause: error });
    });
  });
});

describe('half-dead sessions', () => {
  const scanner = sharedScanner();

  // A host that was switched off says nothing, and nothing tells it from one that is silent.
  test('do not keep a new session out, even a hundred of them', async () => {
    const ports = portsOf(scanner());
    const dead: LegacyClient[] = [];
    for (let time = 0; time < 100; time += 1) {
      const client = await LegacyClient.forTest(ports.A, 'A');
      client.raw('\x02sRN SCdevicestate\x03');
      client.stall();
      dead.push(client);
    }
    const client = await session(ports, 'A');
    await talk(client, [login, ['sWN FREchoFilter 1', 'sWA FREchoFilter'], run]);
    for (const other of dead) other.readOn();
    await until(() => dead.filter(({ ending }) => ending).length >= 30);
    await expectServed(client);
  });

  test('that subscribe to events and do not read do not affect other clients', async () => {
    const ports = portsOf(scanner());
    for (let time = 0; time < 20; time += 1) {
      const dead = await LegacyClient.forTest(ports.B, 'B');
      await dead.follow('LSPdatetime');
      await dead.follow('InertialMeasurementUnit');
      dead.stall();
    }
    const client = await serviceSession(ports, 'B');
    for (let time = 0; time < 50; time += 1) await expectServed(client);
  });
});
