import type { Server } from 'node:https';
import type { CertificateBundle, Clock, Device, Log } from '@azimuth/device';
import { cybersecurity } from '@azimuth/model';
import type { Timeouts } from '../http/http-server.js';
import type { Reception } from '../http/reception.js';
import { WebServer } from '../http/web-server.js';
import { AddressFollower } from '../network/address-follower.js';
import { PortTaken } from '../network/listen.js';
import type { ListeningAddress } from '../network/listening-address.js';
import type { Place } from '../network/place.js';
import { httpsServer, secureContextOf } from './https-server.js';

interface Facts {
  readonly device: Device;
  readonly reception: Reception;
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
  readonly port: number;
  readonly timeouts: Partial<Timeouts> | undefined;
}

/**
 * HTTPS: up while the scanner is, its web server is on and it has a certificate bundle. It serves what HTTP serves,
 * and moves as HTTP does.
 */
export class HttpsInterface {
  readonly #facts: Facts;
  readonly #server: WebServer;
  readonly #follower: AddressFollower;
  /** Listeners with the bundle that each encrypts with, until they are closed. */
  readonly #listeners = new Map<Server, CertificateBundle>();
  /** Is the web server on? */
  #on = false;

  constructor(facts: Facts) {
    const { device, address, clock, log, port } = facts;
    this.#facts = facts;
    this.#server = new WebServer({
      name: 'HTTPS',
      scheme: 'https',
      port,
      flag: '--https-port',
      make: () => this.#make(),
      settled: (problem) => device.https.tell(this.place !== undefined, inWords(problem)),
    });
    this.#follower = new AddressFollower({ wire: this.#server, address, clock, log });
    device.https.onChange(() => this.#follow());
  }

  /** Where it listens; undefined while it does not. */
  get place(): Place | undefined {
    return this.#server.place;
  }

  get url(): string | undefined {
    return this.#server.url;
  }

  /** The port that it has, or keeps for when it is up; null for a release without HTTPS. */
  get port(): number | null {
    return this.#isKnown ? this.#server.port : null;
  }

  /**
   * Opens it where there is a bundle.
   * @throws PortTaken
   */
  async open(): Promise<void> {
    this.#on = true;
    if (this.#isDue) await this.#follower.open();
  }

  /** Chooses the port where any free one is wanted. */
  choosePort(): Promise<void> {
    return this.#server.choosePort(this.#facts.address.otherwise);
  }

  /** As `open`; a port that cannot be opened is asked for again until it is free. */
  reopen(): void {
    this.#on = true;
    if (this.#isDue) this.#follower.reopen();
  }

  close(): void {
    this.#on = false;
    this.#follower.close();
  }

  get #isKnown(): boolean {
    return this.#facts.device.endpoints.has(cybersecurity.members.httpsStatus.name);
  }

  get #isDue(): boolean {
    return this.#isKnown && this.#facts.device.https.bundle !== undefined;
  }

  /** The bundle is another one, or gone. */
  async #follow(): Promise<void> {
    if (!this.#on) return;
    if (!this.#isDue) {
      this.#follower.close();
      return;
    }
    this.#renew();
    if (this.place !== undefined) return;
    try {
      await this.#follower.open();
    } catch {
      if (this.#on) this.#follower.reopen();
    }
  }

  /** Open connections go on as they began; new ones get the bundle in force. */
  #renew(): void {
    const { bundle } = this.#facts.device.https;
    if (bundle === undefined || this.#listeners.size === 0) return;
    for (const [listener, before] of this.#listeners) {
      if (before === bundle) continue;
      listener.setSecureContext(secureContextOf(bundle));
      this.#listeners.set(listener, bundle);
    }
  }

  #make(): Server {
    const { device, reception, timeouts } = this.#facts;
    const { bundle } = device.https;
    if (bundle === undefined) throw new Error('the certificate bundle was removed meanwhile');
    const server = httpsServer(bundle, timeouts, (request) => reception.takesUpgrade(request));
    this.#listeners.set(server, bundle);
    server.once('close', () => this.#listeners.delete(server));
    reception.attachSecure(server);
    return server;
  }
}

function inWords(problem: unknown): string | undefined {
  if (problem === undefined) return undefined;
  if (problem instanceof PortTaken) return problem.problem;
  return 'HTTPS cannot be opened: the log of the scanner says why';
}
