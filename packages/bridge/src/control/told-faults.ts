import type { EventFaults, LegacyFaults, RequestFault } from '@azimuth/device/faults';
import type { WireFaults } from '@azimuth/simulation/faults';
import { charactersOf } from '@azimuth/telegrams/legacy';
import { timeNow } from '../timeline/clock.js';
import type { Recording } from './recorded-exchange.js';

/** Characters of a legacy telegram that name it. */
const longestName = 40;

/** Planned faults of what passes. The timeline is told of each that happens. */
export class ToldFaults {
  readonly #faults: WireFaults;
  readonly #tell: Recording['tell'];

  constructor(faults: WireFaults, tell: Recording['tell']) {
    this.#faults = faults;
    this.#tell = tell;
    faults.link.onChange(() => {
      if (faults.link.down !== undefined)
        tell({ kind: 'fault', at: timeNow(), fault: 'link-down', on: 'all connections' });
    });
  }

  /** The network cable. */
  get link(): WireFaults['link'] {
    return this.#faults.link;
  }

  /** Returns the fault of a request; undefined if it has none. */
  readonly ofRequest = (path: string, method: string): RequestFault | undefined =>
    this.#asked(`${method} ${path}`, () => this.#faults.http?.of(path, method));

  /** Faults of messages to programs; undefined if none are planned. */
  get events(): EventFaults | undefined {
    const { events } = this.#faults;
    return events && { of: (path) => this.#asked(`message of ${path}`, () => events.of(path)) };
  }

  /** Faults of telegrams of the legacy protocol; undefined if none are planned. */
  get legacy(): LegacyFaults | undefined {
    const { legacy } = this.#faults;
    return (
      legacy && {
        refusalOf: (request) => this.#asked(nameOf(request), () => legacy.refusalOf(request)),
        damaged: (frame) => this.#asked(nameOf(frame), () => legacy.damaged(frame)),
      }
    );
  }

  #asked<T>(on: string, ask: () => T): T {
    const { result, kinds } = this.#faults.asked(ask);
    for (const fault of kinds) this.#tell({ kind: 'fault', at: timeNow(), fault, on });
    return result;
  }
}

/** Returns command and name of a telegram, without values, which may be secrets. */
function nameOf(telegram: Uint8Array): string {
  const text = charactersOf(telegram.subarray(0, longestName)).replaceAll(/[^\x20-\x7e]/g, '');
  return /s(?:FA|[A-Z]{2} [\w.]+)/.exec(text)?.[0] ?? 'legacy telegram';
}
