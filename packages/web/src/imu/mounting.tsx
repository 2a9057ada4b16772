import { mountingPosition } from '@azimuth/model';
import { useEffect, useMemo } from 'preact/hooks';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToWrite, variableNamed } from '../connection/declarations.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-form.js';
import { PageContent, Panel, Table } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import type { Motion } from './motion.js';
import { MotionChart } from './motion-chart.js';
import { MotionFeed, type MotionState } from './motion-feed.js';
import { type Angles, positionText } from './orientation.js';
import { facesOf } from './scanner-shape.js';
import '../style/mounting.css';

const { SensorPosition } = mountingPosition.members;

const mounting: Labelled = [[SensorPosition, 'Position on the machine']];

export default function Mounting() {
  const link = scanner();
  const edition = link.edition.value;
  const feed = useMemo(() => new MotionFeed(link), [link]);
  useEffect(() => {
    const shown = new AbortController();
    void feed.follow(shown.signal);
    return () => shown.abort();
  }, [feed]);
  const state = feed.state.value;
  return (
    <PageContent title="Mounting">
      <p class="lead">
        How the scanner stands in the room, as its inertial measurement unit (IMU) measures it, and how its
        settings say that it is mounted.
      </p>
      {state.kind === 'known' ? <Measured feed={feed} state={state} /> : <NoMotion state={state} />}
      <ParameterGroup title="Mounting" variables={mounting} edition={edition}>
        {state.kind === 'known' && <TakeAngles angles={state.motion.angles} />}
      </ParameterGroup>
    </PageContent>
  );
}

function NoMotion({ state }: { state: Exclude<MotionState, { kind: 'known' }> }) {
  if (state.kind === 'waiting') return <p class="empty">Reading the IMU …</p>;
  return (
    <p class="notice warn" role="status">
      {state.kind === 'failed'
        ? `The IMU was not read: ${state.reason}`
        : 'The scanner shows no values of its IMU here. Programs can get them as IMU data.'}
      <a href={linkTo('data-output')}>Data output</a>
    </p>
  );
}

function Measured({ feed, state }: { feed: MotionFeed; state: Extract<MotionState, { kind: 'known' }> }) {
  const { motion, isStill } = state;
  const { kind } = scanner().state.value;
  return (
    <>
      {isStill && kind !== 'unreachable' && (
        <p class="notice warn" role="status">
          No new values come from the IMU. These are the last ones.
        </p>
      )}
      <Panel title="Now" label="Now">
        <div class="motion-now">
          <Picture motion={motion} />
          <div class="stack">
            <AngleFigures angles={motion.angles} />
            <Axes motion={motion} />
            {kind === 'polling' && (
              <p class="small soft">This scanner does not announce its motion. It is read twice a second.</p>
            )}
          </div>
        </div>
      </Panel>
      <div class="panels broad">
        <Panel title="Angles" label="Angles">
          <MotionChart
            label="Yaw, pitch and roll"
            unit="°"
            names={['Yaw', 'Pitch', 'Roll']}
            columns={feed.curves.angles}
            leastSpan={10}
          />
        </Panel>
        <Panel title="Acceleration" label="Acceleration">
          <MotionChart
            label="Acceleration along x, y and z"
            unit="m/s²"
            names={['x', 'y', 'z']}
            columns={feed.curves.acceleration}
            leastSpan={4}
          />
        </Panel>
      </div>
    </>
  );
}

function Picture({ motion: { orientation, angles } }: { motion: Motion }) {
  return (
    <svg
      class="position"
      viewBox="-104 -86 208 172"
      role="img"
      aria-label={`The scanner from the right and from behind: ${positionText(angles)}`}
    >
      {facesOf(orientation).map(({ part, points }, index) => (
        <polygon key={String(index)} class={part} points={points} />
      ))}
    </svg>
  );
}

function AngleFigures({ angles }: { angles: Angles }) {
  return (
    <dl class="angles">
      {(
        [
          ['Yaw', angles.yaw, 'about z, to the left'],
          ['Pitch', angles.pitch, 'about y, front down'],
          ['Roll', angles.roll, 'about x, left side up'],
        ] as const
      ).map(([name, value, meaning]) => (
        <div key={name}>
          <dt title={meaning}>{name}</dt>
          <dd>
            {signed(value, 1)}
            <span class="unit">°</span>
          </dd>
          <dd class="small soft">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

function Axes({ motion: { acceleration, angularVelocity } }: { motion: Motion }) {
  const rows = (['x, ahead', 'y, left', 'z, up'] as const).map((axis, index) => ({
    axis,
    acceleration: acceleration[index] ?? 0,
    turn: ((angularVelocity[index] ?? 0) * 180) / Math.PI,
  }));
  return (
    <>
      <Table
        rows={rows}
        keyOf={({ axis }) => axis}
        columns={[
          ['Axis', ({ axis }) => axis, 'head'],
          ['Acceleration, m/s²', (row) => signed(row.acceleration, 2), 'number'],
          ['Turning, °/s', ({ turn }) => signed(turn, 1), 'number'],
        ]}
      />
      <p class="small soft">
        At rest, the acceleration is that of gravity: {signed(Math.hypot(...acceleration), 2)} m/s² in all.
      </p>
    </>
  );
}

/** A number with as many digits behind the point as it has there. Zero has no sign. */
function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? Math.abs(value).toFixed(digits) : text.replace('-', '−');
}

const level = levelToWrite(SensorPosition);

/** Writes the pitch and the roll that are measured into the settings. */
function TakeAngles({ angles }: { angles: Angles }) {
  const link = scanner();
  const position = knownValue(link, SensorPosition);
  const variable = variableNamed(SensorPosition.name, link.edition.value);
  if (position === undefined || variable === undefined) return null;
  const units = (degrees: number) => Math.round(degrees * 10) * 1000;
  const measured = { ...position, pitch: units(angles.pitch), roll: units(angles.roll) };
  const line = (name: 'pitch' | 'roll') =>
    `${name}: ${signed(position[name] / 10_000, 1)}° → ${signed(measured[name] / 10_000, 1)}°`;
  const isSame = position.pitch === measured.pitch && position.roll === measured.roll;
  return (
    <p class="row">
      {isSame ? (
        <StateMark severity="good">Pitch and roll are set as they are measured</StateMark>
      ) : (
        <Act
          level={level}
          act={() => link.write(SensorPosition.name, measured)}
          question={() => ({
            title: 'Take pitch and roll as they are measured?',
            text: 'Hold the scanner still, and the machine level. The yaw and the place stay.',
            lines: [line('pitch'), line('roll')],
            act: 'Take',
          })}
        >
          Take pitch and roll as measured …
        </Act>
      )}
      <NeedsLevel level={level} />
    </p>
  );
}
