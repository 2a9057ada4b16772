import { inputsAndOutputs, OutputRestart, outputSourceCode, PortType, sameJson } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall, levelToWrite } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import type { Refusal } from '../forms/refusal.js';
import { writeChecked } from '../forms/write-checked.js';
import { PartControl, type PartProperties } from './part-control.js';
import { valueAt } from './parts-of-value.js';
import { type FieldNames, type Port, portWords } from './port-words.js';
import { SourceList } from './source-list.js';

const { PortConfiguration, SetOutput } = inputsAndOutputs.members;
const level = levelToWrite(PortConfiguration);

interface Properties {
  readonly index: number;
  /** The settings of all ports. */
  readonly ports: readonly Port[];
  readonly fields: FieldNames;
}

/** The settings of one port. */
export function PortEditor({ index, ports, fields }: Properties) {
  const link = scanner();
  const draft = useSignal<unknown>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const working = ports[index];
  const port = draft.value ?? working;
  const mayWrite = link.login.mayAs(level);
  const whole = () => ports.map((one, place) => (place === index ? port : one));
  const cancel = () => {
    draft.value = undefined;
    refusal.value = undefined;
  };
  const write = async (event: Event) => {
    event.preventDefault();
    if (await writeChecked(link, PortConfiguration, whole(), level, { busy, refusal })) cancel();
  };
  const part: PartProperties = {
    index,
    port,
    readOnly: !mayWrite,
    refusal: refusal.value,
    change: (changed) => {
      draft.value = sameJson(changed, working) ? undefined : changed;
      refusal.value = undefined;
    },
  };
  return (
    <form
      class="panel port-editor"
      aria-label={`Settings of port ${index + 1}`}
      onSubmit={write}
      onKeyDown={(event) => {
        if (event.key === 'Escape') cancel();
      }}
    >
      <h2>Port {index + 1}</h2>
      {working !== undefined && <p>{portWords(working, fields)}</p>}
      <Switch index={index} port={working} />
      <PartControl {...part} path={['PortType']} label="Use" />
      <PartControl {...part} path={['Name']} />
      <OfType {...part} fields={fields} />
      {refusal.value !== undefined && (
        <p class="refusal" role="alert">
          {refusal.value.reason}
        </p>
      )}
      <div class="row">
        <NeedsLevel level={level} />
        {draft.value !== undefined && (
          <>
            <button type="submit" class="main" disabled={busy.value}>
              Write
            </button>
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          </>
        )}
      </div>
    </form>
  );
}

/** The settings that count for the use that is chosen. */
function OfType({ fields, ...part }: PartProperties & { fields: FieldNames }) {
  const type = valueAt(part.port, ['PortType']);
  if (type === PortType.INPUT) {
    return (
      <>
        <PartControl {...part} path={['InputSettings', 'Logic']} label="Active while" />
        <PartControl {...part} path={['InputSettings', 'Debounce']} />
        <PartControl
          {...part}
          path={['InputSettings', 'Sensitivity']}
          hint="Edge: a signal that was there before does not count."
        />
      </>
    );
  }
  if (type === PortType.ENCODER) {
    return (
      <>
        <PartControl {...part} path={['EncoderPortType']} label="Connected to" />
        <PartControl {...part} path={['InputSettings', 'Logic']} />
      </>
    );
  }
  const restart = valueAt(part.port, ['OutputSettings', 'RestartType']);
  const sources = valueAt(part.port, ['OutputSettings', 'Sources']);
  return (
    <>
      <SourceList {...part} fields={fields} />
      {Array.isArray(sources) && sources.length > 1 && (
        <PartControl {...part} path={['OutputSettings', 'Combination']} />
      )}
      <PartControl {...part} path={['OutputSettings', 'RestartType']} label="Becomes inactive" />
      {restart === OutputRestart.RESTART_TIME && (
        <PartControl {...part} path={['OutputSettings', 'RestartTime']} />
      )}
      {restart === OutputRestart.RESTART_INPUT && (
        <PartControl {...part} path={['OutputSettings', 'RestartInput']} />
      )}
      <PartControl {...part} path={['OutputSettings', 'OutputMode']} label="Driver" />
      <PartControl {...part} path={['OutputSettings', 'Logic']} hint="Low: the other way round." />
    </>
  );
}

/** Switches an output that follows SetOutput. */
function Switch({ index, port }: { index: number; port: Port | undefined }) {
  const link = scanner();
  const busy = useSignal(false);
  const code = outputSourceCode({ kind: 'SC', number: index + 1 });
  const isSwitched =
    port?.PortType === PortType.OUTPUT && port.OutputSettings.Sources.some(({ Name }) => Name === code);
  if (!isSwitched) return null;
  const set = (value: number) =>
    attempt(busy, levelToCall(SetOutput), () =>
      link.call(SetOutput.name, { Output: index + 1, Value: value }),
    );
  return (
    <div class="row">
      <button type="button" disabled={busy.value} onClick={() => set(1)}>
        Switch on
      </button>
      <button type="button" disabled={busy.value} onClick={() => set(0)}>
        Switch off
      </button>
      <NeedsLevel level={levelToCall(SetOutput)} />
    </div>
  );
}
