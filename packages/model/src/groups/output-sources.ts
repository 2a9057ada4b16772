import { evaluationSlots } from './field-evaluation.js';
import { portCount } from './inputs-and-outputs.js';

/** Signals of one kind that outputs can follow. */
interface OutputSources {
  /** Name for people. */
  readonly name: string;
  /** Condition for the active state; `{n}` stands for the number of the source. */
  readonly text: string;
  /** Condition for the inactive state. */
  readonly inverse: string;
  /** Number of sources, with codes of two letters and two digits from 01 on. Without it, there is one. */
  readonly count?: number;
  /** True if its pulses last microseconds to milliseconds. */
  readonly isPulsed?: true;
}

/** Sources of outputs, by the letters of their codes. */
export const outputSources = {
  DRDY: { name: 'Scanner ready', text: 'the scanner is ready', inverse: 'the scanner is not ready' },
  FE: { name: 'Field', text: 'field {n} is infringed', inverse: 'field {n} is free', count: evaluationSlots },
  IN: { name: 'Input', text: 'input {n} is active', inverse: 'input {n} is inactive', count: portCount },
  SC: {
    name: 'SetOutput',
    text: 'SetOutput has switched port {n} on',
    inverse: 'SetOutput has switched port {n} off',
    count: portCount,
  },
  CWRN: {
    name: 'Contamination warning',
    text: 'there is a contamination warning',
    inverse: 'there is no contamination warning',
  },
  CERR: {
    name: 'Contamination error',
    text: 'there is a contamination error',
    inverse: 'there is no contamination error',
  },
  TALM: {
    name: 'Temperature alarm',
    text: 'there is a temperature alarm',
    inverse: 'there is no temperature alarm',
  },
  SROT: {
    name: 'Index signal',
    text: 'the index signal comes',
    inverse: 'the index signal does not come',
    isPulsed: true,
  },
  ROTS: {
    name: 'Index signal (other name)',
    text: 'the index signal comes',
    inverse: 'the index signal does not come',
    isPulsed: true,
  },
  SCLK: {
    name: 'Sync clock',
    text: 'the sync clock ticks',
    inverse: 'the sync clock does not tick',
    isPulsed: true,
  },
} as const satisfies Readonly<Record<string, OutputSources>>;

export type OutputSourceKind = keyof typeof outputSources;

const kinds: ReadonlyMap<string, OutputSources> = new Map(Object.entries(outputSources));

/** The code of an output without a source. */
export const noOutputSource = '    ';

/** Meaning of the code of a source. */
interface OutputSource {
  readonly kind: OutputSourceKind;
  /** Number within its kind, from 1; 0 if there is one. */
  readonly number: number;
}

/** Returns the source of a code of four characters; undefined for a code that does not exist. */
export function outputSourceOf(code: string): OutputSource | undefined {
  if (isKind(code) && kinds.get(code)?.count === undefined) return { kind: code, number: 0 };
  const letters = code.slice(0, 2);
  const digits = /^[0-9]{2}$/.exec(code.slice(2))?.[0];
  if (digits === undefined || !isKind(letters)) return undefined;
  const number = Number(digits);
  return number >= 1 && number <= (kinds.get(letters)?.count ?? 0) ? { kind: letters, number } : undefined;
}

/** Returns the code of a source. */
export function outputSourceCode({ kind, number }: OutputSource): string {
  return number === 0 ? kind : `${kind}${String(number).padStart(2, '0')}`;
}

/** Returns the number of sources of a kind; undefined if its code has no number. */
export function countOfSources(kind: OutputSourceKind): number | undefined {
  return kinds.get(kind)?.count;
}

function isKind(code: string): code is OutputSourceKind {
  return kinds.has(code);
}
