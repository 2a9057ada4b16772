import {
  type Client,
  type HttpResponse,
  type Login,
  maintenance,
  statusOf,
} from '@azimuth/test-support/client';
import { changePassword } from '@azimuth/test-support/password-change';

/** What a fact may be after a power cut: what was acknowledged last, or what was asked for since. */
export class Promised<T> {
  #sure: T;
  #asked: readonly T[] = [];

  constructor(sure: T) {
    this.#sure = sure;
  }

  /** The value that was acknowledged last. */
  get sure(): T {
    return this.#sure;
  }

  get possible(): readonly T[] {
    return [this.#sure, ...this.#asked];
  }

  /** Sees an act through, or to its end in a power cut; true where it was acknowledged. */
  async follow(value: T, act: () => Promise<HttpResponse>): Promise<boolean> {
    this.#asked = [...this.#asked, value];
    try {
      if (statusOf(await act()) !== 0) return false;
    } catch {
      // The power is gone: who knows.
      return false;
    }
    this.settle(value);
    return true;
  }

  /** This is how it is. */
  settle(value: T): void {
    this.#sure = value;
    this.#asked = [];
  }
}

/** What else than parameters a scanner keeps at once: each of these is asked for while a save is under way. */
export class Switches {
  readonly password = new Promised(maintenance.password);
  readonly clientEnabled = new Promised(false);

  setPassword(client: Client, password: string): Promise<boolean> {
    const old: Login = { ...maintenance, password: this.password.sure };
    return this.password.follow(password, () => changePassword(client, old, password));
  }

  enableClient(client: Client, isEnabled: boolean): Promise<boolean> {
    return this.clientEnabled.follow(isEnabled, () =>
      client.call('EnableUserLevel', { userLevel: 3, isEnabled }),
    );
  }
}

export async function letsIn(client: Client, login: Login): Promise<boolean> {
  return statusOf(await client.call('checkCredentials', undefined, login)) === 0;
}
