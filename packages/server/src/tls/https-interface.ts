import type { Server } from 'node:https';
import type { Device } from '@azimuth/device';
import type { CertificateBundle } from '@azimuth/device/network-interface';
import {
  type CableWatch,
  type Certificate,
  type Closable,
  type HostAndPort,
  PortTaken,
  secureContextOf,
} from '@azimuth/http';
import type { ChosenTimeouts } from '@azimuth/http/limits';
import { cybersecurity } from '@azimuth/model';
import type { WebServer } from '../application/web-server.js';
import { Listener } from '../network/listener.js';
import type { ListenerRegistry, ListeningAddress } from '../network/listening-address.js';
import type { Wire } from '../wire.js';

interface Options {
  readonly device: Device;
  /** Web server over HTTP. HTTPS serves the same, and is on at the same boots. */
  readonly web: WebServer;
  readonly address: ListeningAddress;
  readonly listeners: ListenerRegistry;
  readonly port: number;
  readonly timeouts: ChosenTimeouts | undefined;
  /** True if the scanner has listeners of its own. Without them, this one never opens. */
  readonly listens: boolean;
  /** Network cable; undefined for a scanner whose cable stays in. */
  readonly cable?: CableWatch | undefined;
}

/**
 * HTTPS of a scanner. It is up while the scanner is up, its web server is on, and it has a certificate bundle. It
 * serves the same as HTTP, and follows the same address.
 */
export class HttpsInterface implements Wire {
  readonly #options: Options;
  readonly #listener: Listener;
  /** Open listeners with the bundle that each uses. */
  readonly #listeners = new Map<Server, CertificateBundle>();
  /** True between `open` or `up` and `close`, if the web server is on. */
  #on = false;

  constructor(options: Options) {
    const { device, address, listeners, port } = options;
    this.#options = options;
    this.#listener = new Listener({
      name: 'HTTPS',
      scheme: 'https',
      port: () => port,
      flag: '--https-port',
      make: () => this.#make(),
      stateChanged: (problem) =>
        device.features.https.report(this.listeningAt !== undefined, httpsProblem(problem)),
      address,
      clock: device.clock,
      log: device.hardware.log,
    });
    listeners.add('https', this);
    device.features.https.onChange(() => this.#follow());
  }

  /** Address of the listener; undefined while it does not listen. */
  get listeningAt(): HostAndPort | undefined {
    return this.#listener.listeningAt;
  }

  get url(): string | undefined {
    return this.#listener.url;
  }

  /** Port of the listener, also while it is down; null for a release without HTTPS. */
  get port(): number | null {
    return this.#isKnown ? this.#listener.port : null;
  }

  /**
   * Opens it if there is a bundle. If no port is set, it chooses one in any case: it stays the same.
   * @throws PortTaken
   */
  async open(): Promise<void> {
    const { listens, web } = this.#options;
    if (!listens) return;
    this.#on = web.isOn;
    if (this.#on && this.#isDue) await this.#listener.open();
    await this.#listener.choosePort();
  }

  down(): void {
    this.close();
  }

  /** Opens it, and retries until the port is free. */
  up(): void {
    const { listens, web } = this.#options;
    this.#on = listens && web.isOn;
    if (this.#on && this.#isDue) this.#listener.reopen();
  }

  close(): void {
    this.#on = false;
    this.#listener.close();
  }

  get #isKnown(): boolean {
    return this.#options.device.served.endpoints.has(cybersecurity.members.httpsStatus.name);
  }

  get #isDue(): boolean {
    return this.#isKnown && this.#options.device.features.https.bundle !== undefined;
  }

  /** Handles a bundle that was replaced or removed. */
  async #follow(): Promise<void> {
    if (!this.#on) return;
    if (!this.#isDue) {
      this.#listener.close();
      return;
    }
    this.#renew();
    if (this.listeningAt !== undefined) return;
    try {
      await this.#listener.open();
    } catch {
      if (this.#on) this.#listener.reopen();
    }
  }

  /** Open connections keep their bundle; new ones get the bundle in force. */
  #renew(): void {
    const { bundle } = this.#options.device.features.https;
    if (bundle === undefined || this.#listeners.size === 0) return;
    for (const [listener, before] of this.#listeners) {
      if (before === bundle) continue;
      listener.setSecureContext(secureContextOf(certificateOf(bundle)));
      this.#listeners.set(listener, bundle);
    }
  }

  #make(): Server & Closable {
    const { device, web, timeouts, cable } = this.#options;
    const { bundle } = device.features.https;
    if (bundle === undefined) throw new Error('the certificate bundle was removed meanwhile');
    const listener = web.http.secureListener(certificateOf(bundle), timeouts);
    this.#listeners.set(listener, bundle);
    listener.once('close', () => this.#listeners.delete(listener));
    cable?.watchSecure(listener);
    return listener;
  }
}

function httpsProblem(problem: unknown): string | undefined {
  if (problem === undefined) return undefined;
  if (problem instanceof PortTaken) return problem.problem;
  return 'HTTPS cannot be opened: the log of the scanner says why';
}

function certificateOf(bundle: CertificateBundle): Certificate {
  return { cert: bundle.certificatesPem, key: bundle.privateKeyPem() };
}
