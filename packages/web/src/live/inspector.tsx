import { BeamPanel } from './beam-panel.js';
import { DataRoutePanel } from './data-route-panel.js';
import { FieldsPanel } from './fields-panel.js';
import type { LiveState } from './live-state.js';

/** What is chosen, and where the data goes: at the right of the view, on phones below it. */
export function Inspector({ state }: { state: LiveState }) {
  return (
    <aside class="inspector" aria-label="Inspector">
      <BeamPanel state={state} />
      {state.sources.map((source) => (
        <FieldsPanel key={source.link.url} source={source} isNamed={state.sources.length > 1} />
      ))}
      {state.sources.map((source) => (
        <DataRoutePanel key={source.link.url} source={source} state={state} />
      ))}
    </aside>
  );
}
