import {
  countOfSources,
  isObject,
  noOutputSource,
  type OutputSourceKind,
  outputSourceCode,
  outputSourceOf,
  outputSources,
} from '@azimuth/model';
import type { PartProperties } from './part-control.js';
import { valueAt, withValue } from './parts-of-value.js';
import { type FieldNames, type Port, sourceWords } from './port-words.js';

type Source = Port['OutputSettings']['Sources'][number];

const kinds = Object.entries(outputSources).map(([kind, { name }]) => [kind, name] as const);

/** What an output follows. */
export function SourceList({
  index,
  port,
  change,
  readOnly,
  fields,
}: PartProperties & { fields: FieldNames }) {
  const sources = sourcesOf(port);
  const set = (changed: readonly Source[]) => change(withValue(port, path, changed));
  const replace = (place: number, source: Source) =>
    set(sources.map((old, other) => (other === place ? source : old)));
  const added = { ...emptySource, Name: outputSourceCode({ kind: 'SC', number: index + 1 }) };
  return (
    <div class="member">
      <span class="member-name">Follows</span>
      <fieldset class="items" aria-label="Follows">
        {sources.length === 0 && <span class="soft">nothing</span>}
        {sources.map((source, place) => (
          <div class="row" key={String(place)}>
            {readOnly ? (
              <span>{sourceWords(source, fields)}</span>
            ) : (
              <>
                <Choice
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

function Choice({
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
  return (
    <>
      <select
        aria-label={`Source ${number}`}
        value={known?.kind ?? source.Name}
        onChange={({ currentTarget }) => {
          const kind = kindOf(currentTarget.value);
          if (kind === undefined) return;
          const first = countOfSources(kind) === undefined ? 0 : 1;
          replace({ ...source, Name: outputSourceCode({ kind, number: first }) });
        }}
      >
        {known === undefined && <option value={source.Name}>none</option>}
        {kinds.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      {known !== undefined && count !== undefined && (
        <select
          aria-label={`Number of source ${number}`}
          value={String(known.number)}
          onChange={({ currentTarget }) =>
            replace({
              ...source,
              Name: outputSourceCode({ kind: known.kind, number: Number(currentTarget.value) }),
            })
          }
        >
          {Array.from({ length: count }, (_, place) => place + 1).map((one) => (
            <option key={one} value={String(one)}>
              {one} {known.kind === 'FE' ? (fields.get(one) ?? '') : ''}
            </option>
          ))}
        </select>
      )}
      <label class="switch">
        <input
          type="checkbox"
          checked={source.Invert}
          onChange={({ currentTarget }) => replace({ ...source, Invert: currentTarget.checked })}
        />
        inverted
      </label>
    </>
  );
}

function kindOf(word: string): OutputSourceKind | undefined {
  return outputSourceOf(word)?.kind ?? outputSourceOf(`${word}01`)?.kind;
}
