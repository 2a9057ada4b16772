import { Scanner } from '@azimuth/client';
import type { Device, MovableClock } from '@azimuth/device';
import { ControlRefused } from '@azimuth/device/control';
import { factoryPasswords, type ValueOf, type VariableName } from '@azimuth/model';
import type { Ports } from '@azimuth/server';
import { type ScanSelection, scanTruth, virtualControls } from '@azimuth/simulation/control';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import type { ScannerJournal } from '@azimuth/simulation/journal';
import type { ScanTruth } from '@azimuth/simulation/world';
import { Power } from './power.js';
import { Simulation } from './simulation.js';
import { type RememberedParts, Snapshot } from './snapshot.js';
import type { StartOptions } from './start-options.js';
import { TestJournal } from './test-journal.js';
import type { TimedScanner, VirtualTime } from './virtual-time.js';

interface Parts extends RememberedParts {
  readonly clock: MovableClock;
  readonly options: StartOptions;
  readonly journal: ScannerJournal;
  /** Virtual time, which scanners of one world share; undefined for another clock. */
  readonly time: VirtualTime | undefined;
  /** The scanners that share the clock. */
  readonly together: ReadonlySet<Device>;
}

/** A virtual scanner in the process of a test. */
export class TestScanner {
  /** A client that logs in as Service, or at the level of the options. */
  readonly client: Scanner;
  /** The simulation outside of the scanner: temperature, dirt, signals, encoder, scene, actors. */
  readonly simulation: Simulation;
  /** Faults on demand: `faults.add({ faults: [{ kind: 'stream-loss', probability: 0.05 }] })`, `faults.clear()`. */
  readonly faults: FaultTimeline;
  /** What clients have done to the scanner, with waits: `await scanner.journal.write('LocationName')`. */
  readonly journal: TestJournal;
  /** Its power: `off()`, `on()`. */
  readonly power: Power;
  /** The scanner behind its interfaces, for everything else. */
  readonly device: Device;
  readonly #parts: RememberedParts;
  readonly #timed: TimedScanner;
  readonly #time: VirtualTime | undefined;
  readonly #url: string;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    const { service, clock, hardware, options, faults, journal, time, together } = parts;
    const { user = 'Service', passwords } = options;
    this.#parts = parts;
    this.#timed = { service, hardware };
    this.faults = faults;
    this.device = service.device;
    this.#url = service.url ?? '';
    this.#time = time;
    time?.add(this.#timed);
    this.journal = new TestJournal(journal, () => time !== undefined);
    this.power = new Power(this.#timed, time, () => this.#closing !== undefined);
    this.simulation = new Simulation(
      virtualControls(clock, hardware, undefined, undefined, together)(service.device),
      service.device,
    );
    this.client = new Scanner({
      url: this.#url,
      user,
      password: passwords?.[user] ?? factoryPasswords[user],
      reconnectPause: (ms, signal) => pauseOn(clock, ms, signal),
    });
  }

  /** The URL of its web server, also while it boots. */
  get url(): string {
    return this.#url;
  }

  /** The port numbers. null for ports that do not listen. */
  get ports(): Ports {
    return this.#timed.service.ports;
  }

  /** Reads a variable, without a login and without a request. */
  read<N extends VariableName>(name: N): ValueOf<N>;
  read(name: VariableName): unknown {
    return this.device.read(this.#variable(name));
  }

  /**
   * Writes a variable as Service, without a request. It has taken effect when the promise is fulfilled: a stream that it
   * switches on can send.
   * @throws Refusal for a value that the scanner refuses, RangeError for a variable that this release lacks
   */
  async write<N extends VariableName>(name: N, value: ValueOf<N>): Promise<void> {
    await this.device.write(this.#variable(name), value, { level: 'Service' });
  }

  /**
   * Lets time pass on the virtual clock. When the promise is fulfilled,
   * - all earlier writes and requests have taken effect and have their responses,
   * - everything that is due in this time has happened, at its exact time and in order: each scan is measured and sent, and
   *   boots end,
   * - reading sockets of this process have received what was sent to them.
   * @param milliseconds 0 or more
   * @throws RangeError for a wrong number; Error if the clock is not virtual, or if the scanner is closed before the
   * end
   */
  advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0 && Number.isFinite(milliseconds)))
      throw new RangeError(`expected 0 ms or more, got ${milliseconds}`);
    return this.#virtual.advance(milliseconds);
  }

  /**
   * Waits until everything that was sent has arrived, and every request has its response. No time passes on the virtual
   * clock.
   */
  idle(): Promise<void> {
    return this.#virtual.idle();
  }

  /**
   * The exact geometry of the beams of a scan, before noise: the newest scan, or one by its number or a time in it,
   * both as in telegrams.
   * @throws RangeError for a scan that is no longer known, or if no scene is measured
   */
  async truth(which: ScanSelection = {}): Promise<ScanTruth> {
    try {
      return await scanTruth(this.device, which);
    } catch (error) {
      throw error instanceof ControlRefused ? new RangeError(error.message) : error;
    }
  }

  /**
   * Switches power off and on: unsaved data is lost. On the virtual clock, the scanner is up again when the promise is
   * fulfilled.
   * @throws Error if the scanner is closed; on the virtual clock, also if planned faults let 100 boots fail
   */
  async powerCycle(): Promise<void> {
    await this.power.off();
    await this.power.on();
  }

  /**
   * Takes a snapshot of everything that a test can change: parameters in all layers, passwords, login locks, challenges and
   * tokens, files, fields, ports and counters, the simulation with its faults, and the state of the scanner.
   * @throws Error if the scanner is not up, if it stores in a folder, or while something runs that cannot be put back: an
   * installation, a teach-in, a 3D recording
   */
  async snapshot(): Promise<Snapshot> {
    await this.#time?.idle();
    if (this.device.lifecycle.phase !== 'up') throw new Error('a scanner that is not up has no snapshots');
    return new Snapshot(this.#parts);
  }

  /**
   * Puts a snapshot back. Time does not go back: what was due later has the time that was left. Connections stay, and
   * subscribers get each variable that has another value now. A scanner that is off or boots comes up first, which takes
   * the time of a boot.
   * @throws RangeError for the snapshot of another scanner
   */
  async restore(snapshot: Snapshot): Promise<void> {
    if (this.device.lifecycle.phase !== 'up') await this.power.on();
    await this.#time?.idle();
    await snapshot.restore(this.#timed.service);
  }

  /** Ends the scanner, and the streams of `client`. Unsaved data is lost. Further calls do nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.client.close();
    this.journal.close();
    await this.#time?.remove(this.#timed);
    await this.#timed.service.close();
  }

  get #virtual(): VirtualTime {
    if (this.#time === undefined) throw new Error("only a scanner with clock: 'virtual' has such a time");
    return this.#time;
  }

  #variable(name: string) {
    const endpoint = this.device.served.endpoints.get(name);
    if (endpoint?.kind === 'variable') return endpoint;
    throw new RangeError(`${name} is no variable of release ${this.device.served.edition.release}`);
  }
}

/** Waits by the clock of the scanner. While it stands still, no stream connects again. */
function pauseOn(clock: MovableClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      cancel();
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const cancel = clock.after(milliseconds, over);
    signal?.addEventListener('abort', over);
  });
}
