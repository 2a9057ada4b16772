import type { ScreenPoint, Viewport } from './plan.js';

/** CSS pixels of a letter of a label, on average. */
const letterWidth = 6.8;
/** CSS pixels that stay free at both ends of a label. */
const margin = 4;
/** Horizontal lines through an area on which there may be room for its label. */
const lines = 11;

/** Room for a label inside an area, in CSS pixels. */
export interface LabelRoom {
  /** The middle of the label. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/**
 * Returns the place where an area in sight is widest, preferably in its middle. A label there does not cover other
 * areas and walls at its sides.
 * @param corners of the area on the screen
 */
export function labelRoom(corners: readonly ScreenPoint[], view: Viewport): LabelRoom | undefined {
  const tops = corners.map(({ top }) => top);
  const [highest, lowest] = [Math.max(0, Math.min(...tops)), Math.min(view.height, Math.max(...tops))];
  let best: LabelRoom | undefined;
  let most = 0;
  for (let line = 1; line <= lines; line++) {
    const part = line / (lines + 1);
    const top = highest + (lowest - highest) * part;
    const preference = 1 - Math.abs(part - 0.5);
    for (const { from, to } of insideOn(top, corners)) {
      const [begin, end] = [Math.max(0, from), Math.min(view.width, to)];
      if ((end - begin) * preference <= most) continue;
      most = (end - begin) * preference;
      best = { left: (begin + end) / 2, top, width: end - begin };
    }
  }
  return best;
}

/** The longest of some texts that fits into a room; the last one if none does. @param texts the longest first */
export function fittingText(texts: readonly string[], { width }: LabelRoom): string {
  return texts.find((text) => text.length * letterWidth + 2 * margin <= width) ?? texts.at(-1) ?? '';
}

/** The parts of a horizontal line that are inside of a polygon, by the even-odd rule. */
function insideOn(top: number, corners: readonly ScreenPoint[]) {
  const crossings: number[] = [];
  for (const [index, one] of corners.entries()) {
    const next = corners[(index + 1) % corners.length];
    if (next === undefined || one.top > top === next.top > top) continue;
    crossings.push(one.left + ((top - one.top) / (next.top - one.top)) * (next.left - one.left));
  }
  crossings.sort((one, other) => one - other);
  return crossings.flatMap((from, index) => {
    const to = crossings[index + 1];
    return index % 2 === 1 || to === undefined ? [] : [{ from, to }];
  });
}

/** A label of one line: where its middle is, how wide it is, and where its top would best be. In CSS pixels. */
interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** The height of a label, and the least gap between two, in CSS pixels. */
export const labelHeight = 18;
const gap = 2;

/**
 * Returns the tops of labels so that no label covers another: a label that would moves down, below those before it. The
 * names of scanners at one place become a list.
 */
export function labelTops(labels: readonly LabelBox[]): readonly number[] {
  const placed: LabelBox[] = [];
  for (const label of labels) {
    let { top } = label;
    // The labels go from above to below: a label that was passed is never met again.
    for (const other of placed.toSorted((one, next) => one.top - next.top)) {
      const beside = Math.abs(other.left - label.left) >= (other.width + label.width) / 2 + gap;
      if (beside || top >= other.top + labelHeight + gap || top + labelHeight + gap <= other.top) continue;
      top = other.top + labelHeight + gap;
    }
    placed.push({ ...label, top });
  }
  return placed.map(({ top }) => top);
}
