import type { KeyObject } from 'node:crypto';
import type { LoginLevel, Release, Variant } from '@azimuth/model';
import type { Identity, IdentitySource } from './identity/identity.js';
import type { Clock } from './interfaces/clock.js';
import type { Host } from './interfaces/host.js';
import type { Random } from './interfaces/random.js';
import type { Storage } from './interfaces/storage.js';
import type { TimeServers } from './interfaces/time-server.js';
import type { CoreSource } from './measuring/core-source.js';

/** What a scanner is made of. */
export interface DeviceFacts {
  /** Who it is, or how its storage tells that. */
  readonly identity: Identity | IdentitySource;
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly host: Host;
  /** Whom it asks for the time where TSCRole says so; nobody where nothing is stated. */
  readonly timeServers?: TimeServers;
  /** What measures. */
  readonly core: CoreSource;
  /** The release to run; that of the folder where nothing is stated, the newest in a new folder. */
  readonly release?: Release;
  readonly variant: Variant;
  /** The Ed25519 public key whose signatures under firmware files it trusts; none where nothing is stated. */
  readonly firmwareKey?: KeyObject;
  readonly bootMilliseconds: number;
  /** Passwords to set at the start, for REST and the legacy protocol. */
  readonly passwords?: Readonly<Partial<Record<LoginLevel, string>>>;
  /** Switches the web server on again. */
  readonly enableWebserver?: boolean;
}
