import { isObject, type Member } from '@azimuth/model';
import type { ComponentChild } from 'preact';
import { type ControlProperties, isLeaf, type ShapeOf } from './control.js';
import { spokenName } from './spoken-name.js';
import { isReserved } from './value-text.js';

interface StructProperties extends ControlProperties<ShapeOf<'struct'>> {
  /** The control of a part. */
  readonly part: (properties: ControlProperties) => ComponentChild;
}

/** The members of a struct, one below the other. */
export function StructControl(properties: StructProperties) {
  const { shape, label, refusal, at = '' } = properties;
  return (
    <fieldset class="members" aria-label={label}>
      {Object.entries(shape.members)
        .filter(([name]) => !isReserved(name))
        .map(([name, member]) => (
          <MemberControl key={name} {...properties} name={name} of={member} />
        ))}
      {refusal?.at === at && (
        <p class="refusal" role="alert">
          {refusal.reason}
        </p>
      )}
    </fieldset>
  );
}

function MemberControl({ name, of, ...whole }: StructProperties & { name: string; of: Member }) {
  const { value, onChange, part, readOnly, at = '' } = whole;
  const struct = isObject(value) ? value : {};
  const spoken = spokenName(name);
  const control = part({
    shape: of.shape,
    value: struct[name],
    onChange: (changed) => onChange({ ...struct, [name]: changed }),
    label: spoken,
    refusal: whole.refusal,
    readOnly,
    withRange: true,
    unitOf: whole.unitOf,
    at: `${at}.${name}`,
    member: name,
  });
  return (
    <div class={isLeaf(of.shape) ? 'member' : 'member nested'}>
      <span class="member-name" title={name}>
        {spoken}
      </span>
      {control}
    </div>
  );
}
