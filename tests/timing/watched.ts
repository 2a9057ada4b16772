import { type AskedScanner, TimingAnalysis, type TimingReport } from '@azimuth/client/timing';
import type { Clock } from '@azimuth/device';
import { watchSentTelegrams } from '@azimuth/test-support/streams/sent-telegrams';
import { type StartOptions, startScanner, type TestScanner } from '@azimuth/testing';

/** A scanner on virtual time, all of whose streams are watched. */
export class Watched {
  analysis = new TimingAnalysis();
  readonly scanner: TestScanner;
  /** Clocks of other scanners of this process, by their sender. */
  readonly clocks = new Map<number, Clock>();

  private constructor(scanner: TestScanner) {
    this.scanner = scanner;
  }

  static async start(options: StartOptions = {}): Promise<Watched> {
    const watched = new Watched(await startScanner(options));
    const { clock } = watched.scanner.device;
    watchSentTelegrams(
      (telegram, port) => {
        const sender = telegram.kind === 'scan' ? (telegram.telegram.modules[0]?.sender ?? 0) : 0;
        const at = (watched.clocks.get(sender) ?? clock).utc();
        watched.analysis.push(telegram, at, '127.0.0.1:5000', `127.0.0.1:${port}`);
      },
      () => watched.analysis.damaged(),
    );
    for (const name of ['ScanData', 'ImuData', 'EncoderData'] as const) {
      const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 2115 };
      // Older releases have no encoder data.
      await watched.write(`${name}EthSettings`, destination).catch(() => undefined);
      await watched.write(`${name}Enable`, true).catch(() => undefined);
    }
    return watched;
  }

  write(name: string, value: unknown): Promise<unknown> {
    return this.scanner.client.writeAny(name, value);
  }

  /** Changes members of a struct. */
  async change(name: string, members: object): Promise<void> {
    await this.write(name, { ...Object(await this.scanner.client.readAny(name)), ...members });
  }

  /** Returns what is seen while so many ms pass. */
  async over(milliseconds: number, asked?: AskedScanner): Promise<TimingReport> {
    this.analysis = new TimingAnalysis();
    await this.scanner.advance(milliseconds);
    return this.analysis.report({ now: this.scanner.device.clock.utc(), asked });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.scanner.close();
  }
}

export function causesIn({ findings }: TimingReport): readonly string[] {
  return findings.map(({ cause }) => cause);
}
