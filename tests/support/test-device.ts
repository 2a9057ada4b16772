import { type AddressSet, type DeviceOptions, type Hardware, VirtualClock } from '@azimuth/device';
import { type DeviceContext, openContext } from '@azimuth/device/context';
import { Device } from '@azimuth/device/device';
import type { Caller, CallResult } from '@azimuth/device/network-interface';
import { allMethods, type LoginLevel, type Method, type MethodName, Refusal } from '@azimuth/model';
import { onTestFinished } from 'vitest';
import { type Header, headerFor } from './client.js';
import { FaultyStorage } from './faulty-storage.js';
import { FlatCore } from './flat-core.js';
import { LogBook } from './log-book.js';
import { SeededRandom } from './seeded-random.js';

export const bootMilliseconds = 2000;
export const atService: Caller = { level: 'Service' };

export const factoryPassword: Readonly<Record<LoginLevel, string>> = {
  Maintenance: 'main',
  AuthorizedClient: 'client',
  Service: 'servicelevel',
};

/** A device on virtual time, in memory, with a log to read. */
export class TestDevice {
  readonly clock: VirtualClock;
  readonly log = new LogBook();
  readonly storage: FaultyStorage;
  readonly device: Device;
  /** Parts behind the device, which programs cannot reach. */
  readonly context: DeviceContext;
  readonly #dhcp: { lease: AddressSet | undefined };

  private constructor(
    clock: VirtualClock,
    log: LogBook,
    storage: FaultyStorage,
    device: Device,
    context: DeviceContext,
    dhcp: { lease: AddressSet | undefined },
  ) {
    this.clock = clock;
    this.log = log;
    this.storage = storage;
    this.device = device;
    this.context = context;
    this.#dhcp = dhcp;
  }

  static async open(
    {
      connect,
      ...facts
    }: Partial<Omit<DeviceOptions, 'storage' | 'clock'>> & { readonly connect?: Partial<Hardware> } = {},
    storage = new FaultyStorage(),
    clock = new VirtualClock(),
  ): Promise<TestDevice> {
    const log = new LogBook();
    const dhcp: { lease: AddressSet | undefined } = { lease: undefined };
    const options: DeviceOptions = {
      identity: { serialNumber: '12345678' },
      clock,
      random: new SeededRandom(),
      core: async () => new FlatCore(),
      storage,
      // Nothing of it changes: it need not be looked at while months pass.
      hardware: {
        ...{ log, temperature: () => 32.5, onChange: () => undefined },
        network: { lease: () => dhcp.lease },
        reboot: () => passed(clock, bootMilliseconds),
        ...connect,
      },
      variant: 'full',
      ...facts,
    };
    const context = await openContext(options);
    const device = await Device.on(context, options);
    onTestFinished(() => device.close());
    return new TestDevice(clock, log, storage, device, context, dhcp);
  }

  /** Starts the scanner in a new process after a power cut. */
  async afterPowerCut(facts: Partial<Omit<DeviceOptions, 'storage' | 'clock'>> = {}): Promise<TestDevice> {
    return TestDevice.open({ random: new SeededRandom('b'), ...facts }, this.storage.afterPowerCut());
  }

  /** Calls a method as Service. */
  async call(name: MethodName, data?: unknown, caller = atService): Promise<CallResult> {
    return this.device.call(methodOf(name), data, caller);
  }

  /** The response of a method, called as Service. */
  async respond(name: MethodName, data?: unknown): Promise<unknown> {
    return (await this.call(name, data)).response;
  }

  /** Requests a challenge for a level, and returns the header that authenticates one endpoint with a password. */
  header(endpoint: string, level: LoginLevel = 'Service', password = factoryPassword[level]): Header {
    const challenge = this.device.access.challenge(level);
    return headerFor(
      { ...challenge, salt: Buffer.from(challenge.salt) },
      { user: level, password },
      endpoint,
    );
  }

  /** One login for checkCredentials. */
  logIn(level: LoginLevel = 'Service', password = factoryPassword[level]): Caller {
    return this.device.access.authenticate(
      this.header('checkCredentials', level, password),
      'checkCredentials',
    );
  }

  /** Sets the lease of the DHCP client of the hardware. */
  takeLease(lease: AddressSet | undefined): void {
    this.#dhcp.lease = lease;
    this.device.features.network.leaseChanged();
  }

  /** Waits for the end of a reboot. */
  async boot(): Promise<void> {
    const up = new Promise<void>((resolve) => {
      this.device.lifecycle.onUp(resolve);
    });
    this.clock.advance(bootMilliseconds);
    await up;
  }

  async reboot(): Promise<void> {
    this.device.lifecycle.reboot();
    await this.boot();
  }
}

/** Waits on a clock. */
function passed(clock: VirtualClock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}

export function methodOf(name: MethodName): Method<unknown, unknown> {
  const method = allMethods.find((candidate) => candidate.name === name);
  if (method === undefined) throw new TypeError(`no method ${name}`);
  return method;
}

/** Returns `ok` if an act on a device is done, or the status that refuses it. */
export function statusOfAct(act: () => unknown): string {
  try {
    act();
    return 'ok';
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}
