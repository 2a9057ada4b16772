import type { PtpNetwork } from '@azimuth/device';
import { dateAndSystemTime, extensions, type TimeState } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { flushPromises } from '../fake-time-servers.js';
import { type Script, type ScriptedMaster, ScriptedNetwork } from './scripted-network.js';

const { TSCRole } = dateAndSystemTime.members;

export const first = { clock: '001122fffe000001', address: '10.0.0.1' };
export const second = { clock: '001122fffe000002', address: '10.0.0.2' };
const hour = 3_600_000;

/** A device on virtual time in a network of scripted masters. Its host's clock is an hour behind them. */
export class PtpDevice {
  private constructor(
    readonly test: TestDevice,
    readonly network: ScriptedNetwork,
  ) {}

  /** @param through the network as the hardware of the scanner gives it */
  static async open(through = (network: PtpNetwork) => network): Promise<PtpDevice> {
    const network: ScriptedNetwork = new ScriptedNetwork(() => test.clock);
    const test = await TestDevice.open({ connect: { ptp: through(network) } });
    return new PtpDevice(test, network);
  }

  /** A device with TSCRole 3. */
  static async following(...scripts: readonly Script[]): Promise<PtpDevice> {
    const device = await PtpDevice.open();
    for (const script of scripts) device.add(script);
    await device.role(3);
    return device;
  }

  add(script: Script): ScriptedMaster {
    return this.network.add({ ahead: hour, ...script });
  }

  get master(): ScriptedMaster {
    const [master] = this.network.masters;
    if (master === undefined) throw new Error('there is no master');
    return master;
  }

  async role(role: 0 | 1 | 3): Promise<void> {
    this.test.device.write(TSCRole, role, atService);
    // Loads the code of a slave first.
    if (role === 3) await until(() => this.network.listener !== undefined);
    else await flushPromises();
  }

  /** Sets TSCRole to 3 without waiting for the ports to open. */
  async startAsSlave(): Promise<void> {
    this.test.device.write(TSCRole, 3, atService);
    await until(() => this.state.Fault !== '');
  }

  get state(): TimeState {
    return this.test.device.read(extensions.members.time);
  }

  pass(seconds: number): void {
    this.test.clock.advance(seconds * 1000);
  }

  /** ms that the device clock is ahead of a master. */
  error(master = this.master): number {
    return this.test.device.features.synchronisation.time.utc - master.utc;
  }

  /** µs that times in telegrams are ahead of a master, for what is measured now. */
  telegramError(master = this.master): number {
    return this.telegramTime - master.utc * 1000;
  }

  /** The time (µs) that a telegram states for what is measured now. */
  get telegramTime(): number {
    const { telegramTime, measuring } = this.test.device.features;
    const now = measuring.microseconds();
    return now + telegramTime.offsetAt(now);
  }

  get logged(): readonly string[] {
    return this.test.log.lines.map(({ message }) => message);
  }
}
