import { extensionPrefix, extensions, isObject, UpdateState } from '@azimuth/model';
import { ClientError, NotDoneError, ScannerError, UnreachableError } from '../errors.js';
import { WaitLimit } from '../reboot.js';
import type { Progress, Source } from './file-transfer.js';
import { callAndRequireDone, type RebootContext, type TransferContext } from './job.js';

/** The stage of an update. */
export type UpdateStage = 'sending' | 'installing' | 'rebooting';

export interface UpdateOptions {
  /** The expected DeviceIdent.Version after the update: `2.4.4.0R`. */
  readonly version?: string | undefined;
  /** The release in the file, if it is known: `2.4.4`. DeviceIdent.Version has to begin with it after the update. */
  readonly release?: string | undefined;
  /** Time limit in ms from the end of the upload until the scanner is back; 1 800 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
  readonly onStage?: ((stage: UpdateStage) => void) | undefined;
  /**
   * Called with the percentage of the installation whenever it has changed. Real scanners do not report it, and scanners
   * without an installer have installed at once.
   */
  readonly onInstallProgress?: ((percent: number) => void) | undefined;
}

/** The versions before and afterwards, from DeviceIdent. */
export interface Updated {
  readonly from: string;
  readonly to: string;
}

const method = 'RunFirmwareUpdate';
/**
 * Poll interval in ms; time limits in ms for the begin and the end of the installation, and for the begin of the
 * reboot after it.
 */
const pollInterval = 200;
const beginTimeout = 60_000;
const shutdownTimeout = 120_000;
const updateTimeout = 1_800_000;

/**
 * Sends firmware, lets the scanner install it, follows UpdateState, waits for the end of the reboot and checks the
 * version (specification, Firmware update). A scanner answers HTTP 200 also for a bad file: then UpdateState becomes
 * 3.
 * @throws NotDoneError if the scanner does not install it, if its version afterwards is not the expected one, or if it
 * is back with the old version although the installation did not finish, for example after a power cut. The same
 * version again is not a failure if the installation has finished.
 */
export async function update(
  context: RebootContext,
  source: Source,
  {
    version,
    release,
    timeoutMs = updateTimeout,
    onProgress = () => undefined,
    onStage = () => undefined,
    onInstallProgress,
  }: UpdateOptions,
): Promise<Updated> {
  const { calls, files, rebooted } = context;
  const from = await firmwareVersion(context);
  const powerOns = await powerOnCount(context);
  onStage('sending');
  await files.upload('update', { source, type: 'application/octet-stream', onProgress });
  onStage('installing');
  const limit = new WaitLimit(context.clock, timeoutMs, 'after it had the file');
  await callAndRequireDone(calls, limit, method, {});
  const installed = await waitUntilInstalled(
    context,
    limit,
    from,
    progressReader(context, onInstallProgress),
  );
  onStage('rebooting');
  const finished = (await waitUntilDown(context)) || installed;
  await rebooted(limit);
  calls.description.forget();
  const to = await firmwareVersion(context);
  const expected = version ?? release;
  const isExpected =
    version === undefined ? release !== undefined && `${to}.`.startsWith(`${release}.`) : to === version;
  if (to === from && !finished && !(version !== undefined && isExpected)) {
    const now = await powerOnCount(context);
    if (powerOns !== undefined && now !== undefined && now !== powerOns) {
      const reason = `the scanner lost power during the update, and runs ${to} as before: install the file again`;
      throw new NotDoneError(method, `PowerOnCnt ${now} after ${powerOns}`, reason);
    }
    if (!isExpected) {
      const reason = `the scanner is back with ${to} as before, and has not said that it has finished: it lost power or was rebooted meanwhile. Install the file again`;
      throw new NotDoneError(method, to, reason);
    }
  }
  if (expected !== undefined && !isExpected) {
    throw new NotDoneError(method, to, `the scanner runs ${to} now, and not ${expected}`);
  }
  return { from, to };
}

/** Reads the number of times that power was switched on; undefined if the scanner does not report it. */
async function powerOnCount({ calls }: TransferContext): Promise<unknown> {
  try {
    return await calls.readAny('PowerOnCnt');
  } catch (error) {
    if (error instanceof ScannerError) return undefined;
    throw error;
  }
}

/**
 * Waits until the installation is over, or the scanner is away. Returns true if it has finished. @throws NotDoneError
 * if it fails, or takes too long.
 */
async function waitUntilInstalled(
  context: TransferContext,
  limit: WaitLimit,
  from: string,
  followProgress: () => Promise<void>,
): Promise<boolean> {
  let begun = false;
  for (;;) {
    const state = await updateState(context);
    if (state === undefined || state === UpdateState.Finished) return state !== undefined;
    if (state === UpdateState.Error) {
      throw NotDoneError.refused(method, 'UpdateState Error', await updateFailureText(context));
    }
    if (state === UpdateState.Started) {
      begun = true;
      await followProgress();
    }
    // Polling may miss the reboot of a quick scanner.
    else if (begun || (await firmwareVersion(context)) !== from) return false;
    else if (limit.waited > beginTimeout)
      throw new NotDoneError(
        method,
        'UpdateState Initial',
        'the installation did not start (UpdateState Initial)',
        'the installation did not start',
      );
    if (limit.isOver) {
      const reason = `the installation is not finished ${limit.text}`;
      throw new NotDoneError(method, 'UpdateState Started', `${reason} (UpdateState Started)`, reason);
    }
    await limit.pause(pollInterval);
  }
}

const firmwareState = `${extensionPrefix}${extensions.members.firmware.name}`;

/** Returns a function that reads the progress of an installation, and reports it if it has changed. */
function progressReader(
  { calls }: TransferContext,
  report: UpdateOptions['onInstallProgress'],
): () => Promise<void> {
  let last = 0;
  let isReported = report !== undefined;
  return async () => {
    if (!isReported) return;
    try {
      const state = await calls.readAny(firmwareState);
      const percent = isObject(state) ? state.Progress : undefined;
      if (typeof percent !== 'number' || percent === last) return;
      last = percent;
      report?.(percent);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // A scanner that is away may be back; any other one does not report its progress.
      if (!(error instanceof UnreachableError)) isReported = false;
    }
  };
}

/** Reads the reason why the scanner has not installed the file. Real scanners do not report it. */
async function updateFailureText({ calls }: TransferContext): Promise<string> {
  const unknown =
    'the scanner does not accept this file; from release 2.2.0 on it has to be signed (.spk.signed)';
  try {
    const state = await calls.readAny(firmwareState);
    return isObject(state) && typeof state.Fault === 'string' && state.Fault !== '' ? state.Fault : unknown;
  } catch (error) {
    if (error instanceof ClientError) return unknown;
    throw error;
  }
}

/**
 * Waits until the scanner is away, or back already: it reboots by itself after the installation. Returns true if the
 * installation has finished meanwhile.
 */
async function waitUntilDown(context: TransferContext): Promise<boolean> {
  let finished = false;
  const limit = new WaitLimit(context.clock, shutdownTimeout);
  while (!limit.isOver) {
    if ((await updateState(context)) !== UpdateState.Finished) return finished;
    finished = true;
    await limit.pause(pollInterval);
  }
  return finished;
}

/** Reads UpdateState; undefined while nothing answers. */
async function updateState({ calls }: TransferContext): Promise<unknown> {
  try {
    return await calls.readAny('UpdateState');
  } catch (error) {
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

async function firmwareVersion({ calls }: TransferContext): Promise<string> {
  const ident = await calls.readAny('DeviceIdent');
  return isObject(ident) ? String(ident.Version) : '';
}
