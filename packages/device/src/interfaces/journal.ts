/** @packageDocumentation @internal */

import type { Level } from '@azimuth/model';
import type { Framing, LegacyErrorName } from '@azimuth/telegrams/legacy';

/** A request of the JSON interface, with its answer. */
interface RestEvent {
  /** Name under `/api/`; that of an extension begins with `x/`. */
  readonly name: string;
  /** GET or POST. */
  readonly verb: string;
  /** Proved user level of the caller; undefined if the request was refused before its login was accepted. */
  readonly level: Level | undefined;
  /** Status of the response, 0 to 11. Undefined if there is none, because the scanner goes down. */
  readonly status: number | undefined;
  /** The reason of a refusal, as in the response. */
  readonly detail?: string | undefined;
}

/**
 * Something that a client has done to a scanner. Secrets are left out, as the interface declares them, and so is
 * everything that it does not declare.
 */
export type JournalEvent = { readonly client: string } & (
  | (RestEvent & { readonly kind: 'read' })
  /** @property value as it was sent; undefined if the body has none, or if it is a secret */
  | (RestEvent & { readonly kind: 'write'; readonly value: unknown })
  /** @property request the declared members of `data` that are no secrets; undefined if the body has none */
  | (RestEvent & { readonly kind: 'call'; readonly request: unknown })
  /** A request with a name or a verb that the release does not have, or one whose answer was a planned fault. */
  | (RestEvent & { readonly kind: 'unknown' })
  | {
      /** The transfer of a file, or an attempt at it. */
      readonly kind: 'file';
      readonly name: string;
      readonly verb: string;
      /** User level of its session token; undefined without one. */
      readonly level: Level | undefined;
      readonly httpStatus: number;
    }
  | {
      /** What a client of WebSockets wants to get, or no longer. */
      readonly kind: 'registration';
      readonly path: string;
      readonly action: 'register' | 'deregister';
      /** Name of the event. Under `/x/events`: of a variable, or `*` for all. Under `/x/scan`: `scan`. */
      readonly event: string;
      /** The number that the client has given to it; undefined under `/x/`. */
      readonly clientId: number | undefined;
      readonly accepted: boolean;
    }
  | {
      /** A request of the legacy protocol, with its answer. */
      readonly kind: 'legacy';
      readonly interface: 'A' | 'B';
      readonly framing: Framing;
      /** User level of the session when the request had been carried out. */
      readonly level: Level;
      /** Command and name, as in `sWN LocationName`; empty for what is no command. */
      readonly telegram: string;
      /** What follows the name: characters of a text telegram, hex digits of a binary one. Undefined if it may be a secret. */
      readonly values: string | undefined;
      /** The answer in the same form, values included; only its command and name if it may hold a secret. */
      readonly answer: string;
      /** The error of a refusal. */
      readonly error: LegacyErrorName | undefined;
    }
);

/** Receives what clients do to a scanner. It must not throw. */
export interface Journal {
  /** @param bytes of what was received, for the limit of all entries together */
  add(event: JournalEvent, bytes: number): void;
}
