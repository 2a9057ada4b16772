import { extensionPrefix, extensions, isObject, UpdateState } from '@azimuth/model';
import { ClientError, NotDoneError, ScannerError, UnreachableError } from '../errors.js';
import { WaitLimit } from '../reboot.js';
import type { Progress, Source } from './file-transfer.js';
import { callAndRequireDone, type RebootContext, type TransferContext } from './job.js';

/** The stage of an update. */
export type UpdateStage = 'sending' | 'installing' | 'rebooting';

export interface UpdateOptions {
  /** The version that DeviceIdent.Version has to state afterwards: `2.4.4.0R`. */
  readonly version?: string | undefined;
  /** The release in the file, if it is known: `2.4.4`. DeviceIdent.Version has to begin with it afterwards. */
  readonly release?: string | undefined;
  /** ms that the scanner may take once it has the file, until it is back; 1 800 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: Progress | undefined;
  readonly onStage?: ((stage: UpdateStage) => void) | undefined;
}

/** The versions before and afterwards, from DeviceIdent. */
export interface Updated {
  readonly from: string;
  readonly to: string;
}

const method = 'RunFirmwareUpdate';
/** Milliseconds between looks, for an installation to begin, to end, and for the reboot that ends it to begin. */
const pollInterval = 200;
const beginTimeout = 60_000;
const goneTimeout = 120_000;
const updateTimeout = 1_800_000;

/**
 * Sends firmware, has it installed, follows UpdateState, waits out the reboot and looks at the version (specification,
 * Firmware update). A scanner answers HTTP 200 also for a bad file: that shows as UpdateState 3.
 * @throws NotDoneError if the scanner does not install it, has another version afterwards than expected, or is back with
 * the version before without having finished: it has lost its power meanwhile, for example. The same version again is
 * no failure if the scanner has finished.
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
  }: UpdateOptions,
): Promise<Updated> {
  const { calls, files, rebooted } = context;
  const from = await versionOf(context);
  const powerOns = await powerOnsOf(context);
  onStage('sending');
  await files.put('update', { source, type: 'application/octet-stream', onProgress });
  onStage('installing');
  const limit = new WaitLimit(context.clock, timeoutMs, 'after it had the file');
  await callAndRequireDone(calls, limit, method, {});
  const installed = await waitUntilInstalled(context, limit, from);
  onStage('rebooting');
  const finished = (await waitUntilGone(context)) || installed;
  await rebooted(limit);
  const to = await versionOf(context);
  const wanted = version ?? release;
  const isWanted =
    version === undefined ? release !== undefined && `${to}.`.startsWith(`${release}.`) : to === version;
  if (to === from && !finished && !(version !== undefined && isWanted)) {
    const now = await powerOnsOf(context);
    if (powerOns !== undefined && now !== undefined && now !== powerOns) {
      const reason = `the scanner lost power during the update, and runs ${to} as before: install the file again`;
      throw new NotDoneError(method, `PowerOnCnt ${now} after ${powerOns}`, reason);
    }
    if (!isWanted) {
      const reason = `the scanner is back with ${to} as before, and has not said that it has finished: it lost power or was rebooted meanwhile. Install the file again`;
      throw new NotDoneError(method, to, reason);
    }
  }
  if (wanted !== undefined && !isWanted) {
    throw new NotDoneError(method, to, `the scanner runs ${to} now, and not ${wanted}`);
  }
  return { from, to };
}

/** How often power was switched on; undefined if the scanner does not tell. */
async function powerOnsOf({ calls }: TransferContext): Promise<unknown> {
  try {
    return await calls.readAny('PowerOnCnt');
  } catch (error) {
    if (error instanceof ScannerError) return undefined;
    throw error;
  }
}

/** Until the installation is over, or the scanner away: has it finished? @throws NotDoneError if it fails, or takes too long. */
async function waitUntilInstalled(
  context: TransferContext,
  limit: WaitLimit,
  from: string,
): Promise<boolean> {
  let begun = false;
  for (;;) {
    const state = await stateOf(context);
    if (state === undefined || state === UpdateState.Finished) return state !== undefined;
    if (state === UpdateState.Error) {
      throw NotDoneError.refused(method, 'UpdateState Error', await faultOf(context));
    }
    if (state === UpdateState.Started) begun = true;
    // Who looks now and then may miss the reboot of a quick scanner.
    else if (begun || (await versionOf(context)) !== from) return false;
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

/** Why the scanner has not installed the file. Real scanners do not tell. */
async function faultOf({ calls }: TransferContext): Promise<string> {
  const unknown =
    'the scanner does not accept this file; from release 2.2.0 on it has to be signed (.spk.signed)';
  try {
    const state = await calls.readAny(`${extensionPrefix}${extensions.members.firmware.name}`);
    return isObject(state) && typeof state.Fault === 'string' && state.Fault !== '' ? state.Fault : unknown;
  } catch (error) {
    if (error instanceof ClientError) return unknown;
    throw error;
  }
}

/** A scanner reboots by itself once it has finished. Waits until it is away, or back already: has it finished meanwhile? */
async function waitUntilGone(context: TransferContext): Promise<boolean> {
  let finished = false;
  const limit = new WaitLimit(context.clock, goneTimeout);
  while (!limit.isOver) {
    if ((await stateOf(context)) !== UpdateState.Finished) return finished;
    finished = true;
    await limit.pause(pollInterval);
  }
  return finished;
}

/** undefined while nothing answers. */
async function stateOf({ calls }: TransferContext): Promise<unknown> {
  try {
    return await calls.readAny('UpdateState');
  } catch (error) {
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

async function versionOf({ calls }: TransferContext): Promise<string> {
  const ident = await calls.readAny('DeviceIdent');
  return isObject(ident) ? String(ident.Version) : '';
}
