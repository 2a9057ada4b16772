import { isFrom } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import {
  call,
  type RequestStep,
  type Step,
  type TransferOptions,
  type TransferStep,
  transfer,
} from '../../steps/index.js';

/** First release whose transfers need a session token. */
export const firstWithTokens = '2.3.1';

/** Releases with session tokens. */
export const tokenReleases = { since: firstWithTokens } as const;

/** Fetches a session token, and saves it as `token`. */
export const newToken: RequestStep = call(
  'CreateSessionToken',
  undefined,
  { status: 0 },
  { save: { token: 'data.token' } },
);

/** Header with the session token that was saved under a name. */
export function tokenHeader(name = 'token') {
  return { 'X-Session-Token': { saved: name } };
}

/** Steps that use files, by what the release of a scanner needs for a transfer. */
export interface FileSteps {
  /** Fetches a session token, in releases that have them. */
  readonly open: readonly Step[];
  readonly download: (expect: TransferStep['expect'], options?: TransferOptions) => TransferStep;
  readonly upload: (expect: TransferStep['expect'], options?: TransferOptions) => TransferStep;
  /** Any transfer under `/api/`. */
  readonly transfer: typeof transfer;
}

export function fileStepsFor({ release }: CheckSubject): FileSteps {
  const needsToken = isFrom(release, firstWithTokens);
  const carried: typeof transfer = (method, path, expect, options = {}) =>
    transfer(method, path, expect, { ...(needsToken ? { headers: tokenHeader() } : {}), ...options });
  return {
    open: needsToken ? [newToken] : [],
    download: (expect, options) => carried('GET', 'parameterbackup', expect, options),
    upload: (expect, options) => carried('PUT', 'parameterbackup', expect, options),
    transfer: carried,
  };
}
