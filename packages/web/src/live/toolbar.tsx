import type { Signal } from '@preact/signals';
import { Menu } from '../parts/menu.js';
import type { LiveState } from './live-state.js';
import { SaveMenu } from './save-menu.js';
import type { ScanLayer } from './scan-layer.js';
import { ShownMenu } from './shown-menu.js';

interface Props {
  readonly state: LiveState;
  readonly scan: ScanLayer;
  /** What holds the canvases, for pictures of them. */
  readonly stage: { readonly current: HTMLDivElement | null };
}

/** What can be done with the view. */
export function Toolbar({ state, scan, stage }: Props) {
  const { measuring } = state;
  return (
    <div class="row tools" role="toolbar" aria-label="View">
      <button
        type="button"
        aria-pressed={measuring.value}
        aria-keyshortcuts="m"
        title="Press two points: m"
        onClick={() => state.toggleMeasuring()}
      >
        Measure
      </button>
      <Colouring state={state} />
      <Trail state={state} />
      <Menu label="Show">
        <Shown shown={state.showsFields} text="Fields" />
        <Shown shown={state.showsSeen} text="Area that is seen into" />
      </Menu>
      <ShownMenu />
      <SaveMenu state={state} scan={scan} stage={stage} />
    </div>
  );
}

function Colouring({ state: { colouring, sources } }: { state: LiveState }) {
  return (
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
        <option value="scanner">Colour: {sources.length > 1 ? 'scanner' : 'one'}</option>
      </select>
    </label>
  );
}

function Trail({ state: { trail } }: { state: LiveState }) {
  return (
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
  );
}

function Shown({ shown, text }: { shown: Signal<boolean>; text: string }) {
  return (
    <label class="row">
      <input
        type="checkbox"
        checked={shown.value}
        onChange={({ currentTarget }) => {
          shown.value = currentTarget.checked;
        }}
      />
      {text}
    </label>
  );
}
