import type { LiveState } from './live-state.js';

/** The last 60 s: a slider that goes back in time, and the key that freezes the view. */
export function Timeline({ state }: { state: LiveState }) {
  void state.seconds.value;
  const shownAt = state.shownAt.value;
  const isFrozen = shownAt !== undefined;
  const { from = 0, to = 0 } = state.span ?? {};
  const back = isFrozen ? Math.max(0, (to - shownAt) / 1000) : 0;
  return (
    <div class={isFrozen ? 'timeline frozen' : 'timeline'}>
      <button
        type="button"
        class="freeze"
        aria-pressed={isFrozen}
        aria-keyshortcuts="Space"
        title={isFrozen ? 'Show what the scanner sees now: space' : 'Stop the picture: space'}
        onClick={() => state.toggleFreeze()}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={isFrozen ? 'M2 1 11 6 2 11Z' : 'M2 1h3v10H2ZM7 1h3v10H7Z'} />
        </svg>
        {isFrozen ? 'Go live' : 'Freeze'}
      </button>
      <button type="button" aria-label="Scan before" title="Scan before: ," onClick={() => state.step(-1)}>
        ‹
      </button>
      <input
        type="range"
        aria-label="Time that is shown"
        aria-valuetext={isFrozen ? `${back.toFixed(1)} seconds back` : 'now'}
        min={from}
        max={to}
        step="any"
        value={isFrozen ? Math.min(to, shownAt) : to}
        onInput={({ currentTarget }) => state.show(currentTarget.valueAsNumber)}
      />
      <button
        type="button"
        aria-label="Scan after"
        title="Scan after: ."
        disabled={!isFrozen}
        onClick={() => state.step(1)}
      >
        ›
      </button>
      <output class="time">
        {isFrozen ? (
          <>
            −{back.toFixed(2)}
            <span class="unit">s</span>
          </>
        ) : (
          <span class="live-mark">Live</span>
        )}
        <span class="soft small">of {((to - from) / 1000).toFixed(0)} s</span>
      </output>
    </div>
  );
}
