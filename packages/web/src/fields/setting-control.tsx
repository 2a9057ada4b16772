import type { Shape } from '@azimuth/model';
import { isLeaf } from '../forms/control.js';
import { LeafControl } from '../forms/leaf-control.js';
import { rangeText } from '../forms/range-text.js';
import { spokenName } from '../forms/spoken-name.js';
import { unitOf } from './definition-shapes.js';
import { useRefusedInput } from './refused-input.js';
import '../style/forms.css';

/** One setting of a draft, with what it does and its range. */
export function SettingControl({
  name,
  shape,
  value,
  take,
  hint = '',
  label = spokenName(name),
}: {
  name: string;
  shape: Shape;
  value: unknown;
  /** Takes a value over. @throws Fault if it is not allowed */
  take: (value: unknown) => void;
  hint?: string | undefined;
  label?: string;
}) {
  const input = useRefusedInput(value, take);
  if (!isLeaf(shape)) return null;
  const range = rangeText(shape);
  const sentence = range === '' ? '' : `${range.slice(0, 1).toUpperCase()}${range.slice(1)}.`;
  return (
    <div class="setting">
      <span class="setting-name">{label}</span>
      <LeafControl shape={shape} label={label} unitOf={unitOf} member={name} {...input} />
      {hint + sentence !== '' && (
        <span class="small soft setting-hint">
          {hint} {sentence}
        </span>
      )}
    </div>
  );
}
