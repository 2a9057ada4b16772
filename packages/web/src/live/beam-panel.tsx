import { chooseBeam, chooseBeamAhead, stepBeam } from './beam-steps.js';
import type { LiveState } from './live-state.js';
import { angleText, signedMetres } from './texts.js';

/** The beam that was chosen, with all its echoes; or what is measured. */
export function BeamPanel({ state }: { state: LiveState }) {
  void state.seconds.value;
  if (state.measuring.value) return <MeasuredPanel state={state} />;
  const chosen = state.chosen.value;
  const sight = chosen === undefined ? undefined : state.inSight(chosen);
  if (chosen === undefined || sight === undefined) {
    return (
      <section class="panel">
        <h2>Beam</h2>
        <p class="soft">
          No beam is chosen. Press a point on the plan to see its angle, its distance and all its echoes.
        </p>
        <div class="row">
          <button type="button" onClick={() => chooseBeamAhead(state)}>
            Beam straight ahead
          </button>
        </div>
      </section>
    );
  }
  const { beam, azimuth, echoes } = sight.reading;
  const beams = chosen.source.scanAt(state.shownAt.value)?.beams ?? 0;
  const drop = () => {
    state.chosen.value = undefined;
  };
  return (
    <section class="panel sheet">
      <div class="row between">
        <h2>Beam {beam}</h2>
        <button type="button" class="plain" onClick={drop} aria-label="Drop the beam">
          ✕
        </button>
      </div>
      <dl class="facts">
        {state.sources.length > 1 && (
          <>
            <dt>Scanner</dt>
            <dd>{chosen.source.link.title.value}</dd>
          </>
        )}
        <dt>Angle</dt>
        <dd>
          {angleText(azimuth)}
          <span class="unit">° {sideOf(azimuth)}</span>
        </dd>
      </dl>
      <BeamSlider state={state} beam={beam} beams={beams} azimuth={azimuth} />
      {echoes.length === 0 ? (
        <p class="soft">No echo came back along this beam.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th class="number">Echo</th>
              <th class="number">Distance</th>
              <th class="number">RSSI</th>
              <th>Mark</th>
            </tr>
          </thead>
          <tbody>
            {echoes.map(({ echo, distance, rssi, isReflector, isBlooming }) => (
              <tr key={echo} aria-current={echo === chosen.echo ? 'true' : undefined}>
                <td class="number">{echo}</td>
                <td class="number">
                  {distance.toFixed(3)}
                  <span class="unit">m</span>
                </td>
                <td class="number">{rssi ?? '–'}</td>
                <td>{[isReflector && 'reflector', isBlooming && 'blooming'].filter(Boolean).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function sideOf(azimuth: number): string {
  return azimuth > 0 ? 'to the left' : azimuth < 0 ? 'to the right' : 'ahead';
}

/** Goes from beam to beam. Its left end is the leftmost beam, as on the plan. */
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
    <div class="beam-slider">
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

function MeasuredPanel({ state }: { state: LiveState }) {
  const [from, to] = state.measured.value;
  return (
    <section class="panel sheet">
      <h2>Distance</h2>
      {from === undefined && <p class="soft">Press the first point. Near an echo it takes the echo.</p>}
      {from !== undefined && to === undefined && <p class="soft">Press the second point.</p>}
      {from !== undefined && to !== undefined && (
        <dl class="facts">
          <dt>Distance</dt>
          <dd>
            <strong>{Math.hypot(to.x - from.x, to.y - from.y).toFixed(3)}</strong>
            <span class="unit">m</span>
          </dd>
          <dt>Ahead</dt>
          <dd>
            {signedMetres(to.x - from.x)}
            <span class="unit">m</span>
          </dd>
          <dt>To the left</dt>
          <dd>
            {signedMetres(to.y - from.y)}
            <span class="unit">m</span>
          </dd>
        </dl>
      )}
      <div class="row">
        <button type="button" onClick={() => state.toggleMeasuring()}>
          Done
        </button>
      </div>
    </section>
  );
}
