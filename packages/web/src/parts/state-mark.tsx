import type { Severity } from './severity.js';

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
