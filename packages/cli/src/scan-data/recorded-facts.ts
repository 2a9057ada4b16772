import type { RecordedNames } from '@azimuth/bridge/mcap';
import type { SensorPosition } from '@azimuth/bridge/messages';
import { type Scanner, workingParameters } from '@azimuth/client';
import { isObject, measurementDataOutput, mountingPosition } from '@azimuth/model';

/** Facts about a recording, for formats that keep them. */
export interface RecordedFacts {
  /** Source of the telegrams, in words. */
  readonly source: string;
  readonly names?: RecordedNames | undefined;
  readonly position?: SensorPosition | undefined;
  /** All parameters and their values. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

const { rosFrameId, rosParentFrameId, rosNamespace } = measurementDataOutput.members;
const { SensorPosition: sensorPosition } = mountingPosition.members;

/** Reads the parameters of a scanner and what follows from them for a recording. A scanner of an older release lacks some. */
export async function recordedFactsOf(scanner: Scanner): Promise<Omit<RecordedFacts, 'source'>> {
  const parameters = Object.fromEntries(await workingParameters(scanner));
  const text = ({ name, type }: typeof rosFrameId | typeof rosNamespace) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : type.initial;
  };
  const names = {
    namespace: text(rosNamespace),
    frame: text(rosFrameId),
    parentFrame: text(rosParentFrameId),
  };
  return { parameters, names, position: positionIn(parameters[sensorPosition.name]) };
}

function positionIn(value: unknown): SensorPosition | undefined {
  if (!isObject(value)) return undefined;
  const number = (name: string) => (typeof value[name] === 'number' ? value[name] : 0);
  return {
    ...{ x: number('x'), y: number('y'), z: number('z') },
    ...{ yaw: number('yaw'), pitch: number('pitch'), roll: number('roll') },
  };
}
