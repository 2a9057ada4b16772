import { ClientError, NoEventsError, Scanner, ScannerError, type ScannerOptions } from '@azimuth/client';
import type { AdoptedClient, Look, RealTarget } from '@azimuth/fleet';
import { isObject, type LoginLevel, statuses } from '@azimuth/model';

/** Client of a real scanner, for a fleet that has adopted it. It uses nothing that devices do not have. */
export class DeviceClient implements AdoptedClient {
  readonly #target: ScannerOptions & RealTarget;
  readonly #scanner: Scanner;
  readonly #closing = new AbortController();

  constructor({ url, dial }: RealTarget) {
    this.#target = { url, dial: { ...dial, signal: this.#closing.signal } };
    this.#scanner = new Scanner(this.#target);
  }

  /** One variable after the other: they then need one connection. */
  async look(): Promise<Look> {
    const serialNumber = await this.#text('SerialNumber');
    const ident = await this.#scanner.readAny('DeviceIdent');
    const location = await this.#text('LocationName');
    const deviceStatus = await this.#scanner.readAny('DeviceStatus');
    const version = isObject(ident) ? ident.Version : undefined;
    if (typeof version !== 'string') throw new Error('DeviceIdent: expected a Version');
    return { serialNumber, version, location, deviceStatus: numberOf(deviceStatus) };
  }

  async follow(onStatus: (deviceStatus: number) => void, signal: AbortSignal): Promise<string | undefined> {
    try {
      const events = this.#scanner.eventsAny(['DeviceStatus'], { signal, reconnect: false });
      for await (const { data } of events) onStatus(numberOf(data));
      return undefined;
    } catch (error) {
      if (error instanceof NoEventsError) return undefined;
      if (error instanceof ClientError) return error.message;
      throw error;
    }
  }

  async accepts(user: LoginLevel, password: string): Promise<boolean> {
    const { url, dial } = this.#target;
    const own = new Scanner({ url, dial, user, password });
    try {
      await own.callAny('checkCredentials');
      return true;
    } catch (error) {
      if (error instanceof ScannerError && error.status === statuses.accessDenied.code) return false;
      throw error;
    } finally {
      own.close();
    }
  }

  close(): void {
    this.#closing.abort();
    this.#scanner.close();
  }

  async #text(name: string): Promise<string> {
    const value = await this.#scanner.readAny(name);
    if (typeof value !== 'string') throw new Error(`${name}: expected a text`);
    return value;
  }
}

/** @throws Error */
function numberOf(deviceStatus: unknown): number {
  if (typeof deviceStatus === 'number') return deviceStatus;
  throw new Error('DeviceStatus: expected a number');
}
