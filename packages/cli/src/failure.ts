import { Fault, statuses } from '@azimuth/model';
import type { ExitCode } from './command-failure.js';
import { CommandFailure } from './command-failure.js';
import { printable } from './output.js';

/** What a failure prints: one line on stderr and an exit code. */
interface Failure {
  readonly line: string;
  readonly exitCode: ExitCode;
}

/** The failure that an error means. Any unknown error is an internal one. */
export async function failureOf(error: unknown): Promise<Failure> {
  const { line, exitCode } = await describeError(error);
  return { line: printable(line.replaceAll(/\s*[\r\n]+\s*/g, ' ')), exitCode };
}

async function describeError(error: unknown): Promise<Failure> {
  if (error instanceof CommandFailure) return { line: error.message, exitCode: error.exitCode };
  if (error instanceof Fault) {
    return { line: `${error.message} (${statuses[error.status].message})`, exitCode: 'usage' };
  }
  // Only here, so that a command that never talks to a scanner does not load the client.
  const client = await import('@azimuth/client');
  if (error instanceof client.ScannerError) {
    if (error.statusName !== 'accessDenied') return { line: error.message, exitCode: 'refused' };
    return { line: `${error.message} – ${denial(error.endpoint)}`, exitCode: 'denied' };
  }
  if (error instanceof client.TransferError && error.httpStatus === 403) {
    return { line: error.message, exitCode: 'denied' };
  }
  if (error instanceof client.ResultError) return { line: error.message, exitCode: 'denied' };
  if (error instanceof client.UnreachableError || error instanceof client.AnswerError) {
    return { line: error.message, exitCode: 'unreachable' };
  }
  if (error instanceof client.PasswordMissingError) return { line: error.message, exitCode: 'usage' };
  if (error instanceof client.ClientError && error.name === 'LegacyError') return legacyFailure(error);
  if (error instanceof client.ClientError) return { line: error.message, exitCode: 'refused' };
  const message = error instanceof Error ? error.message : String(error);
  return { line: `internal error: ${message}`, exitCode: 'internal' };
}

/** A refusal of the legacy protocol. */
async function legacyFailure(error: Error): Promise<Failure> {
  const { LegacyError } = await import('@azimuth/client/legacy');
  const denied =
    error instanceof LegacyError &&
    (error.errorName === 'writeAccessDenied' || error.errorName === 'methodAccessDenied');
  return { line: error.message, exitCode: denied ? 'denied' : 'refused' };
}

/** Possible reasons: a scanner does not state them (specification, Errors, status 4). */
function denial(endpoint: string): string {
  if (endpoint === 'getChallenge') return 'logins are locked for up to 30 s after five failed ones';
  return 'wrong password, user level disabled or too low, or logins locked for 30 s';
}
