/** Installs firmware, for example with RAUC, SWUpdate, Mender or a script. */
export interface FirmwareInstaller {
  /**
   * Installs a file. Its signature, device type and release were checked. UpdateState is 1 until the promise resolves,
   * then 2, and the scanner restarts with the kind `update`. If it rejects, UpdateState is 3, and the message of the
   * error is `Fault` of `/x/firmware`. The old firmware must run then.
   * @param file the payload of the firmware file. It throws if it is cut off or was changed since the check
   * @param progress call it with the percentage, 0 to 100. After 10 minutes in which neither the file is read nor the
   * percentage grows, the installation has failed
   * @param signal aborted when the scanner no longer waits for the installation: end it
   */
  install(
    file: AsyncIterable<Uint8Array>,
    progress: (percent: number) => void,
    signal: AbortSignal,
  ): void | Promise<void>;
}
