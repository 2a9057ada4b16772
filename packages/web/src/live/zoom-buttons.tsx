import type { LiveState } from './live-state.js';

/** Zooms by pressing, for those without wheel or second finger. */
export function ZoomButtons({ state }: { state: LiveState }) {
  const { plan } = state;
  return (
    <div class="zoom">
      <button type="button" aria-label="Zoom in" title="Zoom in: +" onClick={() => plan.zoom(1.4)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out: -" onClick={() => plan.zoom(1 / 1.4)}>
        −
      </button>
      <button
        type="button"
        aria-label="Fit"
        title="Show everything: f"
        aria-keyshortcuts="f"
        onClick={() => state.fit()}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8" />
        </svg>
      </button>
    </div>
  );
}
