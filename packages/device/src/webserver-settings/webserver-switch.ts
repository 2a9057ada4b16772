import { webserverSettings } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import type { StoredState } from '../parameters/stored-state.js';

const { SetWebserverEnabled, GetWebserverEnabled } = webserverSettings.members;

/** The switch of the web server. It is stored at once, since it means nothing before the next boot. */
export class WebserverSwitch implements Feature {
  readonly methods = [
    method(SetWebserverEnabled, async ({ Enable }) => {
      await this.set(Enable);
      return {};
    }),
    method(GetWebserverEnabled, () => ({ IsEnabled: this.#state.content.webserverEnabled })),
  ];
  readonly #state: StoredState;

  constructor(state: StoredState) {
    this.#state = state;
  }

  /** Switches the web server on or off from the next boot on; on disk when the promise is fulfilled. */
  async set(enabled: boolean): Promise<void> {
    await this.#state.update((content) => ({ ...content, webserverEnabled: enabled }));
  }
}
