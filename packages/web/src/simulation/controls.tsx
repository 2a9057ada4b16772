import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { confirmed } from '../parts/dialogs.js';
import { Choice, choosing, Tick } from '../parts/inputs.js';
import { Panel } from '../parts/panels.js';
import type { SimulationOverview } from './control-port-data.js';
import type { SimulationState } from './simulation-state.js';

interface Properties {
  readonly simulation: SimulationState;
  readonly now: SimulationOverview;
}

export function ScenePicker({ simulation, now }: Properties) {
  const scenes = simulation.readyScenes.value;
  const current = scenes.find(({ title }) => title === now.scene);
  return (
    <Panel title="Scene">
      <Choice
        words={<span class="soft small">What stands around the scanner</span>}
        kind="stacked"
        value={current?.name ?? ''}
        options={[
          ...(current === undefined ? [['', now.scene ?? 'none'] as const] : []),
          ...scenes.map(({ name, title }) => [name, title] as const),
        ]}
        choose={(name) => void simulation.choose(name)}
      />
      {current !== undefined && (
        <>
          <p class="soft small">{current.description}</p>
          <div class="row">
            <button type="button" onClick={() => simulation.choose(current.name)}>
              Begin again
            </button>
          </div>
        </>
      )}
    </Panel>
  );
}

export function Temperature({ simulation, now }: Properties) {
  return (
    <Panel title="Temperature inside">
      <p>
        {now.temperature?.toFixed(1) ?? '…'} <span class="unit">°C</span>{' '}
        <span class="soft small">{now.temperatureIsSet ? 'set here' : 'changes by itself'}</span>
      </p>
      <NumberSetting
        label="Set to"
        unit="°C"
        min={-100}
        max={200}
        initial={60}
        set={(celsius) => simulation.command('temperature', { celsius })}
      >
        <button
          type="button"
          disabled={!now.temperatureIsSet}
          onClick={() => simulation.command('temperature', { celsius: null })}
        >
          By itself
        </button>
      </NumberSetting>
    </Panel>
  );
}

/** The share of light that dirt blocks, for all sectors or one. */
export function Contamination({ simulation, now }: Properties) {
  const chosen = useSignal(0);
  const sector = chosen.value;
  const level = sector === 0 ? Math.max(0, ...now.contamination) : (now.contamination[sector - 1] ?? 0);
  const set = (percent: number) =>
    simulation.command('contamination', { level: percent / 100, sector: sector === 0 ? undefined : sector });
  return (
    <Panel title="Dirt on the front screen">
      <Choice
        words={<span class="soft small">Sector</span>}
        kind="stacked"
        {...choosing(chosen)}
        options={[
          [0, 'all sectors'],
          ...now.contamination.map(
            (share, index) => [index + 1, `${index + 1}: ${Math.round(share * 100)} %`] as const,
          ),
        ]}
      />
      <label class="stacked">
        <span class="soft small">Blocks {Math.round(level * 100)} % of the light</span>
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round(level * 100)}
          onChange={({ currentTarget }) => set(Number(currentTarget.value))}
        />
      </label>
    </Panel>
  );
}

/** The signals at the ports, from outside. */
export function Inputs({ simulation, now }: Properties) {
  return (
    <Panel title="Signals at the ports">
      <div class="signals">
        {now.ports.map(({ port, type, driven }) => (
          <Tick key={port} checked={driven} change={(high) => simulation.command('input', { port, high })}>
            <span>
              {port} {driven ? 'high' : 'low'}{' '}
              {type !== 'INPUT' && <span class="soft small">no effect: it is no input</span>}
            </span>
          </Tick>
        ))}
      </div>
      <NumberSetting
        label="Encoder speed"
        unit="mm/s"
        min={-100_000}
        max={100_000}
        initial={now.encoderSpeed ?? 0}
        set={(speed) => simulation.command('encoder', { speed })}
      >
        <button
          type="button"
          disabled={!now.encoderIsSet}
          onClick={() => simulation.command('encoder', { speed: null })}
        >
          By the vehicle
        </button>
      </NumberSetting>
    </Panel>
  );
}

const spans: readonly (readonly [string, number])[] = [
  ['10 s', 10_000],
  ['1 min', 60_000],
  ['1 h', 3_600_000],
  ['1 day', 86_400_000],
];

export function ClockAndPower({ simulation, now }: Properties) {
  const cycle = async () => {
    const question = {
      title: 'Switch the power off and on?',
      text: 'What was not saved is lost. The scanner is back in a few seconds.',
      act: 'Power off and on',
      danger: true,
    };
    if (await confirmed(question)) await simulation.command('power-cycle');
  };
  return (
    <Panel title="Clock and power">
      <p>
        On for <strong>{now.uptime === undefined ? '…' : durationText(now.uptime)}</strong>{' '}
        <span class="soft small">of the scanner's time</span>
      </p>
      <p class="soft small">Let time pass at once. The scanner measures nothing in it.</p>
      <div class="row">
        {spans.map(([text, ms]) => (
          <button key={text} type="button" onClick={() => simulation.command('clock/advance', { ms })}>
            + {text}
          </button>
        ))}
      </div>
      <div class="row">
        <button type="button" class="danger" onClick={cycle}>
          Power off and on …
        </button>
      </div>
    </Panel>
  );
}

interface NumberProperties {
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly initial: number;
  readonly set: (value: number) => Promise<void>;
  readonly children?: JSX.Element;
}

function NumberSetting({ label, unit, min, max, initial, set, children }: NumberProperties) {
  const typed = useSignal(String(initial));
  const value = Number(typed.value);
  const isRight = typed.value.trim() !== '' && value >= min && value <= max;
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) void set(value);
      }}
    >
      <label class="row">
        {label}
        <input
          class="short"
          inputMode="decimal"
          value={typed.value}
          aria-invalid={!isRight}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <span class="unit">{unit}</span>
      </label>
      <button type="submit" disabled={!isRight}>
        Set
      </button>
      {children}
      {!isRight && (
        <span class="soft small">
          from {min} to {max} {unit}
        </span>
      )}
    </form>
  );
}

/** `2 h 5 min`, `12 s`. */
function durationText(seconds: number): string {
  const parts: readonly (readonly [string, number])[] = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', Math.floor(seconds) % 60],
  ];
  const first = parts.findIndex(([, count]) => count > 0);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2);
  return shown.map(([unit, count]) => `${count} ${unit}`).join(' ');
}
