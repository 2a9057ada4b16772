/** Facts that go with a log line. */
export type LogFacts = Readonly<Record<string, unknown>>;

/** Where the scanner writes what a person should know. No secret is ever passed to it. */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  error(message: string, facts?: LogFacts): void;
}

/** The hardware that the scanner runs on. */
export interface Host {
  readonly log: Log;
  /** Temperature inside the device in °C. */
  temperature(): number;
  /** Speed of what drives the encoder in mm/s, its direction by sign; 0 where nothing does. */
  encoderSpeed?(): number;
  /** The share of light, 0 to 1, that each of the twelve sectors of the front screen takes away; none where nothing does. */
  contamination?(): readonly number[];
}
