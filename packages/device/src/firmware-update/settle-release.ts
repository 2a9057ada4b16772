import type { Release } from '@azimuth/model';
import { Later } from '../later.js';
import type { StoredState } from '../parameters/stored-state.js';
import type { FirmwareRecord } from './firmware-record.js';

/** Loaded for the one boot that needs it. */
const carryOver = new Later(() => import('./carry-over.js'));

/**
 * A newer release than the one that the scanner runs acts as an update, with the next boot; parameters and switches
 * stay. On disk when the promise is fulfilled, in one document: a power cut leaves the old release or the new one.
 * @throws DowngradeRefused for an older one
 */
export async function settleRelease(firmware: FirmwareRecord, asked: Release | undefined): Promise<void> {
  if (asked !== undefined && asked !== firmware.release) await firmware.install(asked);
}

/** The first boot of a release: what was stored under the one before, until its very end, is carried over. */
export async function carryStoredOver(state: StoredState, from: Release, to: Release): Promise<void> {
  const { carriedOver } = await carryOver.loaded();
  const parameters = carriedOver(state.content.parameters, from, to);
  if (parameters !== state.content.parameters) await state.update((content) => ({ ...content, parameters }));
}
