import type { Echo } from './echoes.js';

/** The signal strengths of a picture from weak to strong, but for a few outliers. */
export interface SignalSpan {
  readonly weakest: number;
  readonly strongest: number;
  /** 0 for the weakest, 1 for the strongest. */
  shareOf(rssi: number): number;
}

export function signalSpan(echoes: readonly Echo[]): SignalSpan {
  const signals = Uint16Array.from(echoes, ({ rssi = 0 }) => rssi).sort();
  const at = (share: number) => signals[Math.round((signals.length - 1) * share)] ?? 0;
  const weakest = at(0.02);
  const strongest = at(0.98);
  const width = Math.max(1, strongest - weakest);
  return { weakest, strongest, shareOf: (rssi) => (rssi - weakest) / width };
}
