import type { RestoreResult } from '@azimuth/model';

/** Why a backup file was not restored; nothing has changed then. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
  readonly result: Exclude<keyof typeof RestoreResult, 'Ok'>;
  /** The parameters that could not be restored, by name. */
  readonly failed: readonly string[];

  /** `why` says what was expected and where, and holds nothing that is secret. */
  constructor(result: RestoreRefused['result'], why: string, failed: readonly string[] = []) {
    super(why);
    this.result = result;
    this.failed = failed;
  }
}
