import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { PlanPoint } from '../plan/plan.js';
import { background } from './background.js';
import { readPicture } from './picture-file.js';
import { type Placing, type PlacingMember, placedWith, scaledBy } from './placing.js';
import '../style/background.css';

interface Properties {
  /** The points that were pressed on the plan since `pick`; undefined if none are picked. */
  readonly points: readonly PlanPoint[] | undefined;
  /** Begins to pick two points on the plan, or ends it. */
  readonly pick: (begins: boolean) => void;
  /** Width of the view in m. */
  readonly viewWidth: () => number;
  readonly close: () => void;
}

/** Chooses the picture below the plan, and places it. */
export function BackgroundPanel({ points, pick, viewWidth, close }: Properties) {
  const shown = background.shown.value;
  const failure = background.failure.value;
  return (
    <section class="panel background-panel" aria-label="Background">
      <header class="row between">
        <h2>Background</h2>
        <button type="button" class="plain" onClick={close} aria-label="Close the background">
          ✕
        </button>
      </header>
      <p class="small soft">
        A floor plan as PNG or JPEG, or a map of ROS: its .yaml file together with its picture. It stays in
        this browser.
      </p>
      <div class="row">
        <label class="button file-choice">
          {shown === undefined ? 'Choose a picture …' : 'Another picture …'}
          <input
            type="file"
            class="hidden-text"
            multiple
            accept=".png,.jpg,.jpeg,.pgm,.yaml,.yml"
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              currentTarget.value = '';
              if (files.length > 0) void background.choose(() => readPicture(files), viewWidth());
            }}
          />
        </label>
        {shown !== undefined && (
          <button type="button" onClick={() => background.remove()}>
            Remove
          </button>
        )}
      </div>
      <p class="failure" role="alert">
        {failure}
      </p>
      {shown !== undefined && (
        <>
          <p class="small soft file-name">{shown.name}</p>
          <Numbers placing={shown.placing} pixels={shown.image.width} />
          <TwoPoints placing={shown.placing} points={points} pick={pick} />
        </>
      )}
    </section>
  );
}

function Numbers({ placing, pixels }: { placing: Placing; pixels: number }) {
  const { scale } = placing;
  return (
    <>
      <PlacingNumber placing={placing} member="scale" label="Scale" unit="m/pixel" step="any" />
      <p class="small soft">The picture is {(pixels * scale).toFixed(2)} m wide.</p>
      <PlacingNumber placing={placing} member="x" label="Middle, ahead" unit="m" step="0.1" />
      <PlacingNumber placing={placing} member="y" label="Middle, to the left" unit="m" step="0.1" />
      <PlacingNumber placing={placing} member="turn" label="Turn" unit="°" step="0.5" />
      <label class="placing-number">
        Opacity
        <input
          type="range"
          min={0.05}
          max={1}
          step={0.05}
          value={placing.opacity}
          onInput={({ currentTarget }) =>
            background.place({ ...placing, opacity: currentTarget.valueAsNumber })
          }
        />
      </label>
    </>
  );
}

function PlacingNumber({
  placing,
  member,
  label,
  unit,
  step,
}: {
  placing: Placing;
  member: PlacingMember;
  label: string;
  unit: string;
  step: string;
}) {
  const typed = useSignal<string | undefined>(undefined);
  const id = useId();
  const value = typed.value ?? String(Number(placing[member].toPrecision(5)));
  const isRight =
    typed.value === undefined || placedWith(placing, member, Number(value || 'NaN')) !== undefined;
  return (
    <div class="placing-number">
      <label htmlFor={id}>{label}</label>
      <span>
        <input
          id={id}
          type="number"
          step={step}
          value={value}
          aria-invalid={!isRight}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            const placed = placedWith(placing, member, currentTarget.valueAsNumber);
            if (placed !== undefined) background.place(placed);
          }}
          onBlur={() => {
            typed.value = undefined;
          }}
        />
        <span class="unit">{unit}</span>
      </span>
    </div>
  );
}

/** Sets the scale by two points of the plan whose distance is known. */
function TwoPoints({ placing, points, pick }: { placing: Placing } & Pick<Properties, 'points' | 'pick'>) {
  const typed = useSignal('');
  if (points === undefined) {
    return (
      <div class="row">
        <button type="button" onClick={() => pick(true)}>
          Scale by two points …
        </button>
      </div>
    );
  }
  const [from, to] = points;
  if (from === undefined || to === undefined) {
    return (
      <p role="status">
        Press the {from === undefined ? 'first' : 'second'} point of a known distance, for example the ends of
        a wall.{' '}
        <button type="button" onClick={() => pick(false)}>
          Cancel
        </button>
      </p>
    );
  }
  const scaled = scaledBy(placing, from, to, Number(typed.value.replace(',', '.') || 'NaN'));
  const isWrong = typed.value !== '' && scaled === undefined;
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (scaled === undefined) return;
        background.place(scaled);
        pick(false);
      }}
    >
      <label class="row">
        Their distance
        <input
          class="scale-value"
          inputMode="decimal"
          aria-invalid={isWrong}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <span class="unit">m</span>
      </label>
      <button type="submit" class="main" disabled={scaled === undefined}>
        Set the scale
      </button>
      <button type="button" onClick={() => pick(false)}>
        Cancel
      </button>
      {isWrong && <span class="soft small">Expected metres above 0, and two points apart.</span>}
    </form>
  );
}
