import { type Evaluation, mostCorners } from '@azimuth/model';
import { isLeaf } from '../forms/control.js';
import { LeafControl } from '../forms/leaf-control.js';
import { middleOfSide, withCornerAfter } from './contour-editing.js';
import { evaluationWith, shapeAt } from './definition-shapes.js';
import type { FieldEditor } from './field-editor.js';
import { useRefusedInput } from './refused-input.js';
import type { EvaluationPart } from './selection.js';
import '../style/forms.css';

interface Properties {
  readonly editor: FieldEditor;
  readonly evaluation: Evaluation;
  readonly of: EvaluationPart['of'];
}

/** The exact coordinates of the corners, or of the ends of the reference line. */
export function CornerTable({ editor, evaluation, of }: Properties) {
  const selection = editor.selection.value;
  const part = selection?.kind === 'evaluation' ? selection.part : undefined;
  return (
    <table class="corner-table">
      <thead>
        <tr>
          <th class="number">#</th>
          <th>
            x <span class="unit">mm ahead</span>
          </th>
          <th>
            y <span class="unit">mm to the left</span>
          </th>
          {of === 'Points' && <th aria-label="Insert or delete" />}
        </tr>
      </thead>
      <tbody>
        {evaluation[of].map((_, index) => (
          <tr key={String(index)} class={part?.of === of && part.index === index ? 'selected' : undefined}>
            <td class="number soft">{index + 1}</td>
            <td>
              <Coordinate editor={editor} evaluation={evaluation} of={of} index={index} axis="x" />
            </td>
            <td>
              <Coordinate editor={editor} evaluation={evaluation} of={of} index={index} axis="y" />
            </td>
            {of === 'Points' && (
              <td class="acts">
                <CornerActs editor={editor} evaluation={evaluation} index={index} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Coordinate({
  editor,
  evaluation,
  of,
  index,
  axis,
}: Properties & { index: number; axis: 'x' | 'y' }) {
  const points = evaluation[of];
  const shape = shapeAt('evaluations', of, axis);
  const input = useRefusedInput(points[index]?.[axis], (typed) => {
    const changed = points.map((point, at) => (at === index ? { ...point, [axis]: typed } : point));
    const { [of]: taken } = evaluationWith(evaluation, of, changed);
    editor.editEvaluation(evaluation.Id, { [of]: taken }, `typed ${evaluation.Id} ${of} ${index} ${axis}`);
  });
  if (!isLeaf(shape)) return null;
  const label = `${axis} of ${of === 'Points' ? 'corner' : 'point'} ${index + 1}`;
  return (
    <span onFocusCapture={() => editor.select(evaluation.Id, { of, index })}>
      <LeafControl shape={shape} label={label} {...input} />
    </span>
  );
}

function CornerActs({ editor, evaluation, index }: Omit<Properties, 'of'> & { index: number }) {
  const { Id, Points } = evaluation;
  const insert = () => {
    editor.editEvaluation(Id, { Points: withCornerAfter(Points, index, middleOfSide(Points, index)) });
    editor.select(Id, { of: 'Points', index: index + 1 });
  };
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={`Insert a corner after corner ${index + 1}`}
        title="Insert a corner after it"
        disabled={Points.length >= mostCorners}
        onClick={insert}
      >
        +
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Delete corner ${index + 1}`}
        title={Points.length > 3 ? 'Delete it' : 'Delete the contour: two corners are no area'}
        onClick={() => editor.deletePart(Id, { of: 'Points', index })}
      >
        ×
      </button>
    </>
  );
}
