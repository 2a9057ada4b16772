import type { LiveState } from './live-state.js';

/** While the view is frozen: the time that is shown, within the last 60 s. */
export function Timeline({ state }: { state: LiveState }) {
  const shownAt = state.shownAt.value;
  const { span } = state;
  if (shownAt === undefined || span === undefined) return null;
  const { from, to } = span;
  const back = Math.max(0, (to - shownAt) / 1000);
  return (
    <div class="timeline row">
      <button type="button" aria-label="Scan before" title="," onClick={() => state.step(-1)}>
        ‹
      </button>
      <input
        type="range"
        aria-label="Time that is shown"
        aria-valuetext={`${back.toFixed(1)} seconds before the view was frozen`}
        min={from}
        max={to}
        step="any"
        value={Math.min(to, shownAt)}
        onInput={({ currentTarget }) => state.show(currentTarget.valueAsNumber)}
      />
      <button type="button" aria-label="Scan after" title="." onClick={() => state.step(1)}>
        ›
      </button>
      <span class="time">
        −{back.toFixed(1)}
        <span class="unit">s</span> <span class="soft small">of {((to - from) / 1000).toFixed(0)} s</span>
      </span>
    </div>
  );
}
