import type { Device } from '@azimuth/device';
import { type Customary, customaryNamesOf } from '@azimuth/device/legacy';
import type { Endpoint } from '@azimuth/model';

/** What a name stands for over the legacy protocol. */
export type Named =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly withoutValues?: object }
  | Exclude<Customary, { readonly kind: 'alias' }>;

/** What the names mean that a scanner knows over the legacy protocol: those of its interface, then the customary ones. */
export class Names {
  readonly #device: Device;
  #customary: ReadonlyMap<string, Customary>;

  constructor(device: Device) {
    this.#device = device;
    this.#customary = customaryNamesOf(device.edition);
    // An update may have made it another release.
    device.lifecycle.onUp(() => {
      this.#customary = customaryNamesOf(device.edition);
    });
  }

  find(name: string): Named | undefined {
    const endpoint = this.#device.endpoints.get(name);
    if (endpoint !== undefined) return { kind: 'endpoint', endpoint };
    const customary = this.#customary.get(name);
    if (customary?.kind !== 'alias') return customary;
    const { withoutValues } = customary;
    return {
      kind: 'endpoint',
      endpoint: customary.endpoint,
      ...(withoutValues === undefined ? {} : { withoutValues }),
    };
  }
}
