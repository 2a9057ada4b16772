import { isObject, UpdateState } from '@azimuth/model';
import { NotDoneError, UnreachableError } from '../errors.js';
import type { Means } from './backup.js';
import { carryOut } from './job.js';
import type { Progress, Source } from './source.js';

/** Where an update is, for whoever waits for it. */
export type UpdateStage = 'sending' | 'installing' | 'rebooting';

export interface UpdateOptions {
  /** The version that the scanner has to tell afterwards, as DeviceIdent.Version does: `2.4.4.0R`. */
  readonly version?: string;
  readonly onProgress?: Progress;
  readonly onStage?: (stage: UpdateStage) => void;
}

/** The versions before and afterwards, as DeviceIdent tells them. */
export interface Updated {
  readonly from: string;
  readonly to: string;
}

const method = 'RunFirmwareUpdate';
/** Milliseconds between looks, for an installation to begin, to end, and for the reboot that ends it to begin. */
const lookEvery = 200;
const longestBegin = 60_000;
const longestInstallation = 1_800_000;
const longestUntilReboot = 120_000;

/**
 * Sends firmware, has it installed, follows UpdateState, waits out the reboot and looks at the version (specification,
 * Firmware update). A scanner answers HTTP 200 also for a bad file: that shows as UpdateState 3.
 * @throws NotDoneError where the scanner does not install it, or tells another version than was expected.
 */
export async function update(
  means: Means & { readonly rebooted: () => Promise<void> },
  source: Source,
  { version, onProgress = () => undefined, onStage = () => undefined }: UpdateOptions,
): Promise<Updated> {
  const { calls, files, rebooted } = means;
  const from = await versionOf(means);
  onStage('sending');
  await files.put('update', { source, type: 'application/octet-stream', onProgress });
  onStage('installing');
  await carryOut(calls, method, {});
  await installed(means, from);
  onStage('rebooting');
  await gone(means);
  await rebooted();
  const to = await versionOf(means);
  if (version !== undefined && to !== version) {
    throw new NotDoneError(method, to, `the scanner was expected to run ${version} now`);
  }
  return { from, to };
}

/** Until the installation is over, or the scanner away. @throws NotDoneError where it fails, or takes too long. */
async function installed(means: Means, from: string): Promise<void> {
  let begun = false;
  for (let waited = 0; waited <= longestInstallation; waited += lookEvery) {
    const state = await stateOf(means);
    if (state === undefined || state === UpdateState.Finished) return;
    if (state === UpdateState.Error) {
      throw new NotDoneError(method, 'UpdateState Error', 'the scanner does not take this file');
    }
    if (state === UpdateState.Started) begun = true;
    // Who looks now and then may miss the reboot of a quick scanner.
    else if (begun || (await versionOf(means)) !== from) return;
    else if (waited > longestBegin) throw new NotDoneError(method, 'UpdateState Initial', 'it did not begin');
    await means.pause(lookEvery);
  }
  throw new NotDoneError(method, 'UpdateState Started', 'it does not come to an end');
}

/** A scanner reboots by itself once it has finished: until it is away, or back already. */
async function gone(means: Means): Promise<void> {
  for (let waited = 0; waited <= longestUntilReboot; waited += lookEvery) {
    if ((await stateOf(means)) !== UpdateState.Finished) return;
    await means.pause(lookEvery);
  }
}

/** undefined while nothing answers. */
async function stateOf({ calls }: Means): Promise<unknown> {
  try {
    return await calls.readAny('UpdateState');
  } catch (error) {
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

async function versionOf({ calls }: Means): Promise<string> {
  const ident = await calls.readAny('DeviceIdent');
  return isObject(ident) ? String(ident.Version) : '';
}
