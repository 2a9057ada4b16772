import { isObject } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Polling } from '../parts/waiting.js';

/** The route of scan data to these pages if `azimuth gui` serves them. */
type DataState =
  /** The scanner shows live scans itself. */
  | { readonly state: 'live' }
  /**
   * The data arrives at this computer. `aimed`: `azimuth gui` makes the scanner send it here, until `restore` or its
   * own end.
   */
  | { readonly state: 'receiving'; readonly aimed: boolean; readonly at: string }
  /** The data would arrive here, but no page shows it. */
  | { readonly state: 'idle' }
  /** No data can arrive here, for this reason. */
  | { readonly state: 'elsewhere'; readonly reason: string };

/** ms between two reads: for each one, the local server reads the settings of the scanner. */
const pollInterval = 4000;

/** The local server of `azimuth gui`, as far as it serves one scanner. It alone can receive datagrams. */
export class Gateway {
  readonly #url: string;
  readonly #addressUrl: string;
  readonly #state: Signal<DataState | undefined> = signal(undefined);
  /**
   * The route of the data; undefined until it is known. It stays while the scanner or the local server does not answer.
   */
  readonly state: ReadonlySignal<DataState | undefined> = this.#state;
  readonly #here: Signal<string | undefined> = signal(undefined);
  /** The IPv4 address at which the scanner reaches the computer of the local server; undefined until it is known. */
  readonly here: ReadonlySignal<string | undefined> = this.#here;
  /** Reads the route of the data repeatedly, while it is open. */
  readonly polling = new Polling(pollInterval, async (aborted) => {
    try {
      const state = await this.readState();
      if (!aborted.aborted) this.#state.value = state;
      // A scanner with live scans of its own has no use for the rest.
      return state.state === 'live' ? 'over' : undefined;
    } catch {
      // The local server does not answer: the page shows that elsewhere.
      return undefined;
    }
  });

  /** @param url of the scanner, as these pages reach it */
  constructor(url: string) {
    this.#url = `${url}/data`;
    this.#addressUrl = `${url}/address`;
  }

  readState(): Promise<DataState> {
    return this.#ask('GET');
  }

  /**
   * Makes the scanner send its scan data to this computer until `restore`, or until `azimuth gui` ends.
   * @throws Error with a reason for a person
   */
  async aim(login: { readonly user: string; readonly password: string }): Promise<void> {
    this.#state.value = await this.#ask('POST', JSON.stringify(login));
  }

  /** Restores the destination that the scanner had. @throws Error with a reason for a person */
  async restore(): Promise<void> {
    this.#state.value = await this.#ask('DELETE');
  }

  /**
   * Makes these pages reach the scanner at another address, if it answers there.
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
    const json: unknown = await response.json();
    if (isObject(json) && typeof json.here === 'string') this.#here.value = json.here;
    return stateOf(json);
  }
}

function stateOf(json: unknown): DataState {
  const { state, aimed, at, reason } = isObject(json) ? json : {};
  if (state === 'receiving') return { state, aimed: aimed === true, at: String(at) };
  if (state === 'elsewhere') return { state, reason: String(reason) };
  return { state: state === 'live' ? 'live' : 'idle' };
}
