export { deviceState } from '@azimuth/model';

/** Severity of a state: each has a colour and a shape of its own. */
export type Severity = 'good' | 'warn' | 'bad' | 'idle';

/** For sorting: the worst first. */
export const severityRanks: Readonly<Record<Severity, number>> = { bad: 0, warn: 1, idle: 2, good: 3 };

/** A small picture beside words that say the same. @param path in a square of this many units */
export function Icon({ path, size = 12, kind }: { path: string; size?: number; kind?: string }) {
  return (
    <svg class={kind} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

const shapes: Readonly<Record<Severity, string>> = {
  good: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Z',
  warn: 'M6 1 11.5 11H.5Z',
  bad: 'M1 1h10v10H1Z',
  idle: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
};

/** A state as a shape and a word. */
export function StateMark({ severity, children }: { severity: Severity; children: string }) {
  return (
    <span class={`state ${severity}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shapes[severity]} fill="currentColor" fill-rule="evenodd" />
      </svg>
      {children}
    </span>
  );
}
