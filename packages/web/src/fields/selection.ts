/** A part of an evaluation that a person moves: a corner of its contour, or an end of its reference line. */
export type EvaluationPart = { readonly of: 'Points' | 'ReferenceLine'; readonly index: number };

/** What the inspector shows. */
export type Selection =
  | { readonly kind: 'evaluation'; readonly id: number; readonly part?: EvaluationPart | undefined }
  | { readonly kind: 'group'; readonly id: number }
  | { readonly kind: 'teach-in' };

/** The part of the address that names what is selected: `3`, `group-1`, `teach-in`. */
export function addressOf(selection: Selection | undefined): string {
  if (selection === undefined) return '';
  if (selection.kind === 'teach-in') return 'teach-in';
  return selection.kind === 'group' ? `group-${selection.id}` : String(selection.id);
}

export function selectionAt(address: string): Selection | undefined {
  if (address === 'teach-in') return { kind: 'teach-in' };
  const [, group, number] = /^(group-)?(\d{1,2})$/.exec(address) ?? [];
  if (number === undefined) return undefined;
  return { kind: group === undefined ? 'evaluation' : 'group', id: Number(number) };
}
