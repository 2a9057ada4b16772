/** Who changed something by a command of ours. */
export interface Author {
  /** The user of the computer on which the command ran, and the computer: `anna@desk7`. */
  readonly by: string;
  /** The command without its options: `set`, `apply`. */
  readonly command: string;
}

/** Weight of a condition. */
export type Severity = 'warning' | 'error';

interface Common {
  /** A UUID that no other entry has. A store gives one to entries without. */
  readonly id?: string | undefined;
  /** When it was noticed: milliseconds since 1970-01-01 UTC, by the clock of the monitor. */
  readonly at: number;
  /** Name of the scanner, as in the devices file, or its URL. Empty for entries about the monitor itself. */
  readonly scanner: string;
  /** Serial number of the scanner, if it was ever read. */
  readonly serial?: string | undefined;
}

/** A condition begins or ends: once for each time that a scanner gets into it. */
export interface ConditionEntry extends Common {
  readonly kind: 'condition';
  readonly change: 'begins' | 'ends';
  /** Identifier of the kind of the condition, for example `unreachable`. */
  readonly condition: string;
  /** The part that it is about, for example `sector 3`; empty if it is about the whole scanner. */
  readonly part: string;
  readonly severity: Severity;
  /** One line for people. */
  readonly text: string;
  /** When it began: milliseconds since 1970-01-01 UTC. */
  readonly since: number;
}

/** A parameter has another value than at the last look. Values are JSON, without secrets. */
export interface ParameterEntry extends Common {
  readonly kind: 'parameter';
  /** Path of the changed part: `ScanDataEthSettings.Port`. */
  readonly parameter: string;
  readonly before: unknown;
  readonly after: unknown;
  /** When the value before was read last: the change was between then and `at`. Milliseconds as `at`. */
  readonly unchangedAt?: number | undefined;
  /** Undefined if it was not changed by a command that writes to this log. */
  readonly author?: Author | undefined;
}

/** A value of the state changed: DeviceStatus, release, serial number. */
export interface ValueEntry extends Common {
  readonly kind: 'value';
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Something happened to a scanner that is over at once: a boot, saved parameters, a restore, a backup. */
export interface HappeningEntry extends Common {
  readonly kind: 'happening';
  readonly what: 'boot' | 'saved' | 'backup' | 'backup-failed';
  readonly text: string;
}

/** A command of ours wrote to a scanner. */
export interface CommandEntry extends Common {
  readonly kind: 'command';
  /** URL of the scanner: the name may be one that only the command knows. */
  readonly url?: string | undefined;
  readonly author: Author;
  /** Paths of the parameters that it wrote, or the method that it called. */
  readonly wrote: readonly string[];
  readonly outcome: 'done' | 'failed';
}

/** About the monitor: its start and end, and entries that an output has lost. */
export interface MonitorEntry extends Common {
  readonly kind: 'monitor';
  readonly text: string;
}

/** An entry of the lasting log. */
export type LogEntry =
  | ConditionEntry
  | ParameterEntry
  | ValueEntry
  | HappeningEntry
  | CommandEntry
  | MonitorEntry;
