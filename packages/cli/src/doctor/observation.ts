import type { FoundScanner } from '@azimuth/client/discover';
import {
  type DescribedScanner,
  device,
  isFrom,
  type LoginLevel,
  type Method,
  Refusal,
  type Release,
  type Variable,
} from '@azimuth/model';
import type { StreamName } from '../scan-data/stream-settings.js';
import type { HostSituation } from './host-situation.js';
import type { MetricsPage } from './metrics-page.js';
import { releaseInVersion } from './metrics-page.js';
import type { Network } from './network.js';

/** Result of reading a variable. */
export type Reading =
  | { readonly value: unknown }
  /** The scanner has no such variable. */
  | { readonly missing: true }
  /** The reason why it could not be read. */
  | { readonly failed: string };

/** Telegrams that arrived at a port of this computer, or over a connection, while `azimuth doctor` listened there. */
export interface Arrival {
  /** The error code of the system if nothing could be received, for example `EADDRINUSE`. */
  readonly closed?: string;
  /** Telegrams of this scanner and stream. */
  readonly telegrams: number;
  /** Other senders with the reason why they do not count. */
  readonly strangers: readonly string[];
  /** Datagrams that cannot be read. */
  readonly damaged: number;
  /** Duration in s. */
  readonly seconds: number;
}

/** Result of an attempt to log in. */
export type LoginResult = 'in' | 'denied' | 'locked';

/** The attempted logins, requested by the user. */
export interface Logins {
  /** Result with the password from the user. */
  readonly given?: { readonly level: LoginLevel; readonly result: LoginResult; readonly isFactory: boolean };
  /** Results with the factory passwords, by level. */
  readonly factory: ReadonlyMap<LoginLevel, LoginResult>;
  /** The reason why not all factory passwords were tried. */
  readonly stopped?: string;
}

/** Everything that was read of one scanner and its way to this computer. */
export interface Facts {
  readonly url: string;
  /** Options that are appended to a suggested command, so that it goes to this scanner: ` --device @gate3`. */
  readonly behind: string;
  readonly readings: ReadonlyMap<string, Reading>;
  /** The IPv4 address at which the scanner was reached; undefined without one. */
  readonly host?: string;
  /** The address of this computer that the scanner sees; undefined without IPv4. */
  readonly own?: string;
  /** True if the scanner is on this computer. */
  readonly isHere: boolean;
  /** The reason why datagrams do not reach this computer; undefined if none is known. */
  readonly situation?: HostSituation;
  /** The networks of this computer. */
  readonly networks: readonly Network[];
  /** The time on this computer at which LSPdatetime was read. */
  readonly now: Date;
  /** Two readings, some time apart; undefined if the scanner has no such page. */
  readonly metrics?: readonly [before: MetricsPage, after: MetricsPage];
  readonly arrivals: ReadonlyMap<StreamName, Arrival>;
  /** Undefined if no attempt was requested. */
  readonly logins?: Logins;
  /** The scanners in the networks; undefined without a search. */
  readonly neighbours?: readonly FoundScanner[];
  /** The unsaved parameters; undefined if the scanner does not report them. */
  readonly unsaved?: readonly string[];
  /** What a product of its own states about itself; undefined for any other scanner. */
  readonly described?: DescribedScanner;
}

/** Facts, with typed values. */
export class Observation {
  constructor(readonly facts: Facts) {}

  /** Returns the value of a variable; undefined if it is not known, or not of its type. */
  value<T>(variable: Variable<T>): T | undefined {
    const reading = this.facts.readings.get(variable.name);
    if (reading === undefined || !('value' in reading)) return undefined;
    try {
      return variable.type.fromJson(reading.value, variable.name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  }

  /** True if the scanner has answered that it has no such variable. */
  lacks(variable: Variable<unknown>): boolean {
    const reading = this.facts.readings.get(variable.name);
    return reading !== undefined && 'missing' in reading;
  }

  /** Release of the interface, on which a product of its own is based; undefined if it is not known. */
  get release(): Release | undefined {
    return this.facts.described?.release ?? releaseInVersion(this.value(device.members.DeviceIdent)?.Version);
  }

  /** True if the release of the scanner has a variable or method, as far as known. Advice must not name another one. */
  offers(endpoint: Variable<unknown> | Pick<Method<unknown, unknown>, 'isIn'>): boolean {
    const { release } = this;
    return release === undefined || endpoint.isIn({ release, variant: 'full' });
  }

  /** True if it runs this release or a newer one, as far as known. */
  isFrom(other: Release): boolean {
    const { release } = this;
    return release === undefined || isFrom(release, other);
  }

  /** Returns the reason why a value is not known. */
  unknownReason(variable: Variable<unknown>): string {
    const reading = this.facts.readings.get(variable.name);
    if (reading !== undefined && 'failed' in reading) return reading.failed;
    if (reading !== undefined && 'missing' in reading) return `the scanner has no ${variable.name}`;
    return `${variable.name} could not be read`;
  }

  /** Returns a command for this scanner that can be pasted into a shell. */
  command(words: string): string {
    return `azimuth ${words}${this.facts.behind}`;
  }
}
