import { isObject } from '@azimuth/model';
import { Member, ValueControl } from '../forms/value-control.js';
import { valueAt, withValue } from '../forms/value-path.js';
import { shapeAt } from '../forms/value-text.js';
import { Tick } from '../parts/inputs.js';
import type { Setting } from './formats.js';
import type { OutputDraft } from './output-draft.js';

interface Properties {
  readonly draft: OutputDraft;
  readonly setting: Setting;
}

/** A setting in the draft behind its label. */
export function SettingRow({ draft, setting }: Properties) {
  const { variable, path } = setting;
  return <Member title={[variable.name, ...path].join('.')} {...control(draft, setting)} />;
}

/** A setting in the draft below its label. */
export function SettingCell({ draft, setting }: Properties) {
  return (
    <div class="cell">
      <span class="small soft" aria-hidden="true">
        {setting.label}
      </span>
      <ValueControl {...control(draft, setting)} />
    </div>
  );
}

/** A switch in the draft, with its title. */
export function SettingSwitch({ draft, setting: { variable, path, label } }: Properties) {
  const value = draft.valueOf(variable);
  const refusal = draft.refusals.value.get(variable.name);
  const set = (on: boolean) => draft.edit(variable, withValue(value, path, on));
  return (
    <>
      <Tick checked={valueAt(value, path) === true} change={set} disabled={value === undefined}>
        <strong>{label}</strong>
      </Tick>
      {refusal !== undefined && !isObject(value) && (
        <p class="refusal" role="alert">
          {refusal.reason}
        </p>
      )}
    </>
  );
}

function control(draft: OutputDraft, { variable, path, label }: Setting) {
  const value = draft.valueOf(variable);
  const at = path.map((member) => `.${member}`).join('');
  return {
    shape: shapeAt(variable.type.shape, path),
    value: valueAt(value, path),
    onChange: (changed: unknown) =>
      draft.edit(variable, withValue(draft.valueOf(variable), path, changed), variable.name + at),
    label,
    refusal: draft.refusals.value.get(variable.name),
    readOnly: value === undefined,
    unitOf: (member: string) => variable.unitOf(member),
    at,
    member: path.at(-1),
  };
}
