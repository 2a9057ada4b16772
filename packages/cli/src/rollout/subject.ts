/** The subject of a rollout, for its journal: a journal of anything else is refused. */
export interface RolloutSubject {
  /** The words of the command: `certificate set`. */
  readonly command: string;
  /** All arguments of the program, for the command that goes on. */
  readonly words: readonly string[];
  /** Facts that must be the same when a run goes on: digests of files, the user level. Nothing secret. */
  readonly facts: Readonly<Record<string, string>>;
}
