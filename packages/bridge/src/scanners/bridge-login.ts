import { type Scanner, ScannerError } from '@azimuth/client';

/**
 * The login of a bridge. It is tried once before it is used, and again if it was denied something. When the scanner has
 * refused it, each further use fails at once: five wrong passwords would lock the scanner for everybody.
 */
export class BridgeLogin {
  readonly #open: () => Promise<Scanner>;
  #accepted: Promise<Scanner> | undefined;
  #refused: string | undefined;

  /** @param open makes the scanner with the login; it sends nothing */
  constructor(open: () => Promise<Scanner>) {
    this.#open = open;
  }

  /** Acts with the login. @throws Error if the scanner has refused it; what the action throws */
  async use<T>(act: (scanner: Scanner) => Promise<T>): Promise<T> {
    const scanner = await this.#checked();
    try {
      return await act(scanner);
    } catch (error) {
      // The level may be too low for this. But the password may have been changed, too.
      if (isDenied(error)) {
        this.#accepted = undefined;
        await this.#checked();
      }
      throw error;
    }
  }

  /** Several uses at the same time share one attempt. */
  #checked(): Promise<Scanner> {
    this.#accepted ??= this.#check().catch((error: unknown) => {
      this.#accepted = undefined;
      throw error;
    });
    return this.#accepted;
  }

  async #check(): Promise<Scanner> {
    if (this.#refused !== undefined) throw new Error(this.#refused);
    const scanner = await this.#open();
    try {
      await scanner.call('checkCredentials');
    } catch (error) {
      // A challenge is denied while logins are locked, which ends by itself.
      if (isDenied(error) && error.endpoint === 'checkCredentials') {
        this.#refused = `the scanner has refused the login as ${scanner.user}, and is not asked again. Start the bridge with the right password`;
        throw new Error(this.#refused);
      }
      throw error;
    }
    return scanner;
  }
}

function isDenied(error: unknown): error is ScannerError {
  return error instanceof ScannerError && error.statusName === 'accessDenied';
}
