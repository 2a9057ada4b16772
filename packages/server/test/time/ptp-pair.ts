import { VirtualClock } from '@azimuth/device';
import { PtpState } from '@azimuth/model';
import { expectDone } from '@azimuth/test-support/envelope';
import { freePtpPorts, PtpMaster } from '@azimuth/test-support/ptp-master';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';

/** Time (ms) that the master is ahead of the computer on which the scanner runs. */
export const masterAhead = 3_600_000;

interface Options extends Pick<TestScannerOptions, 'network' | 'controlPort'> {
  /** Address to which the master sends; by default the group. */
  readonly to?: string;
}

/** A scanner on virtual time, whose clock is an hour behind a master on the same computer. */
export async function scannerAndMaster({ to, ...options }: Options = {}) {
  const clock = new VirtualClock();
  const ports = await freePtpPorts();
  const utc = () => clock.utc() + masterAhead;
  const master = await PtpMaster.open({ ports, utc, to });
  const scanner = await TestScanner.start({ clock, ptpPorts: ports, ...options });
  const { synchronisation } = scanner.service.device.features;
  const role = async (value: number) => expectDone(await scanner.client().write('TSCRole', value));
  const ptpState = () => synchronisation.state.Ptp.State;
  return { scanner, master, ports, synchronisation, role, ptpState };
}

type Pair = Awaited<ReturnType<typeof scannerAndMaster>>;

/** Lets the master send until the scanner follows its time. */
export async function synchronised(pair: Pair): Promise<void> {
  const { master, synchronisation, ptpState } = pair;
  await until(() => ptpState() === PtpState.LISTENING);
  await master.announce();
  await master.announce();
  await until(() => ptpState() === PtpState.UNCALIBRATED);
  await master.sync();
  await asked(pair);
  await until(async () => {
    await master.sync();
    return synchronisation.state.Synchronised;
  });
}

/** Waits until the scanner has sent another Delay_Req. Returns the address that it came from. */
export async function asked({ master, scanner }: Pair): Promise<string> {
  const before = master.requests.length;
  await until(() => {
    // The request comes within seconds of the scanner's clock. Datagrams are transmitted while it passes.
    if (master.requests.length === before) scanner.clock.advance(10);
    return master.requests.length > before;
  });
  return master.requests.at(-1)?.from ?? '';
}
