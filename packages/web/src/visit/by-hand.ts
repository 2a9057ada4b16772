/** What repeats a change that no line can repeat as it is: it had a secret or a file, which these pages do not keep. */
const byHand: Readonly<Record<string, string>> = {
  setCertificateBundle: 'azimuth certificate set CERTIFICATES KEY',
  changePassword: 'azimuth password LEVEL',
  SetPassword: 'the page Users, which sets passwords of the interfaces A and B',
  CreateParameterBackup: 'azimuth backup FILE',
  RestoreParameterBackup: 'azimuth restore FILE',
  RunFirmwareUpdate: 'azimuth update FILE',
};

/** A comment that says what repeats a call; undefined if the call can be repeated as it is. */
export function commentOn(method: string): string | undefined {
  const way = byHand[method];
  return way === undefined
    ? undefined
    : `# ${method} had a secret or a file, which is not kept. It is repeated by: ${way}`;
}

/** Methods after which the scanner is away for a while. */
export const reboots: ReadonlySet<string> = new Set(['RebootDevice', 'SoftReset']);
