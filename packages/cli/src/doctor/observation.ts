import type { FoundScanner } from '@azimuth/client/discover';
import {
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
import { releaseOf } from './metrics-page.js';
import type { Network } from './network.js';

/** What reading a variable gave. */
export type Reading =
  | { readonly value: unknown }
  /** The scanner has no such variable. */
  | { readonly missing: true }
  /** Why it could not be read. */
  | { readonly failed: string };

/** What came to a port of this computer, or over a connection, while `azimuth doctor` listened there. */
export interface Arrival {
  /** Why nothing could be received there, if so: the error code of the system, for example `EADDRINUSE`. */
  readonly closed?: string;
  /** Telegrams of this scanner and stream. */
  readonly telegrams: number;
  /** What else came: addresses of other senders, with what is wrong about it. */
  readonly strangers: readonly string[];
  /** Datagrams that cannot be read. */
  readonly damaged: number;
  /** How long it listened, in s. */
  readonly seconds: number;
}

/** What an attempt to log in gave. */
export type LoginResult = 'in' | 'denied' | 'locked';

/** The logins that were tried, because somebody asked for it. */
export interface Logins {
  /** With the password that was given. */
  readonly given?: { readonly level: LoginLevel; readonly result: LoginResult; readonly isFactory: boolean };
  /** With the factory passwords, by level. */
  readonly factory: ReadonlyMap<LoginLevel, LoginResult>;
  /** Why not all of them were tried. */
  readonly stopped?: string;
}

/** Everything that was read of one scanner and its way to this computer. */
export interface Facts {
  readonly url: string;
  /** What is put behind a suggested command, so that it goes to this scanner: ` --device @gate3`. */
  readonly behind: string;
  readonly readings: ReadonlyMap<string, Reading>;
  /** The IPv4 address that the scanner was reached at; undefined without one. */
  readonly host?: string;
  /** The address of this computer that the scanner sees; undefined without IPv4. */
  readonly own?: string;
  /** Is the scanner on this computer? */
  readonly isHere: boolean;
  /** What keeps datagrams away from this computer; undefined if nothing is known. */
  readonly situation?: HostSituation;
  /** The networks of this computer. */
  readonly networks: readonly Network[];
  /** The time on this computer when LSPdatetime came. */
  readonly now: Date;
  /** Twice, some time apart; undefined if the scanner has no such page. */
  readonly metrics?: readonly [before: MetricsPage, after: MetricsPage];
  readonly arrivals: ReadonlyMap<StreamName, Arrival>;
  /** undefined if nobody asked for an attempt. */
  readonly logins?: Logins;
  /** The scanners in the networks; undefined if they were not searched. */
  readonly neighbours?: readonly FoundScanner[];
  /** The parameters whose values are not saved; undefined if the scanner does not tell. */
  readonly unsaved?: readonly string[];
}

/** Facts, with typed values. */
export class Observation {
  constructor(readonly facts: Facts) {}

  /** The value of a variable; undefined if it is not known, or not what the interface describes. */
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

  /** Does the scanner say that it has no such variable? */
  lacks(variable: Variable<unknown>): boolean {
    const reading = this.facts.readings.get(variable.name);
    return reading !== undefined && 'missing' in reading;
  }

  /** Does the release of the scanner have a variable or method, as far as that is known? Advice must not name another one. */
  offers(endpoint: Variable<unknown> | Pick<Method<unknown, unknown>, 'isIn'>): boolean {
    const release = releaseOf(this.value(device.members.DeviceIdent)?.Version);
    return release === undefined || endpoint.isIn({ release, variant: 'full' });
  }

  /** Does it run this release, or a newer one, as far as that is known? */
  isFrom(other: Release): boolean {
    const release = releaseOf(this.value(device.members.DeviceIdent)?.Version);
    return release === undefined || isFrom(release, other);
  }

  /** Why a value is not known, in words. */
  whyUnknown(variable: Variable<unknown>): string {
    const reading = this.facts.readings.get(variable.name);
    if (reading !== undefined && 'failed' in reading) return reading.failed;
    if (reading !== undefined && 'missing' in reading) return `the scanner has no ${variable.name}`;
    return `${variable.name} could not be read`;
  }

  /** A command for this scanner, to be typed as it is. */
  command(words: string): string {
    return `azimuth ${words}${this.facts.behind}`;
  }
}
