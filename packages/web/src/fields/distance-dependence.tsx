import { basicSettings, type Evaluation } from '@azimuth/model';
import { numberText } from '../forms/value-text.js';
import { Tick } from '../parts/inputs.js';
import type { FieldEditor } from './field-editor.js';
import { evaluationWith, SettingControl, shapeOf } from './setting-control.js';
import { type CurvePoint, degreesBetweenBeams, reachOfField, smallestObjects } from './smallest-object.js';

const { PerformanceProfileNumber } = basicSettings.members;
const member = 'ObjectDistanceThreshold' satisfies keyof Evaluation;
/** mm that the threshold has when it is switched on. */
const firstThreshold = 300;

/** Settings that depend on the distance of objects: whether they are judged apart, and how large they have to be. */
export function DistanceDependence({ editor, evaluation }: { editor: FieldEditor; evaluation: Evaluation }) {
  const { Id, ObjectDistanceThreshold: threshold } = evaluation;
  const set = (value: unknown) => {
    const { [member]: checked } = evaluationWith(evaluation, member, value);
    editor.editEvaluation(Id, { [member]: checked }, `typed ${Id} ${member}`);
  };
  return (
    <fieldset class="stacked membership">
      <legend>By distance</legend>
      <Tick checked={threshold > 0} change={(isOn) => set(isOn ? firstThreshold : 0)}>
        Distance-dependent
      </Tick>
      {threshold > 0 ? (
        <>
          <SettingControl
            name={member}
            label="Threshold"
            shape={shapeOf('evaluations', member)}
            value={threshold}
            apply={set}
          />
          <Curve
            label={`Objects beside each other are one object until one is ${threshold} mm further away`}
            points={[
              { x: 0, y: 1 },
              { x: threshold, y: 1 },
              { x: threshold, y: 2 },
              { x: 2 * threshold, y: 2 },
            ]}
            ends={['0', `${2 * threshold} mm further away`]}
            marks={[
              [1, 'one object'],
              [2, 'two objects'],
            ]}
          />
        </>
      ) : (
        <p class="small soft">Objects beside each other are one object, whatever their distances are.</p>
      )}
      <SmallestObject editor={editor} evaluation={evaluation} />
    </fieldset>
  );
}

function SmallestObject({ editor, evaluation }: { editor: FieldEditor; evaluation: Evaluation }) {
  const degrees = degreesBetweenBeams(editor.link.value(PerformanceProfileNumber.name));
  const reach = reachOfField(evaluation);
  if (degrees === undefined || reach === 0) return null;
  const points = smallestObjects(evaluation, reach, degrees);
  const [near, far] = [points[0]?.y ?? 0, points.at(-1)?.y ?? 0];
  const text = `The smallest object that infringes it: ${numberText(near, 'mm')} near the scanner, about ${numberText(Math.round(far), 'mm')} at the furthest corner.`;
  return (
    <>
      <p class="small soft">{text}</p>
      <Curve
        label={text}
        points={points}
        ends={['0', `${reach.toFixed(1)} m`]}
        marks={[[far, `${Math.round(far)} mm`]]}
      />
    </>
  );
}

/** CSS pixels. */
const [width, height, below] = [300, 76, 18];

/** A small curve. @param ends words at the ends of the axis @param marks values of the other axis, with words */
function Curve({
  label,
  points,
  ends,
  marks,
}: {
  label: string;
  points: readonly CurvePoint[];
  ends: readonly [string, string];
  marks: readonly (readonly [value: number, words: string])[];
}) {
  const mostX = Math.max(...points.map(({ x }) => x));
  const mostY = 1.25 * Math.max(1, ...points.map(({ y }) => y));
  const down = (y: number) => height - (y / mostY) * height;
  const line = points.map(({ x, y }) => `${(x / mostX) * width},${down(y)}`).join(' ');
  return (
    <svg class="small-curve" viewBox={`0 0 ${width} ${height + below}`} role="img" aria-label={label}>
      <path class="axis" d={`M0 0V${height}H${width}`} />
      <polyline points={line} />
      {marks.map(([value, words], index) => (
        <text
          key={words}
          x={index === 0 && marks.length > 1 ? 6 : width}
          y={down(value) - 5}
          text-anchor={index === 0 && marks.length > 1 ? 'start' : 'end'}
        >
          {words}
        </text>
      ))}
      <text x="0" y={height + below - 4}>
        {ends[0]}
      </text>
      <text x={width} y={height + below - 4} text-anchor="end">
        {ends[1]}
      </text>
    </svg>
  );
}
