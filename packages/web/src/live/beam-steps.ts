import { beamAt } from './beam-reading.js';
import type { LiveState } from './live-state.js';

/** Chooses another beam of the scan in sight; beams are numbered from the right to the left. @param beam is put into range */
export function chooseBeam(state: LiveState, beam: number): void {
  const source = state.chosen.peek()?.source ?? state.sources[0];
  const scan = source?.scanAt(state.shownAt.peek());
  if (source === undefined || scan === undefined) return;
  const place = Math.max(0, Math.min(scan.beams - 1, beam));
  const azimuth = scan.directions.azimuth[place];
  if (azimuth !== undefined) state.chosen.value = { source, azimuth, echo: state.chosen.peek()?.echo ?? 1 };
}

/** Chooses a beam beside the one that is chosen. @param by beams to the left. @returns whether a beam was chosen */
export function stepBeam(state: LiveState, by: number): boolean {
  const chosen = state.chosen.peek();
  const scan = chosen?.source.scanAt(state.shownAt.peek());
  if (chosen === undefined || scan === undefined) return false;
  chooseBeam(state, beamAt(scan, chosen.azimuth) + by);
  return true;
}

/** Chooses the beam that looks straight ahead. */
export function chooseBeamAhead(state: LiveState): void {
  const scan = state.sources[0]?.scanAt(state.shownAt.peek());
  if (scan !== undefined) chooseBeam(state, beamAt(scan, 0));
}
