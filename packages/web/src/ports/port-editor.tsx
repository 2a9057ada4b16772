import {
  countOfSources,
  inputsAndOutputs,
  isObject,
  noOutputSource,
  OutputRestart,
  type OutputSourceKind,
  outputSourceCode,
  outputSourceOf,
  outputSources,
  PortType,
  sameJson,
} from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall, levelToWrite } from '../connection/declarations.js';
import { DraftButtons, draftForm, useValueDraft } from '../forms/value-draft.js';
import { valueAt, withValue } from '../forms/value-path.js';
import { Choice, Tick } from '../parts/inputs.js';
import { PartControl, type PartProperties } from './part-control.js';
import { type FieldNames, type Port, portWords, sourceWords } from './port-words.js';

const { PortConfiguration, SetOutput } = inputsAndOutputs.members;
const level = levelToWrite(PortConfiguration);

interface Properties {
  readonly index: number;
  /** The settings of all ports. */
  readonly ports: readonly Port[];
  readonly fields: FieldNames;
}

export function PortEditor({ index, ports, fields }: Properties) {
  const link = scanner();
  const working = ports[index];
  const draft = useValueDraft(link, PortConfiguration, level, working);
  const { edited, refusal } = draft;
  const port = edited === undefined ? working : edited.value;
  const part: PartProperties = {
    index,
    port,
    readOnly: !link.login.mayAs(level),
    refusal,
    change: (changed) => (sameJson(changed, working) ? draft.cancel() : draft.edit(changed)),
  };
  return (
    <form
      class="panel port-editor"
      aria-label={`Settings of port ${index + 1}`}
      {...draftForm(draft, () => ports.map((one, place) => (place === index ? port : one)))}
    >
      <h2>Port {index + 1}</h2>
      {working !== undefined && <p>{portWords(working, fields)}</p>}
      <Switch index={index} port={working} />
      <PartControl {...part} path={['PortType']} label="Use" />
      <PartControl {...part} path={['Name']} />
      <OfType {...part} fields={fields} />
      {refusal !== undefined && (
        <p class="refusal" role="alert">
          {refusal.reason}
        </p>
      )}
      <div class="row">
        <NeedsLevel level={level} />
        {edited !== undefined && <DraftButtons draft={draft} />}
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
  const set = (value: number) => () => link.call(SetOutput.name, { Output: index + 1, Value: value });
  return (
    <div class="row">
      <Act level={levelToCall(SetOutput)} busy={busy} act={set(1)}>
        Switch on
      </Act>
      <Act level={levelToCall(SetOutput)} busy={busy} act={set(0)}>
        Switch off
      </Act>
      <NeedsLevel level={levelToCall(SetOutput)} />
    </div>
  );
}

type Source = Port['OutputSettings']['Sources'][number];

const kinds = Object.entries(outputSources).map(([kind, { name }]) => [kind, name] as const);

/** Choice of the source that an output follows. */
function SourceList({ index, port, change, readOnly, fields }: PartProperties & { fields: FieldNames }) {
  const sources = sourcesOf(port);
  const set = (changed: readonly Source[]) => change(withValue(port, path, changed));
  const replace = (place: number, source: Source) =>
    set(sources.map((old, other) => (other === place ? source : old)));
  const added = { ...emptySource, Name: outputSourceCode({ kind: 'SC', number: index + 1 }) };
  return (
    <div class="member">
      <span class="member-name">Follows</span>
      <fieldset class="spaced" aria-label="Follows">
        {sources.length === 0 && <span class="soft">nothing</span>}
        {sources.map((source, place) => (
          <div class="row" key={String(place)}>
            {readOnly ? (
              <span>{sourceWords(source, fields)}</span>
            ) : (
              <>
                <SourceChoice
                  source={source}
                  number={place + 1}
                  fields={fields}
                  replace={(other) => replace(place, other)}
                />
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove source ${place + 1}`}
                  title="Remove"
                  onClick={() => set(sources.filter((_, other) => other !== place))}
                >
                  ×
                </button>
              </>
            )}
          </div>
        ))}
        {!readOnly && (
          <div>
            <button type="button" onClick={() => set([...sources, added])}>
              Add a source
            </button>
          </div>
        )}
      </fieldset>
    </div>
  );
}

const path = ['OutputSettings', 'Sources'];

function sourcesOf(port: unknown): readonly Source[] {
  const sources = valueAt(port, path);
  if (!Array.isArray(sources)) return [];
  return sources.filter(isObject).map(({ Name, Invert }) => ({
    ...emptySource,
    Name: String(Name),
    Invert: Invert === true,
  }));
}

const emptySource: Source = { Name: noOutputSource, Invert: false, Reserved5: 0, Reserved6: 0 };

function SourceChoice({
  source,
  number,
  fields,
  replace,
}: {
  source: Source;
  number: number;
  fields: FieldNames;
  replace: (source: Source) => void;
}) {
  const known = outputSourceOf(source.Name);
  const count = known === undefined ? undefined : countOfSources(known.kind);
  const named = (kind: OutputSourceKind, one: number) =>
    replace({ ...source, Name: outputSourceCode({ kind, number: one }) });
  return (
    <>
      <Choice
        label={`Source ${number}`}
        value={known?.kind ?? source.Name}
        options={[...(known === undefined ? [[source.Name, 'none'] as const] : []), ...kinds]}
        choose={(word) => {
          const kind = kindOf(word);
          if (kind !== undefined) named(kind, countOfSources(kind) === undefined ? 0 : 1);
        }}
      />
      {known !== undefined && count !== undefined && (
        <Choice
          label={`Number of source ${number}`}
          value={known.number}
          options={Array.from({ length: count }, (_, place) => [
            place + 1,
            `${place + 1} ${known.kind === 'FE' ? (fields.get(place + 1) ?? '') : ''}`,
          ])}
          choose={(one) => named(known.kind, one)}
        />
      )}
      <Tick kind="switch" checked={source.Invert} change={(Invert) => replace({ ...source, Invert })}>
        inverted
      </Tick>
    </>
  );
}

function kindOf(word: string): OutputSourceKind | undefined {
  return outputSourceOf(word)?.kind ?? outputSourceOf(`${word}01`)?.kind;
}
