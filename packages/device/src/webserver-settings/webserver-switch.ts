import { webserverSettings } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import type { StoredState } from '../parameters/stored-state.js';

const { SetWebserverEnabled, GetWebserverEnabled } = webserverSettings.members;

/** The switch of the web server. It takes effect at the next boot, and is stored at once. */
export class WebserverSwitch implements Feature {
  readonly methods = [
    method(SetWebserverEnabled, async ({ Enable }) => {
      await this.set(Enable);
      return {};
    }),
    method(GetWebserverEnabled, () => ({ IsEnabled: this.isEnabled })),
  ];
  readonly #state: StoredState;
  #switchOn: boolean;

  /** @param switchOn true: the first boot switches it on */
  constructor(state: StoredState, switchOn = false) {
    this.#state = state;
    this.#switchOn = switchOn;
  }

  /** True if the web server runs from the next boot on. */
  get isEnabled(): boolean {
    return this.#state.content.webserverEnabled;
  }

  async beforeBoot(): Promise<void> {
    if (!this.#switchOn) return;
    this.#switchOn = false;
    await this.set(true);
  }

  /** Switches the web server on or off from the next boot on. On disk when the promise resolves. */
  async set(enabled: boolean): Promise<void> {
    await this.#state.update((content) => ({ ...content, webserverEnabled: enabled }));
  }
}
