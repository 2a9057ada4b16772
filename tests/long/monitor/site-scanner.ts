import { Scanner } from '@azimuth/client';
import { MemoryStorage, type VirtualClock } from '@azimuth/device';
import { contaminationIndication, type Variable } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { freePort } from '../../support/free-port.js';
import { TestScanner } from '../../support/test-scanner.js';

const { ContaminationConfig } = contaminationIndication.members;

interface Place {
  readonly name: string;
  readonly serial: string;
  readonly clock: VirtualClock;
  readonly port: number;
}

/** A scanner of a site, at one address, with nothing that a real one lacks. It may be updated, and exchanged for another. */
export class SiteScanner {
  readonly place: Place;
  readonly #storage = new MemoryStorage();
  release: string;
  /** True while it hangs: then nobody needs to wait for its answers. */
  isSilent = false;
  #running: TestScanner | undefined;

  private constructor(place: Place, release: string) {
    this.place = place;
    this.release = release;
  }

  static async start(of: Omit<Place, 'port'>, release: string): Promise<SiteScanner> {
    const scanner = new SiteScanner({ ...of, port: await freePort() }, release);
    await scanner.#start(of.serial);
    return scanner;
  }

  get url(): string {
    return `http://127.0.0.1:${this.place.port}`;
  }

  /** A client with a login. */
  get client(): Scanner {
    return new Scanner({ url: this.url, password: 'servicelevel' });
  }

  get running(): TestScanner {
    if (this.#running === undefined) throw new Error(`${this.place.name} does not run`);
    return this.#running;
  }

  /** True while it boots: then it works although no time passes. */
  get isBooting(): boolean {
    return this.#running?.service.device.lifecycle.phase === 'starting';
  }

  powerOff(): void {
    this.running.hardware.switchPower(false);
    this.running.service.device.lifecycle.losePower();
  }

  powerOn(): void {
    this.running.hardware.switchPower(true);
  }

  /** Begins faults, and ends them. */
  faults(plan: FaultPlan['faults']): () => void {
    const ids = this.running.faults.add({ faults: plan });
    return () => {
      for (const id of ids) this.running.faults.clear(id);
    };
  }

  /** Begins a fault that leaves requests unanswered, and ends it. */
  silence(fault: FaultPlan['faults'][number]): () => void {
    const end = this.faults([fault]);
    this.isSilent = true;
    return () => {
      this.isSilent = false;
      end();
    };
  }

  /** Writes a parameter, as somebody at the scanner. */
  async write<T>(variable: Variable<T>, value: T): Promise<void> {
    await this.running.service.device.write(variable, value, { level: 'Service' });
  }

  /** Starts it with other firmware, and its stored parameters. */
  async update(release: string): Promise<void> {
    await this.running.service.close();
    this.release = release;
    await this.#start(this.place.serial);
  }

  /** Exchanges it for another one, which has its own parameters; without a serial number, puts it back. */
  async exchange(serial?: string): Promise<void> {
    await this.running.service.close();
    await this.#start(serial ?? this.place.serial);
  }

  async #start(serial: string): Promise<void> {
    const { clock, port } = this.place;
    const isOwn = serial === this.place.serial;
    this.#running = await TestScanner.start({
      ...{ clock, serial, release: this.release, legacy: 'closed', asDevice: true, faults: { faults: [] } },
      storage: isOwn ? this.#storage : new MemoryStorage(),
      web: { port },
      initialParameters: {
        ContaminationConfig: { ...ContaminationConfig.type.initial, eStrategy: 2, usiResponseTime: 3 },
        ...(isOwn ? {} : { LocationName: 'elsewhere' }),
      },
    });
  }
}
