import { isFrom, LegacyScanMode, type Release } from '@azimuth/model';
import type { ValueSet } from '../parameters/parameters.js';
import type { StoredState } from '../parameters/stored-state.js';
import type { FirmwareRecord } from './firmware-record.js';

/**
 * A newer release than the one that the scanner runs is an update at the next boot; parameters and switches stay. It is
 * on disk when the promise resolves, in one document: a power cut leaves the old release or the new one.
 * @throws DowngradeRefused for an older one
 */
export async function settleRelease(firmware: FirmwareRecord, asked: Release | undefined): Promise<void> {
  if (asked !== undefined && asked !== firmware.release) await firmware.install(asked);
}

/** At the first boot of a release: carries over what was stored under the release before. */
export async function carryStoredOver(state: StoredState, from: Release, to: Release): Promise<void> {
  const parameters = carriedOver(state.content.parameters, from, to);
  if (parameters !== state.content.parameters) await state.update((content) => ({ ...content, parameters }));
}

/**
 * The stored parameters under a newer release. They stay, and the successor of a variable takes over its value: a device
 * search that was switched off stays off.
 */
export function carriedOver(parameters: ValueSet, from: Release, to: Release): ValueSet {
  if (isFrom(from, '2.1.0') || !isFrom(to, '2.1.0') || parameters.EnableColaScan !== false) return parameters;
  return { ...parameters, EtherLegacyScanMode: LegacyScanMode.DISABLED };
}
