import type { DeviceOptions, SystemPlug } from '@azimuth/device';
import {
  backupRestore,
  device,
  ethernet,
  extensions,
  PlugState,
  type PlugStatus,
  status,
} from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';

const { LocationName } = device.members;

/** A plug in memory that can fail. */
export class MemoryPlug implements SystemPlug {
  readonly name = 'plug in memory';
  /** Files that were set aside. */
  readonly aside: Uint8Array[] = [];
  file: Uint8Array | undefined;
  writes = 0;
  released = 0;
  /** Error with which each access rejects. */
  failure: { readonly read?: Error; readonly write?: Error } = {};
  /** Called before each access: may wait. */
  before: (access: 'read' | 'write' | 'setAside') => Promise<void> = async () => undefined;

  constructor(file?: Uint8Array) {
    this.file = file;
  }

  async read(): Promise<Uint8Array | undefined> {
    await this.before('read');
    if (this.failure.read !== undefined) throw this.failure.read;
    return this.file;
  }

  async write(content: Uint8Array): Promise<void> {
    await this.before('write');
    if (this.failure.write !== undefined) throw this.failure.write;
    this.file = Uint8Array.from(content);
    this.writes++;
  }

  async setAside(): Promise<string> {
    await this.before('setAside');
    if (this.failure.write !== undefined) throw this.failure.write;
    if (this.file !== undefined) this.aside.push(this.file);
    this.file = undefined;
    return `aside-${this.aside.length}`;
  }

  async release(): Promise<void> {
    this.released++;
  }

  /** The content as text. */
  get text(): string {
    return Buffer.from(this.file ?? []).toString();
  }
}

/** A scanner with a connector for plugs. */
export class PlugScanner {
  readonly log: LogBook;
  readonly #connector: { plug: MemoryPlug | undefined };

  private constructor(
    readonly test: TestDevice,
    log: LogBook,
    connector: { plug: MemoryPlug | undefined },
  ) {
    this.log = log;
    this.#connector = connector;
  }

  static async open(
    serialNumber: string,
    plug?: MemoryPlug,
    {
      storage = new FaultyStorage(),
      ...facts
    }: Partial<Omit<DeviceOptions, 'storage' | 'clock' | 'hardware'>> & {
      readonly storage?: FaultyStorage;
    } = {},
  ): Promise<PlugScanner> {
    const log = new LogBook();
    const connector = { plug };
    const hardware = { log, temperature: () => 20, systemPlug: () => connector.plug };
    const test = await TestDevice.open({ identity: { serialNumber }, ...facts, hardware: hardware }, storage);
    return new PlugScanner(test, log, connector);
  }

  get storage(): FaultyStorage {
    return this.test.storage;
  }

  get name(): string {
    return this.test.device.read(LocationName);
  }

  get address(): readonly number[] {
    return this.test.device.features.network.active.read(ethernet.members.EtherIPAddress);
  }

  /** Changes the working parameters. */
  set(name: string, address?: readonly [number, number, number, number]): this {
    this.test.device.parameters.change((change) => {
      change.set(LocationName, name);
      if (address !== undefined) change.set(ethernet.members.EtherIPAddress, address);
    });
    return this;
  }

  async save(): Promise<this> {
    await this.test.respond('WriteEeprom');
    return this;
  }

  async setCloning(on: boolean): Promise<void> {
    this.test.device.parameters.change((change) => change.set(backupRestore.members.enableCloningPlug, on));
    await this.save();
  }

  async plugIn(plug: MemoryPlug | undefined): Promise<void> {
    this.#connector.plug = plug;
    await this.test.device.features.cloning.plugChanged();
  }

  /** Puts a plug in without telling the scanner: the next boot finds it. */
  plugInQuietly(plug: MemoryPlug | undefined): void {
    this.#connector.plug = plug;
  }

  /** Value of `/x/plug`, with the state by its name. */
  get plug(): Omit<PlugStatus, 'State'> & { readonly State: string | undefined } {
    const shown = this.test.device.read(extensions.members.plug);
    const State = Object.entries(PlugState).find(([, value]) => value === shown.State)?.[0];
    return { ...shown, State };
  }

  get deviceStatus(): number {
    return this.test.device.read(status.members.DeviceStatus);
  }

  /** The warnings and errors about the plug. */
  get warnings(): readonly string[] {
    return this.log.lines
      .filter(({ severity, message }) => severity !== 'info' && message.includes('plug'))
      .map(({ message, facts }) => `${message}: ${String(facts.reason)}`);
  }
}

/** A plug with the parameters of scanner 11111111: its name, and the address 10.0.0.7. */
export async function plugOf(name: string, serialNumber = '11111111'): Promise<MemoryPlug> {
  const plug = new MemoryPlug();
  const scanner = await PlugScanner.open(serialNumber, plug);
  await scanner.set(name, [10, 0, 0, 7]).save();
  await scanner.test.device.close();
  return plug;
}
