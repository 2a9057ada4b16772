/** Something small whose calls are measured within a process. */
export interface Task {
  readonly subject: string;
  readonly condition: string;
  /** Does it once. What it returns is added up, so that no compiler leaves it out. */
  readonly call: () => number;
}

/** What a process tells of a task: µs of a call, a value a round. */
export interface Measured {
  readonly subject: string;
  readonly condition: string;
  readonly microseconds: readonly number[];
}
