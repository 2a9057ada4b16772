import type { ScannerLink } from '../connection/scanner-link.js';
import type { Plan } from '../live/plan.js';
import { AreaShape, Hatching } from './areas.js';
import { DistanceLine } from './distance-line.js';
import { DrawingPreview } from './drawing-preview.js';
import { type FieldEditor, isField } from './field-editor.js';
import { distanceResults, fieldResults } from './field-results.js';
import { Handles } from './handles.js';
import { polygonPoints } from './plan-millimetres.js';

/** The areas of all evaluations above the scan, with the handles of the selected one, and what is being drawn. */
export function FieldsOverlay({
  editor,
  link,
  plan,
}: {
  editor: FieldEditor;
  link: ScannerLink;
  plan: Plan;
}) {
  const viewport = plan.viewport.value;
  const evaluations = editor.definitions.value?.evaluations ?? [];
  const results = fieldResults(link.value('FieldEvaluationResult'));
  const distances = distanceResults(link.value('perpendicularDistanceResult'));
  const selected = editor.selected.value;
  const drawing = editor.drawing.value;
  // The selected one on top.
  const inOrder = [...evaluations.filter((one) => one !== selected), ...(selected ? [selected] : [])];
  return (
    <>
      <svg class="overlay fields-overlay" aria-hidden="true">
        <Hatching />
        {inOrder.map((evaluation) => (
          <AreaShape
            key={evaluation.Id}
            evaluation={evaluation}
            result={results.get(evaluation.Id)}
            viewport={viewport}
            isSelected={evaluation === selected}
          />
        ))}
        {evaluations
          .filter((evaluation) => !isField(evaluation))
          .map(({ Id, ReferenceLine }) => (
            <DistanceLine key={Id} line={ReferenceLine} result={distances.get(Id)} viewport={viewport} />
          ))}
        {editor.seenWhileTeaching.value.length > 0 && (
          <polygon class="teach-in" points={polygonPoints(viewport, editor.seenWhileTeaching.value)} />
        )}
        {drawing !== undefined && <DrawingPreview editor={editor} plan={plan} drawing={drawing} />}
      </svg>
      {drawing === undefined && selected !== undefined && (
        <Handles key={selected.Id} editor={editor} plan={plan} evaluation={selected} />
      )}
    </>
  );
}
