import { type Evaluation, type EvaluationGroup, extensions, Refusal, type Shape } from '@azimuth/model';
import type { ComponentChildren } from 'preact';
import { LeafControl } from '../forms/leaf-control.js';
import { spokenName } from '../forms/spoken-name.js';
import { isLeaf, rangeText, shapeAt } from '../forms/value-text.js';
import { setting } from '../parts/inputs.js';
import { sentence } from '../parts/texts.js';
import '../style/forms.css';
import { useSignal } from '@preact/signals';
import type { FieldEditor } from './field-editor.js';

export function SettingControl({
  name,
  shape,
  value,
  apply,
  hint = '',
  label = spokenName(name),
}: {
  name: string;
  shape: Shape;
  value: unknown;
  /** Applies a value. @throws Refusal if it is not allowed */
  apply: (value: unknown) => void;
  hint?: string | undefined;
  label?: string;
}) {
  const input = useRefusedInput(value, apply);
  if (!isLeaf(shape)) return null;
  const range = rangeText(shape);
  const description = range === '' ? hint : `${hint} ${sentence(range)}`;
  return (
    <div class="setting">
      <span class="setting-name">{label}</span>
      <LeafControl shape={shape} label={label} unitOf={unitOfMember} member={name} {...input} />
      {description !== '' && <span class="small soft setting-hint">{description}</span>}
    </div>
  );
}

interface RefusedInput {
  readonly typed: unknown;
  readonly reason: string;
  /** Value in the draft. */
  readonly draftValue: unknown;
}

/**
 * The value that a control of a draft shows. A typed value that is not allowed stays in the control, with the reason,
 * while the draft keeps its own value.
 * @param apply takes a value over.
 * @throws Refusal if it is not allowed
 */
export function useRefusedInput(value: unknown, apply: (value: unknown) => void) {
  const refused = useSignal<RefusedInput | undefined>(undefined);
  // An undo, for example, may have changed the draft.
  const wrong = refused.value?.draftValue === value ? refused.value : undefined;
  return {
    value: wrong === undefined ? value : wrong.typed,
    refusal: wrong && { at: '', reason: wrong.reason },
    onChange: (typed: unknown) => {
      try {
        apply(typed);
        refused.value = undefined;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.value = { typed, reason: error.reason, draftValue: value };
      }
    },
  };
}

const { fields } = extensions.members;

/** The shape at a path of members in the definitions of fields; arrays stand for their items. */
export function shapeOf(...path: readonly string[]): Shape {
  return shapeAt(fields.type.shape, path);
}

function unitOfMember(member: string): string | undefined {
  return fields.unitOf(member);
}

/** An evaluation with a member of another value. @throws Refusal if it may not have this value */
export function evaluationWith(evaluation: Evaluation, member: string, value: unknown): Evaluation {
  const json = { evaluations: [{ ...evaluation, [member]: value }], groups: [] };
  return fields.type.fromJson(json, fields.name).evaluations[0] ?? evaluation;
}

/** A group with a member of another value. @throws Refusal if it may not have this value */
export function groupWith(group: EvaluationGroup, member: string, value: unknown): EvaluationGroup {
  const json = { evaluations: [], groups: [{ ...group, [member]: value }] };
  return fields.type.fromJson(json, fields.name).groups[0] ?? group;
}

/** Properties of the selection, with the way back to the list of all fields and groups. */
export function InspectorPanel({
  editor,
  label,
  title,
  state,
  children,
}: {
  editor: FieldEditor;
  label: string;
  title: string;
  state?: ComponentChildren;
  children: ComponentChildren;
}) {
  const back = setting(editor.selection, undefined);
  return (
    <section class="panel" aria-label={label}>
      <div class="inspector-head">
        <button type="button" class="plain back" onClick={back}>
          <span aria-hidden="true">‹</span> All fields
        </button>
        <h2>{title}</h2>
        {state}
      </div>
      {children}
    </section>
  );
}
