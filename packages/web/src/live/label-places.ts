/** A label of one line: where its middle is, how wide it is, and where its top would best be. In CSS pixels. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** The height of a label, and the least gap between two, in CSS pixels. */
export const labelHeight = 18;
const gap = 2;

/**
 * The tops of labels none of which covers another: one that would moves down, below those before it. So the names of
 * scanners at one place are a list.
 */
export function labelTops(labels: readonly LabelBox[]): readonly number[] {
  const placed: LabelBox[] = [];
  for (const label of labels) {
    let { top } = label;
    // From above to below: what was passed once is never met again.
    for (const other of placed.toSorted((one, next) => one.top - next.top)) {
      const beside = Math.abs(other.left - label.left) >= (other.width + label.width) / 2 + gap;
      if (beside || top >= other.top + labelHeight + gap || top + labelHeight + gap <= other.top) continue;
      top = other.top + labelHeight + gap;
    }
    placed.push({ ...label, top });
  }
  return placed.map(({ top }) => top);
}
