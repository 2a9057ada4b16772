import { allMethods, allVariables, Refusal, statuses } from '@azimuth/model';
import { CommandFailure, type ExitCode, SeveralFailed } from '../command-failure.js';
import { printable } from './output.js';

/** The output of a failure: one line on stderr and an exit code. */
interface Failure {
  /** Its scanners, if a command acts on several. */
  readonly scanners?: readonly string[];
  readonly line: string;
  readonly exitCode: ExitCode;
}

/**
 * Returns the failures of an error, and the exit code of the command. If several scanners failed, each reason is a
 * failure of its own, and so is each mistake in a file. If all have the same exit code, it is that one, otherwise that
 * of a refusal.
 */
export async function describeFailures(error: unknown): Promise<{
  readonly failures: readonly Failure[];
  readonly summary?: string;
  readonly exitCode: ExitCode;
}> {
  if (error instanceof CommandFailure) {
    const { lines, exitCode } = error;
    return { failures: lines.map((line) => ({ line: onOneLine(line), exitCode })), exitCode };
  }
  if (!(error instanceof SeveralFailed)) {
    const failure = await describeFailure(error);
    return { failures: [failure], exitCode: failure.exitCode };
  }
  const failures: Failure[] = [];
  for (const [reason, scanners] of error.grouped) {
    const { failures: each } = await describeFailures(reason);
    failures.push(...each.map((failure) => ({ ...failure, scanners })));
  }
  return { failures, summary: error.message, exitCode: commonExitCode(failures) };
}

/** Returns the common exit code of all failures; otherwise that of a refusal. */
export function commonExitCode(failures: readonly Failure[]): ExitCode {
  const codes = new Set(failures.map(({ exitCode }) => exitCode));
  const [exitCode = 'refused'] = codes.size === 1 ? codes : [];
  return exitCode;
}

/** Returns the failure of an error. An unknown error is an internal one. */
async function describeFailure(error: unknown): Promise<Failure> {
  const { line, exitCode } = await describeError(error);
  return { line: onOneLine(line), exitCode };
}

function onOneLine(text: string): string {
  return printable(text.replaceAll(/\s*[\r\n]+\s*/g, ' '));
}

async function describeError(error: unknown): Promise<Failure> {
  if (error instanceof CommandFailure) return { line: error.message, exitCode: error.exitCode };
  if (error instanceof Refusal) {
    return { line: `${error.message} (${statuses[error.status].message})`, exitCode: 'usage' };
  }
  // Only here, so that a command without requests does not load the client.
  const client = await import('@azimuth/client');
  if (error instanceof client.ScannerError) {
    if (error.statusName === 'notFound')
      return { line: error.message + newerThanScanner(error.endpoint), exitCode: 'refused' };
    if (error.statusName !== 'accessDenied') return { line: error.message, exitCode: 'refused' };
    return { line: `${error.message} – ${denial(error.endpoint)}`, exitCode: 'denied' };
  }
  if (error instanceof client.TransferError && error.httpStatus === 403) {
    return { line: error.message, exitCode: 'denied' };
  }
  if (error instanceof client.ResultError) return { line: error.message, exitCode: 'denied' };
  if (error instanceof client.UnreachableError) {
    return { line: `${error.message}${remedyFor(error.message)}`, exitCode: 'unreachable' };
  }
  if (error instanceof client.AnswerError) return { line: error.message, exitCode: 'unreachable' };
  if (error instanceof client.PasswordMissingError) return { line: error.message, exitCode: 'usage' };
  if (error instanceof client.ClientError && error.name === 'LegacyError') return legacyFailure(error);
  if (error instanceof client.ClientError) return { line: error.message, exitCode: 'refused' };
  const message = error instanceof Error ? error.message : String(error);
  return { line: `internal error: ${message}`, exitCode: 'internal' };
}

/** Advice about a name that not every release has. */
function newerThanScanner(endpoint: string): string {
  const since = [...allMethods, ...allVariables].find(({ name }) => name === endpoint)?.facts.since;
  if (since === undefined) return '';
  const instead = /ParameterBackup$/.test(endpoint)
    ? '; with every release, azimuth export and azimuth apply keep parameters in a file'
    : '';
  return `; it came with release ${since}${instead}`;
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'is it running? azimuth discover lists the scanners that answer'],
  [/ENOTFOUND|EAI_AGAIN/, 'no host has this name; names of azimuth devices begin with an @'],
  [/EHOSTUNREACH|ENETUNREACH/, 'this computer has no way to it: check address, subnet mask and cable'],
  [
    /no answer within/,
    'is it switched on, and in this network? azimuth discover lists the scanners that answer',
  ],
  [/EPROTO|wrong version number|packet length too long/i, 'it does not speak HTTPS at this port'],
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    'name the certificate of its issuer in NODE_EXTRA_CA_CERTS',
  ],
];

/** Advice if nothing answers, depending on the reason. */
function remedyFor(message: string): string {
  const [, remedy] = remedies.find(([reason]) => reason.test(message)) ?? [];
  return remedy === undefined ? '' : ` – ${remedy}`;
}

/** Describes a refusal of the legacy protocol. */
async function legacyFailure(error: Error): Promise<Failure> {
  const { LegacyError } = await import('@azimuth/client/legacy');
  const denied =
    error instanceof LegacyError &&
    (error.errorName === 'writeAccessDenied' || error.errorName === 'methodAccessDenied');
  return { line: error.message, exitCode: denied ? 'denied' : 'refused' };
}

/** Possible reasons: a scanner does not state them (specification, Errors, status 4). */
function denial(endpoint: string): string {
  if (endpoint === 'getChallenge')
    return 'logins are locked: for up to 30 s after five failed ones, or while the scanner cannot read its credentials (DeviceStatus 7)';
  return 'wrong password, user level disabled or too low, or logins locked for 30 s';
}
