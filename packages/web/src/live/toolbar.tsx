import type { LiveState } from './live-state.js';
import { SaveMenu } from './save-menu.js';
import type { ScanLayer } from './scan-layer.js';

interface Props {
  readonly state: LiveState;
  readonly scan: ScanLayer;
  /** What holds the canvases, for pictures of them. */
  readonly stage: { readonly current: HTMLDivElement | null };
}

/** What can be done with the view. */
export function Toolbar({ state, scan, stage }: Props) {
  const frozen = state.shownAt.value !== undefined;
  const { measuring, colouring, trail, plan } = state;
  return (
    <div class="row tools" role="toolbar" aria-label="View">
      <button
        type="button"
        class="freeze"
        aria-pressed={frozen}
        aria-keyshortcuts="Space"
        title="Space"
        onClick={() => state.toggleFreeze()}
      >
        {frozen ? 'Go on' : 'Freeze'}
      </button>
      <button
        type="button"
        aria-pressed={measuring.value}
        aria-keyshortcuts="m"
        title="Press two points: m"
        onClick={() => state.toggleMeasuring()}
      >
        Measure
      </button>
      <span class="joined">
        <button type="button" aria-label="Zoom out" title="-" onClick={() => plan.zoom(1 / 1.4)}>
          −
        </button>
        <button type="button" title="Show everything: f" aria-keyshortcuts="f" onClick={() => state.fit()}>
          Fit
        </button>
        <button type="button" aria-label="Zoom in" title="+" onClick={() => plan.zoom(1.4)}>
          +
        </button>
      </span>
      <label>
        <span class="hidden-text">Colours of points</span>
        <select
          value={colouring.value}
          onChange={({ currentTarget: { value } }) => {
            colouring.value = value === 'echo' || value === 'scanner' ? value : 'strength';
          }}
        >
          <option value="strength">Colour: RSSI</option>
          <option value="echo">Colour: echo</option>
          <option value="scanner">Colour: {state.sources.length > 1 ? 'scanner' : 'one'}</option>
        </select>
      </label>
      <label>
        <span class="hidden-text">Trail</span>
        <select
          value={String(trail.value)}
          onChange={({ currentTarget: { value } }) => {
            trail.value = Number(value);
          }}
        >
          <option value="0">Trail: none</option>
          {[1, 3, 10].map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              Trail: {seconds} s
            </option>
          ))}
        </select>
      </label>
      <SaveMenu state={state} scan={scan} stage={stage} />
    </div>
  );
}
