import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PtpState } from '@azimuth/model';
import { service } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { NamespaceProcess, Namespaces } from './namespaces.js';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));
const receiver = fileURLToPath(new URL('telegram-errors.mjs', import.meta.url));
const limit = 90_000;

/** The receiver of telegrams beside the scanner. */
class Receiver {
  readonly #process: NamespaceProcess;

  constructor({ scanner, scannerAddress }: Namespaces) {
    this.#process = new NamespaceProcess([...scanner, process.execPath, receiver, scannerAddress]);
  }

  get lines() {
    return this.#process.output
      .split('\n')
      .slice(0, -1)
      .map((line) => object(parse(line)));
  }

  async ports() {
    await until(() => this.lines.length > 0);
    return object(this.lines[0]?.ports);
  }

  /** Medians of the next seconds: of the errors of both streams in ms, and how often a time went back till then. */
  async over(seconds: number) {
    const begin = this.lines.length;
    await until(() => this.lines.length >= begin + seconds, limit);
    const lines = this.lines.slice(begin, begin + seconds);
    return {
      scan: middle(lines.map(({ scan }) => scan)),
      imu: middle(lines.map(({ imu }) => imu)),
      wentBack: Number(lines.at(-1)?.wentBack) - Number(this.lines[begin - 1]?.wentBack ?? 0),
    };
  }
}

/** NaN, which fails every comparison, if a stream was missing in more than half of the seconds. */
function middle(seconds: readonly unknown[]): number {
  const numbers = seconds.filter((error) => typeof error === 'number');
  if (2 * numbers.length < seconds.length) return Number.NaN;
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

test(
  'a clock that is an hour off and drifts follows ptp4l within a millisecond, also through changes of master',
  async () => {
    const namespaces = new Namespaces();
    const { scanner: launcher, scannerAddress } = namespaces;
    const first = namespaces.ptp4l(1, 128);
    const scanner = await new ScannerFolder().start(
      ['--host', scannerAddress, '--clock-offset', '-3600', '--clock-drift', '200'],
      { launcher, env: { AZIMUTH_PASSWORD_SERVICE: service.password } },
    );
    const azimuth = (...words: readonly string[]) => {
      const [program = '', ...rest] = [...launcher, process.execPath, bin, ...words];
      const device = `http://${scannerAddress}:${scanner.httpPort}`;
      const env = { ...process.env, AZIMUTH_DEVICE: device, AZIMUTH_PASSWORD: service.password };
      return execFileSync(program, rest, { env, encoding: 'utf8' });
    };
    const time = () => object(object(parse(azimuth('get', 'x/time', '--json')))['x/time']);
    const told = () => scanner.log.split('The scanner follows a PTP master').length - 1;

    const receiving = new Receiver(namespaces);
    const ports = await receiving.ports();
    azimuth('set', 'ScanDataEthSettings', `IPAddress=${scannerAddress}`, `Port=${ports.scan}`);
    azimuth('set', 'ImuDataEthSettings', `IPAddress=${scannerAddress}`, `Port=${ports.imu}`);
    azimuth('set', 'ScanDataFormat', 'Compact');
    azimuth('set', 'ScanDataEnable', 'on');
    azimuth('set', 'ImuDataEnable', 'on');
    azimuth('set', 'TSCRole', 'TX_PTP_SLAVE');
    const begin = performance.now();
    await until(() => told() === 1, limit);
    await until(() => scanner.log.includes('The clock is synchronised'), limit);
    expect(first.maySetClocks).toBe(false);
    // The jump to UTC comes with the next scan.
    await receiving.over(2);
    const early = await receiving.over(10);

    const second = namespaces.ptp4l(2, 100);
    await until(() => told() === 2, limit);
    expect(second.maySetClocks).toBe(false);
    const change = await receiving.over(8);
    await until(() => performance.now() - begin >= 60_000, limit);
    const settled = await receiving.over(10);
    const following = time();
    expect(following).toMatchObject({
      Synchronised: true,
      Fault: '',
      Ptp: { State: PtpState.SLAVE, MasterAddress: [10, 99, 0, 12], Priority1: 100 },
    });

    await second.kill();
    await until(() => told() === 3, limit);
    const back = await receiving.over(10);
    const figures = { early, change, settled, back };
    for (const [when, { scan, imu, wentBack }] of Object.entries(figures)) {
      console.log(
        `${when}: scan ${scan.toFixed(3)} ms, IMU ${imu.toFixed(3)} ms, went back ${wentBack} times`,
      );
      expect(wentBack, when).toBe(0);
    }
    const { Drift, PathDelay } = object(following.Ptp);
    console.log(`drift ${Number(Drift).toFixed(2)} ppm, path delay ${Number(PathDelay).toFixed(3)} ms`);
    for (const { scan, imu } of [settled, back]) {
      expect(Math.abs(scan)).toBeLessThan(1);
      expect(Math.abs(imu)).toBeLessThan(1);
    }
    expect(Math.abs(Number(Drift) + 200)).toBeLessThan(20);
  },
  4 * limit,
);
