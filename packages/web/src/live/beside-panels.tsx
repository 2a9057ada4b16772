import { mountingPosition } from '@azimuth/model';
import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { BackgroundPanel } from '../background/background-panel.js';
import { openScanner } from '../connection/current.js';
import { SettingsPanel } from '../live-settings/settings-panel.js';
import { Tick, ticking } from '../parts/inputs.js';
import type { LiveState } from './live-state.js';
import { changeWords } from './scan-change.js';

const { SensorPosition } = mountingPosition.members;

/** Key in the storage of this browser. */
const key = 'live-settings';

type BesidePanel = 'settings' | 'background';

/** The panel beside the scan. This browser remembers open settings. */
const shownPanel: Signal<BesidePanel | undefined> = signal(
  localStorage.getItem(key) === 'shown' ? 'settings' : undefined,
);

export function areSettingsShown(): boolean {
  return shownPanel.value === 'settings';
}

function show(panel: BesidePanel | undefined): void {
  shownPanel.value = panel;
  localStorage.setItem(key, panel === 'settings' ? 'shown' : 'hidden');
}

export function toggleSettings(): void {
  show(areSettingsShown() ? undefined : 'settings');
}

export function showBackground(): void {
  show('background');
}

/** The panel that stands in place of fields and data, if one is open. */
export function panelBeside(state: LiveState): ComponentChildren {
  switch (shownPanel.value) {
    case 'settings':
      return <LiveSettings state={state} />;
    case 'background':
      return <Background state={state} />;
    default:
      return undefined;
  }
}

function Background({ state }: { state: LiveState }) {
  const pick = (begins: boolean) => {
    state.isPicking.value = begins;
    state.measured.value = begins ? [] : undefined;
  };
  return (
    <BackgroundPanel
      points={state.isPicking.value ? state.measured.value : undefined}
      pick={pick}
      viewWidth={() => {
        const { width, scale } = state.plan.viewport.peek();
        return width / scale;
      }}
      close={() => {
        pick(false);
        show(undefined);
      }}
    />
  );
}

/** The settings of the open scanner, with the effect of the last change on its scan. */
function LiveSettings({ state }: { state: LiveState }) {
  return (
    <SettingsPanel
      links={state.sources.map(({ link }) => link)}
      close={toggleSettings}
      isComparing={state.comparison.shown.value !== undefined}
      changed={(link, name, change) => {
        // The effect of a position is seen only if the plan follows it.
        if (name === SensorPosition.name) state.byMounting.value = true;
        return state.changed(link, change);
      }}
      placing={
        state.sources.length === 1 && (
          <Tick {...ticking(state.byMounting)}>Show the scanner at this position of the plan</Tick>
        )
      }
    >
      <Effect state={state} />
    </SettingsPanel>
  );
}

/** The effect of the last change in words, if it was one of the open scanner. */
function Effect({ state: { comparison, changedLink } }: { state: LiveState }) {
  const result = comparison.result.value;
  if (result.kind === 'none' || changedLink.value !== openScanner.value) return null;
  if (result.kind === 'waiting') return <p>Waiting for a scan after the change …</p>;
  if (result.kind === 'silent') return <p class="soft">No scan to compare with.</p>;
  return (
    <p>
      <strong>{changeWords(result.change)}</strong>
      {result.hasMoved && ' The scanner has moved on the plan.'}
    </p>
  );
}

/** Colours of the scans before and after a change. */
export function ComparisonLegend() {
  return (
    <span class="compared">
      <span class="compared-colour before">before</span>
      <span class="compared-colour">after</span>
    </span>
  );
}
