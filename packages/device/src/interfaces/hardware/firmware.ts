/** Installs firmware, for example with RAUC, SWUpdate, Mender or a script. */
export interface FirmwareInstaller {
  /**
   * Installs a file whose signature was checked. UpdateState follows `progress` (0 to 100) and the promise. Its
   * rejection is the reason in the error text.
   */
  install(file: AsyncIterable<Uint8Array>, progress: (percent: number) => void): Promise<void>;
}
