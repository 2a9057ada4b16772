import { imuDataOutput, measurementDataOutput, type Variable } from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import type { Line } from '@azimuth/test-support/log-book';
import { bootMilliseconds, TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';

export const scan = measurementDataOutput.members;
export const imu = imuDataOutput.members;

/** Destination of a stream, on this machine. */
export const udp = (port: number, address: readonly number[] = [127, 0, 0, 1]) => ({
  Protocol: 1 as const,
  IPAddress: address,
  Port: port,
});
export const tcp = (port: number) => ({ Protocol: 2 as const, IPAddress: [127, 0, 0, 1], Port: port });

/** Starts a scanner that sees 2 m all around, on virtual time, with real sockets. */
export class StreamingScanner {
  private constructor(
    readonly testScanner: TestScanner,
    readonly core: FlatCore,
  ) {}

  static async start(options: TestScannerOptions = {}): Promise<StreamingScanner> {
    const core = new FlatCore();
    const testScanner = await TestScanner.start({ core, ...options });
    testScanner.log.lines.length = 0;
    return new StreamingScanner(testScanner, core);
  }

  set<T>(variable: Variable<T>, value: T): void {
    this.testScanner.service.device.parameters.change((change) => change.set(variable, value));
  }

  /** Switches the scan data stream on, towards a port of this machine. */
  sendScans(port: number, protocol: typeof udp | typeof tcp = udp): void {
    this.set(scan.ScanDataEthSettings, protocol(port));
    this.set(scan.ScanDataEnable, true);
  }

  /** Lets time pass until the condition is true, in steps that leave the network time for its work. */
  async runUntil(question: () => boolean, step = 5): Promise<void> {
    await settled();
    while (!question()) {
      this.testScanner.clock.advance(step);
      await turn();
    }
  }

  /** Lets so many milliseconds pass. */
  async run(milliseconds: number, step = 5): Promise<void> {
    const { clock } = this.testScanner;
    const end = clock.monotonic() + milliseconds;
    await this.runUntil(() => clock.monotonic() >= end, step);
  }

  async reboot(): Promise<void> {
    const { lifecycle } = this.testScanner.service.device;
    lifecycle.reboot();
    this.testScanner.clock.advance(bootMilliseconds);
    while (lifecycle.phase !== 'up') await turn();
    await settled();
  }

  lines(severity: Line['severity'], beginning: string): readonly Line[] {
    return this.testScanner.log.lines.filter(
      (line) => line.severity === severity && line.message.startsWith(beginning),
    );
  }

  /** Returns the lines of the metrics page about our streams. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const { text } = await this.testScanner.client().send({ method: 'GET', path: '/metrics' });
    const samples = [...text.matchAll(/^(azimuth_(?:telegram|stream|scans|ros)\S*) (\S+)$/gm)];
    return new Map(samples.map(([, name = '', value]) => [name, Number(value)]));
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits for a few turns of the event loop, after which all work of this machine is done. */
export async function settled(times = 20): Promise<void> {
  for (let time = 0; time < times; time++) await turn();
}
