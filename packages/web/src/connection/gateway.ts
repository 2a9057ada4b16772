import { isObject } from '@azimuth/model';

/** How scan data comes to these pages if `azimuth gui` serves them. */
export type DataState =
  /** The scanner shows live scans itself. */
  | { readonly state: 'live' }
  /** The data arrives at this computer. `aimed`: the scanner was told to send it here, until this ends. */
  | { readonly state: 'receiving'; readonly aimed: boolean; readonly at: string }
  /** It would arrive, but no page shows it. */
  | { readonly state: 'idle' }
  /** Nothing can arrive here, and why. */
  | { readonly state: 'elsewhere'; readonly reason: string };

/** The local server of `azimuth gui`, as far as it serves one scanner. It alone can receive datagrams. */
export class Gateway {
  readonly #url: string;
  readonly #addressUrl: string;

  /** @param url of the scanner, as these pages reach it */
  constructor(url: string) {
    this.#url = `${url}/data`;
    this.#addressUrl = `${url}/address`;
  }

  look(): Promise<DataState> {
    return this.#ask('GET');
  }

  /**
   * Makes the scanner send its scan data to this computer until `restore`, or until `azimuth gui` ends.
   * @throws Error with what went wrong, for a person
   */
  aim(login: { readonly user: string; readonly password: string }): Promise<DataState> {
    return this.#ask('POST', JSON.stringify(login));
  }

  /** Restores the destination that the scanner had. @throws Error with what went wrong, for a person */
  restore(): Promise<DataState> {
    return this.#ask('DELETE');
  }

  /**
   * Has these pages reach the scanner at another address, if it answers there.
   * @param url with the scheme, the port and the path that it had
   * @param serialNumber of the scanner: any other one is refused
   */
  async moveTo(url: string, serialNumber: string): Promise<boolean> {
    const body = JSON.stringify({ address: new URL(url).hostname, serialNumber });
    try {
      return (await fetch(this.#addressUrl, { method: 'POST', body })).ok;
    } catch {
      // `azimuth gui` itself does not answer: nothing has moved.
      return false;
    }
  }

  async #ask(method: string, body?: string): Promise<DataState> {
    const response = await fetch(this.#url, { method, body });
    if (response.status === 403) throw new Error('The scanner does not accept this password for this level.');
    if (!response.ok) throw new Error((await response.text()).trim());
    return stateOf(await response.json());
  }
}

function stateOf(json: unknown): DataState {
  const { state, aimed, at, reason } = isObject(json) ? json : {};
  if (state === 'receiving') return { state, aimed: aimed === true, at: String(at) };
  if (state === 'elsewhere') return { state, reason: String(reason) };
  return { state: state === 'live' ? 'live' : 'idle' };
}
