import { counted, FieldState, GroupActivation, PortType } from '@azimuth/model';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { setting, useKeys } from '../../parts/inputs.js';
import { type Severity, StateMark } from '../../parts/states.js';
import { fieldResults, isInfringed, stateWord } from '../../plan/field-areas.js';
import { groupsOf } from '../draft.js';
import { type FieldEditor, isField } from '../field-editor.js';
import { ReadContours } from '../read-contours.js';
import { type Dot, evaluationsIn, fieldsIn, isInverted, keyOf, type Wire, wiresIn } from '../wires.js';
import { dotAt, useWirePointer, WireGutter } from './wire-gutter.js';
import { portStateOf, type WirePen, wirePenOf } from './wire-pen.js';
import '../../style/wiring.css';

/** Height of a row in CSS pixels. The lines are drawn by it. */
const rowHeight = 56;

/** Three columns, field, evaluation and output, with the lines between them. */
export function WiringBoard({ editor }: { editor: FieldEditor }) {
  const pen = wirePenOf(editor);
  const board = useRef<HTMLDivElement>(null);
  const select = (wire: Wire) => {
    pen.cancel();
    editor.selection.value = { kind: 'wire', wire };
  };
  const drawn = useWirePointer(pen, select);
  useKeys((event) => boardKey(event, pen, editor, board.current));
  const wired = editor.wired.value;
  if (wired === undefined) return <p class="empty">Reading the fields …</p>;
  const { definitions, ports } = wired;
  const definable = editor.scanner.definable.value;
  const fields = fieldsIn(wired);
  const evaluations = evaluationsIn(wired);
  const results = fieldResults(editor.link.value('FieldEvaluationResult'));
  const infringed = (id: number) => isInfringed(results.get(id)?.state ?? FieldState.NOT_CONFIGURED);
  const selection = editor.selection.value;
  const selectedWire = selection?.kind === 'wire' ? keyOf(selection.wire) : undefined;
  const unsent = new Set(editor.unsentWires.value.map(keyOf));
  const dot = (at: Dot, of: string) => <DotButton {...{ board, pen, at, of }} />;
  const nameOf = (id: number) => {
    const name = evaluations.find((one) => one.id === id)?.evaluation?.Name ?? '';
    return `${id} ${name}`.trim();
  };
  const lines = (kind: Wire['kind'], from: readonly number[], to: readonly number[]) => (
    <WireGutter
      pen={pen}
      kind={kind}
      label={kind === 'contour' ? 'Lines from fields to evaluations' : 'Lines from evaluations to outputs'}
      height={Math.max(from.length, to.length, 1) * rowHeight}
      lines={wiresIn(wired)
        .filter((wire) => wire.kind === kind)
        .map((wire) => {
          const isActive =
            kind === 'contour' ? infringed(wire.to) : infringed(wire.from) !== isInverted(wired, wire);
          const ends =
            kind === 'contour'
              ? `field ${nameOf(wire.from)} to evaluation ${nameOf(wire.to)}`
              : `evaluation ${nameOf(wire.from)} to port ${wire.to}`;
          const traits = [
            ...(isActive ? ['active'] : []),
            ...(isInverted(wired, wire) && kind === 'output' ? ['inverted'] : []),
            ...(unsent.has(keyOf(wire)) ? ['unsent'] : []),
            ...(selectedWire === keyOf(wire) ? ['selected'] : []),
          ];
          return {
            wire,
            label: [`Line from ${ends}`, ...traits.map((trait) => traitWords[trait])].join(', '),
            traits,
            from: middleOf(from.indexOf(wire.from)),
            to: middleOf(to.indexOf(wire.to)),
          };
        })}
      drawn={drawn(kind, (at) => middleOf((at.end === 'from' ? from : to).indexOf(at.id)))}
      select={select}
    />
  );
  const portNumbers = (ports ?? []).map((_, index) => index + 1);
  const evaluationNumbers = evaluations.map(({ id }) => id);
  return (
    <div class="wiring-page">
      <Told pen={pen} />
      <div class="wiring" ref={board} style={{ '--row': `${rowHeight}px` }}>
        <Column title="Field" empty={fields.length === 0 && <NoFields editor={editor} />}>
          {fields.map(({ id, name, points, users }) => (
            <Node
              key={id}
              isSelected={selection?.kind === 'evaluation' && users.includes(selection.id)}
              isActive={users.some(infringed)}
              select={() => editor.select(id)}
              title={`${id} ${name}`}
              words={counted(points.length, 'corner')}
            >
              {dot({ kind: 'contour', end: 'from', id }, `field ${nameOf(id)}`)}
            </Node>
          ))}
        </Column>
        {lines(
          'contour',
          fields.map(({ id }) => id),
          evaluationNumbers,
        )}
        <Column title="Evaluation" empty={evaluations.length === 0 && 'None yet.'}>
          {evaluations.map(({ id, evaluation }) => {
            const { severity, word } = stateWord(results.get(id)?.state ?? FieldState.NOT_CONFIGURED);
            const state = evaluation !== undefined && !isField(evaluation);
            return (
              <Node
                key={id}
                isSelected={selection?.kind === 'evaluation' && selection.id === id}
                isActive={infringed(id)}
                select={() => editor.select(id)}
                title={nameOf(id)}
                words={
                  state ? (
                    'Perpendicular distance'
                  ) : (
                    <>
                      <StateMark severity={severity}>{word}</StateMark>
                      {definable === 'all' && evaluation !== undefined && (
                        <span class="hidden-on-phone">{whenText(groupsOf(definitions, id))}</span>
                      )}
                    </>
                  )
                }
              >
                {dot({ kind: 'contour', end: 'to', id }, `the field of evaluation ${nameOf(id)}`)}
                {dot({ kind: 'output', end: 'from', id }, `evaluation ${nameOf(id)}`)}
              </Node>
            );
          })}
        </Column>
        {lines('output', evaluationNumbers, portNumbers)}
        <Column title="Output" empty={ports === undefined && 'Reading the ports …'}>
          {(ports ?? []).map((port, index) => {
            const state = portStateOf(editor, index + 1);
            const isActive = state.kind === 'known' && state.active;
            const [severity, word] = portWord(port.PortType, state.kind, isActive);
            return (
              <Node
                key={String(index)}
                isSelected={selection?.kind === 'port' && selection.id === index + 1}
                isActive={port.PortType === PortType.OUTPUT && isActive}
                isOff={port.PortType !== PortType.OUTPUT || state.kind === 'missing'}
                select={setting(editor.selection, { kind: 'port', id: index + 1 })}
                title={`${index + 1} ${port.Name}`}
                words={<StateMark severity={severity}>{word}</StateMark>}
              >
                {dot({ kind: 'output', end: 'to', id: index + 1 }, `port ${index + 1} ${port.Name}`)}
              </Node>
            );
          })}
        </Column>
      </div>
      {definable !== 'all' && <WhatIsNotKnown editor={editor} />}
    </div>
  );
}

const traitWords: Readonly<Record<string, string>> = {
  active: 'active',
  inverted: 'inverted',
  unsent: 'not sent',
  selected: 'selected',
};

function middleOf(row: number): number {
  return (row + 0.5) * rowHeight;
}

function whenText(groups: readonly { readonly Activation: { readonly Type: number } }[]): string {
  if (groups.length === 0) return 'in no group';
  const words = groups.map(({ Activation: { Type } }) => activationWords.get(Type) ?? '');
  return [...new Set(words)].join(', ');
}

const activationWords: ReadonlyMap<number, string> = new Map<number, string>([
  [GroupActivation.DEACTIVATED, 'never active'],
  [GroupActivation.ALWAYS, 'always active'],
  [GroupActivation.INPUTS, 'active by inputs'],
  [GroupActivation.TELEGRAM, 'active by telegram'],
]);

function portWord(type: number, state: string, isActive: boolean): readonly [Severity, string] {
  if (state === 'missing') return ['idle', 'Not at the plug'];
  if (type === PortType.INPUT) return ['idle', 'Input'];
  if (type === PortType.ENCODER) return ['idle', 'Encoder'];
  if (state !== 'known') return ['idle', 'Output'];
  return isActive ? ['good', 'Active'] : ['idle', 'Inactive'];
}

function Told({ pen }: { pen: WirePen }) {
  const told = pen.told.value;
  return (
    <p class={`wiring-told small ${told?.severity ?? ''}`} role="status">
      {told?.text ??
        'Drag from a dot to a dot. Or press a dot, and then the dot where its line ends. A line that is selected goes with Delete.'}
    </p>
  );
}

function Column({
  title,
  empty,
  children,
}: {
  title: string;
  empty: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="wiring-column" aria-label={`${title}s`}>
      <h2>{title}</h2>
      {empty !== false && <div class="small soft">{empty}</div>}
      <ul>{children}</ul>
    </section>
  );
}

function Node({
  isSelected,
  isActive,
  isOff = false,
  select,
  title,
  words,
  children,
}: {
  isSelected: boolean;
  isActive: boolean;
  isOff?: boolean;
  select: () => void;
  title: string;
  words: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <li class={`wiring-node${isActive ? ' active' : ''}${isOff ? ' off' : ''}`}>
      <button type="button" class="body" aria-pressed={isSelected} onClick={select}>
        <span class="name">{title}</span>
        <span class="small soft words">{words}</span>
      </button>
      {children}
    </li>
  );
}

/** A dot at the side of a box. A press begins a line there, or ends the one that is being drawn. */
function DotButton({
  board,
  pen,
  at,
  of,
}: {
  board: { readonly current: HTMLElement | null };
  pen: WirePen;
  at: Dot;
  of: string;
}) {
  const judgement = pen.judge(at);
  const begun = pen.begun.value;
  const isBegin = begun !== undefined && dotKey(begun.from) === dotKey(at);
  const isRefused = judgement?.refusal !== undefined;
  const choose = () => {
    if (judgement !== undefined) {
      if (pen.end(at)) focusDot(board.current, at);
      return;
    }
    if (isBegin) pen.cancel();
    else {
      pen.begin(at);
      focusTarget(board.current, at);
    }
  };
  const name = judgement === undefined ? `Draw a line from ${of}` : `End the line at ${of}`;
  return (
    <button
      type="button"
      class={`dot ${at.end}${isBegin ? ' begin' : ''}${judgement === undefined ? '' : isRefused ? ' refused' : ' target'}`}
      data-dot={dotKey(at)}
      aria-label={name}
      aria-disabled={isRefused || (begun !== undefined && judgement === undefined && !isBegin)}
      onClick={choose}
      onFocus={() => judgement !== undefined && pen.hover(at)}
      onPointerEnter={() => judgement !== undefined && pen.hover(at)}
    />
  );
}

export function dotKey({ kind, end, id }: Dot): string {
  return `${kind} ${end} ${id}`;
}

function focusDot(board: HTMLElement | null, dot: Dot): void {
  board?.querySelector<HTMLElement>(`[data-dot="${dotKey(dot)}"]`)?.focus();
}

/** Focuses the first dot where a line may end, after the page has marked them. */
function focusTarget(board: HTMLElement | null, { kind, end }: Dot): void {
  requestAnimationFrame(() => {
    const other = end === 'from' ? 'to' : 'from';
    board?.querySelector<HTMLElement>(`[data-dot^="${kind} ${other}"]:not([aria-disabled="true"])`)?.focus();
  });
}

/** Escape ends a drawing; up and down go from dot to dot of a column. @returns true for a key of the wiring */
function boardKey(
  { key, target, ctrlKey, metaKey }: KeyboardEvent,
  pen: WirePen,
  editor: FieldEditor,
  board: HTMLElement | null,
): boolean {
  const begun = pen.begun.peek();
  if (board === null || ctrlKey || metaKey) return false;
  if (key === 'Escape' && begun !== undefined) {
    pen.cancel();
    focusDot(board, begun.from);
    return true;
  }
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const here = target instanceof HTMLElement ? dotAt(target) : undefined;
    if (here === undefined || !(target instanceof HTMLElement)) return false;
    const dots = [...board.querySelectorAll<HTMLElement>(`[data-dot^="${here.kind} ${here.end}"]`)];
    const place = dots.indexOf(target);
    dots[place + (key === 'ArrowDown' ? 1 : -1)]?.focus();
    return true;
  }
  const selection = editor.selection.peek();
  if ((key !== 'Delete' && key !== 'Backspace') || selection?.kind !== 'wire') return false;
  return pen.remove(selection.wire);
}

function NoFields({ editor }: { editor: FieldEditor }) {
  const definable = editor.scanner.definable.value;
  if (definable === 'contours' && editor.scanner.lackContours.value) return <ReadContours editor={editor} />;
  return <>{definable === 'nothing' ? 'Not known of this scanner.' : 'No field has a contour yet.'}</>;
}

/** Says what a scanner keeps to itself that does not show its definitions. */
function WhatIsNotKnown({ editor }: { editor: FieldEditor }) {
  return (
    <p class="small soft">
      This scanner tells the states of its evaluations, and what its ports follow.
      {editor.scanner.definable.value === 'contours' &&
        ' It lets one read and replace contours after a login.'}{' '}
      Names, object sizes, times and groups of evaluations are only in the tool of its maker.
    </p>
  );
}
