import { inputsAndOutputs, noOutputSource, PortType, SourceCombination } from '@azimuth/model';
import { NeedsLevel } from '../../connection/acts.js';
import { levelToWrite } from '../../connection/declarations.js';
import { shapeAt } from '../../forms/value-text.js';
import { Choice, type Option, Tick } from '../../parts/inputs.js';
import { linkTo } from '../../parts/route.js';
import { capitalised } from '../../parts/texts.js';
import { fieldNamesIn, portWords, sourceWords } from '../../ports/port-words.js';
import type { FieldEditor } from '../field-editor.js';
import { InspectorPanel, SettingControl } from '../setting-control.js';
import {
  evaluationsIn,
  fieldsIn,
  isInverted,
  keyOf,
  sourceOf,
  type Wire,
  wiresIn,
  withInverted,
  withOutput,
} from '../wires.js';
import { judged } from '../wiring-rules.js';
import { wirePenOf } from './wire-pen.js';

const { PortConfiguration } = inputsAndOutputs.members;
const combination = shapeAt(PortConfiguration.type.shape, ['OutputSettings', 'Combination']);

/** The line that is selected: where it leads, whether it is inverted, and its removal. */
export function WireInspector({ editor, wire }: { editor: FieldEditor; wire: Wire }) {
  const wired = editor.wired.value;
  const pen = wirePenOf(editor);
  if (wired === undefined || !wiresIn(wired).some((one) => keyOf(one) === keyOf(wire))) {
    return (
      <InspectorPanel editor={editor} label="Line" title="Line">
        <p class="small soft">This line is not there any more.</p>
      </InspectorPanel>
    );
  }
  const names = fieldNamesIn(wired.definitions);
  const isOutput = wire.kind === 'output';
  const title = isOutput
    ? `Evaluation ${wire.from} to port ${wire.to}`
    : `Field ${wire.from} to evaluation ${wire.to}`;
  const inverted = isInverted(wired, wire);
  const evaluations = evaluationsIn(wired).map(({ id, evaluation }) => [id, evaluation?.Name ?? ''] as const);
  const starts = isOutput ? evaluations : fieldsIn(wired).map(({ id, name }) => [id, name] as const);
  const ends = isOutput
    ? (wired.ports ?? []).map(({ Name }, index) => [index + 1, Name] as const)
    : evaluations;
  const option = (id: number, name: string, other: Wire): Option<number> => {
    const isAllowed = keyOf(other) === keyOf(wire) || judged(wired, other, pen.limits).refusal === undefined;
    return [id, `${id} ${name}`.trim(), !isAllowed];
  };
  return (
    <InspectorPanel editor={editor} label="Line" title={title}>
      <p>
        {isOutput
          ? `Port ${wire.to} follows it: ${sourceWords(sourceOf(wire, inverted), names)}.`
          : `Evaluation ${wire.to} watches this field.`}
      </p>
      <div class="stack">
        <Choice
          words={isOutput ? 'Evaluation' : 'Field'}
          value={wire.from}
          options={starts.map(([from, name]) => option(from, name, { ...wire, from }))}
          choose={(from) => pen.move(wire, { ...wire, from })}
        />
        <Choice
          words={isOutput ? 'Output' : 'Evaluation'}
          value={wire.to}
          options={ends.map(([to, name]) => option(to, name, { ...wire, to }))}
          choose={(to) => pen.move(wire, { ...wire, to })}
        />
        {isOutput && (
          <Tick
            checked={inverted}
            change={(Invert) => editor.rewire((now) => withInverted(now, wire, Invert))}
          >
            Inverted: active while the field is free
          </Tick>
        )}
      </div>
      <div class="row">
        <button type="button" class="danger" onClick={() => pen.remove(wire)}>
          Remove the line
        </button>
        {isOutput && <NeedsLevel level={levelToWrite(PortConfiguration)} />}
      </div>
    </InspectorPanel>
  );
}

/** The sources of an output, and how they are combined. */
export function PortInspector({ editor, number }: { editor: FieldEditor; number: number }) {
  const wired = editor.wired.value;
  const port = wired?.ports?.[number - 1];
  if (wired === undefined || port === undefined) return <p class="empty">Reading the ports …</p>;
  const names = fieldNamesIn(wired.definitions);
  const { Sources, Combination } = port.OutputSettings;
  const isOutput = port.PortType === PortType.OUTPUT;
  return (
    <InspectorPanel editor={editor} label={`Port ${number}`} title={`Port ${number} ${port.Name}`}>
      <p>{portWords(port, names)}</p>
      {isOutput && (
        <ul class="stacked port-sources" aria-label="Follows">
          {Sources.map((source, place) =>
            source.Name === noOutputSource ? null : (
              <li class="row between" key={String(place)}>
                <span>{capitalised(sourceWords(source, names))}</span>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove: ${sourceWords(source, names)}`}
                  title="Remove"
                  onClick={() =>
                    editor.rewire((now) =>
                      withOutput(now, number, (output) => ({
                        Sources: output.Sources.filter((_, other) => other !== place),
                      })),
                    )
                  }
                >
                  ×
                </button>
              </li>
            ),
          )}
        </ul>
      )}
      {isOutput && Sources.length > 1 && (
        <SettingControl
          name="Combination"
          shape={combination}
          value={Combination}
          apply={(value) => {
            const chosen = Object.values(SourceCombination).find((one) => one === value);
            if (chosen === undefined) return;
            editor.rewire((now) => withOutput(now, number, () => ({ Combination: chosen })));
          }}
        />
      )}
      <div class="row">
        <a class="button" href={linkTo('ports', String(number))}>
          All settings of the port
        </a>
        <NeedsLevel level={levelToWrite(PortConfiguration)} />
      </div>
    </InspectorPanel>
  );
}
