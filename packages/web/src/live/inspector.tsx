import type { ComponentChildren } from 'preact';
import { setting } from '../parts/inputs.js';
import { Facts, Panel, Quantity, Table } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { type Area, areasOf, fieldText, isInfringed, isWatched, stateWord } from '../plan/field-areas.js';
import type { PlanPoint } from '../plan/plan.js';
import { angleText, beamAt, signedMetres } from './beam-reading.js';
import { DataRoutePanel } from './data-route-panel.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

/** @param children stand in place of fields and data; a chosen beam stays above them */
export function Inspector({ state, children }: { state: LiveState; children: ComponentChildren }) {
  if (children) {
    const isMeasuring = state.measured.value !== undefined && !state.isPicking.value;
    const hasBeam = state.chosen.value !== undefined || isMeasuring;
    return (
      <aside class="inspector" aria-label="Inspector">
        {hasBeam && <BeamPanel state={state} />}
        {children}
      </aside>
    );
  }
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

function BeamPanel({ state }: { state: LiveState }) {
  void state.seconds.value;
  const measured = state.measured.value;
  if (measured !== undefined) return <MeasuredPanel state={state} measured={measured} />;
  const chosen = state.chosen.value;
  const sight = chosen === undefined ? undefined : state.inSight(chosen);
  if (chosen === undefined || sight === undefined) {
    return (
      <Panel title="Beam">
        <p class="soft">
          No beam is chosen. Press a point on the plan to see its angle, its distance and all its echoes.
        </p>
        <div class="row">
          <button type="button" onClick={() => chooseBeamAhead(state)}>
            Beam straight ahead
          </button>
        </div>
      </Panel>
    );
  }
  const { beam, azimuth, echoes } = sight.reading;
  const beams = chosen.source.scanAt(state.shownAt.value)?.beams ?? 0;
  const drop = setting(state.chosen, undefined);
  return (
    <section class="panel sheet">
      <div class="row between">
        <h2>Beam {beam}</h2>
        <button type="button" class="plain" onClick={drop} aria-label="Drop the beam">
          ✕
        </button>
      </div>
      <Facts
        of={[
          ['Scanner', state.sources.length > 1 && chosen.source.link.title.value],
          ['Angle', <Quantity value={angleText(azimuth)} unit={`° ${sideOf(azimuth)}`} />],
        ]}
      />
      <BeamSlider state={state} beam={beam} beams={beams} azimuth={azimuth} />
      {echoes.length === 0 ? (
        <p class="soft">No echo came back along this beam.</p>
      ) : (
        <Table
          rows={echoes}
          keyOf={({ echo }) => echo}
          rowOf={({ echo }) => ({ 'aria-current': echo === chosen.echo ? 'true' : undefined })}
          columns={[
            ['Echo', ({ echo }) => echo, 'number'],
            ['Distance', ({ distance }) => <Quantity value={distance.toFixed(3)} unit="m" />, 'number'],
            ['RSSI', ({ rssi }) => rssi ?? '–', 'number'],
            [
              'Mark',
              ({ isReflector, isBlooming }) =>
                [isReflector && 'reflector', isBlooming && 'blooming'].filter(Boolean).join(', '),
            ],
          ]}
        />
      )}
    </section>
  );
}

function sideOf(azimuth: number): string {
  return azimuth > 0 ? 'to the left' : azimuth < 0 ? 'to the right' : 'ahead';
}

/** Moves from beam to beam. Its left end is the leftmost beam, as on the plan. */
function BeamSlider({
  state,
  beam,
  beams,
  azimuth,
}: {
  state: LiveState;
  beam: number;
  beams: number;
  azimuth: number;
}) {
  return (
    <div class="row beam-slider">
      <button
        type="button"
        aria-label="Beam to the left"
        title="Beam to the left: ← on the plan, with Shift by ten"
        disabled={beam >= beams - 1}
        onClick={() => stepBeam(state, 1)}
      >
        ‹
      </button>
      <input
        type="range"
        dir="rtl"
        aria-label="Beam"
        aria-valuetext={`${angleText(azimuth)} degrees ${sideOf(azimuth)}`}
        min={0}
        max={beams - 1}
        value={beam}
        onInput={({ currentTarget }) => chooseBeam(state, currentTarget.valueAsNumber)}
      />
      <button
        type="button"
        aria-label="Beam to the right"
        title="Beam to the right: → on the plan, with Shift by ten"
        disabled={beam <= 0}
        onClick={() => stepBeam(state, -1)}
      >
        ›
      </button>
    </div>
  );
}

function MeasuredPanel({
  state,
  measured: [from, to],
}: {
  state: LiveState;
  measured: readonly PlanPoint[];
}) {
  return (
    <Panel title="Distance" kind="sheet">
      {from === undefined && <p class="soft">Press the first point. Near an echo it takes the echo.</p>}
      {from !== undefined && to === undefined && <p class="soft">Press the second point.</p>}
      {from !== undefined && to !== undefined && (
        <Facts
          of={[
            [
              'Distance',
              <>
                <strong>{Math.hypot(to.x - from.x, to.y - from.y).toFixed(3)}</strong>
                <span class="unit">m</span>
              </>,
            ],
            ['Ahead', <Quantity value={signedMetres(to.x - from.x)} unit="m" />],
            ['To the left', <Quantity value={signedMetres(to.y - from.y)} unit="m" />],
          ]}
        />
      )}
      <div class="row">
        <button type="button" onClick={() => state.toggleMeasuring()}>
          Done
        </button>
      </div>
    </Panel>
  );
}

/** Chooses another beam of the scan in sight; beams are numbered from the right to the left. @param beam is put into range */
function chooseBeam(state: LiveState, beam: number): void {
  const source = state.chosen.peek()?.source ?? state.sources[0];
  const scan = source?.scanAt(state.shownAt.peek());
  if (source === undefined || scan === undefined) return;
  const place = Math.max(0, Math.min(scan.beams - 1, beam));
  const azimuth = scan.directions.azimuth[place];
  if (azimuth !== undefined) state.chosen.value = { source, azimuth, echo: state.chosen.peek()?.echo ?? 1 };
}

/** Chooses a beam beside the chosen one. @param by beams to the left. @returns true if a beam was chosen */
export function stepBeam(state: LiveState, by: number): boolean {
  const chosen = state.chosen.peek();
  const scan = chosen?.source.scanAt(state.shownAt.peek());
  if (chosen === undefined || scan === undefined) return false;
  chooseBeam(state, beamAt(scan, chosen.azimuth) + by);
  return true;
}

/** Chooses the beam straight ahead. */
function chooseBeamAhead(state: LiveState): void {
  const scan = state.sources[0]?.scanAt(state.shownAt.peek());
  if (scan !== undefined) chooseBeam(state, beamAt(scan, 0));
}

/** The fields of a scanner with their states in words; infringed ones first. Nothing for a scanner without fields. */
function FieldsPanel({ source: { link }, isNamed }: { source: ScanSource; isNamed: boolean }) {
  const areas = areasOf(link);
  if (areas.length === 0) return null;
  const rank = (area: Area) => (isInfringed(area.state) ? 0 : isWatched(area) ? 1 : 2);
  const sorted = areas.toSorted((one, other) => rank(one) - rank(other));
  return (
    <Panel title="Fields" label="Fields">
      {isNamed && <p class="soft">{link.title.value}</p>}
      <ul class="field-states">
        {sorted.map(({ id, name, state }) => {
          const { severity, word } = stateWord(state);
          return (
            <li key={id}>
              <span class="name">{fieldText(id, name)}</span>
              <StateMark severity={severity}>{word}</StateMark>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
