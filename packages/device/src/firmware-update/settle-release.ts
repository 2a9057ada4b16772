import type { Release } from '@azimuth/model';
import type { StoredState } from '../parameters/stored-state.js';
import { carriedOver } from './carry-over.js';
import type { FirmwareRecord } from './firmware-record.js';

/**
 * A newer release than the one that the scanner runs acts as an update, with the next boot; parameters and switches
 * stay. On disk when the promise is fulfilled: a power cut on the way there leaves the old release or the new one.
 * @throws DowngradeRefused for an older one
 */
export async function settleRelease(
  firmware: FirmwareRecord,
  state: StoredState,
  asked: Release | undefined,
): Promise<void> {
  if (asked === undefined || asked === firmware.release) return;
  firmware.accept(asked);
  // Parameters first: interrupted between the two, the update is simply made again.
  const parameters = carriedOver(state.content.parameters, firmware.release, asked);
  if (parameters !== state.content.parameters) await state.update((content) => ({ ...content, parameters }));
  await firmware.install(asked);
}
