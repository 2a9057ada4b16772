import { Scanner, ScannerError, type ScannerOptions } from '@azimuth/client';

/** A client with a login that tells when the scanner does not accept the login. */
export class LoggedInScanner extends Scanner {
  readonly #denied: (error: ScannerError) => void;

  /** @param denied called with each refusal for the login, before the caller gets it */
  constructor(options: ScannerOptions, denied: (error: ScannerError) => void) {
    super(options);
    this.#denied = denied;
  }

  override writeAny(name: string, value: unknown): Promise<void> {
    return this.#watched(super.writeAny(name, value));
  }

  override callAny(...call: Parameters<Scanner['callAny']>): Promise<unknown> {
    return this.#watched(super.callAny(...call));
  }

  async #watched<T>(act: Promise<T>): Promise<T> {
    try {
      return await act;
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'accessDenied') this.#denied(error);
      throw error;
    }
  }
}
