import {
  EvaluationGroupType,
  inputsAndOutputs,
  outputSourceOf,
  PortType,
  SourceCombination,
} from '@azimuth/model';
import { refusalBy } from '../forms/refusal.js';
import { sourceWords } from '../ports/port-words.js';
import { evaluationOf, groupsOf, type Wired } from './draft.js';
import type { Definable } from './scanner-fields.js';
import { keyOf, type Wire, wiresIn, withWire } from './wires.js';

const { PortConfiguration } = inputsAndOutputs.members;

/** Objections to a line, before anything is sent. */
export interface Judgement {
  /** Why the line cannot be drawn; undefined if it can. */
  readonly refusal?: string | undefined;
  /** Facts that a person should know, although the line can be drawn. */
  readonly cautions: readonly string[];
}

/** Limits of a scanner: the definitions that may be changed, and the ports that its plug lacks. */
export interface WiringLimits {
  readonly definable: Definable;
  /** True if the plug lacks the port of this number. */
  readonly lacksPort: (number: number) => boolean;
}

/** Judges a line that is not there yet. */
export function judged(wired: Wired, wire: Wire, limits: WiringLimits): Judgement {
  if (wiresIn(wired).some((one) => keyOf(one) === keyOf(wire))) {
    return refused(
      wire.kind === 'contour'
        ? `Evaluation ${wire.to} watches this field already.`
        : `Port ${wire.to} follows evaluation ${wire.from} already.`,
    );
  }
  return wire.kind === 'contour' ? contourJudged(wired, wire, limits) : outputJudged(wired, wire, limits);
}

/** Returns why a line cannot be removed; undefined if it can. */
export function removalRefusal({ kind }: Wire, { definable }: WiringLimits): string | undefined {
  if (kind === 'output' || definable === 'all') return undefined;
  return definable === 'contours'
    ? 'This scanner lets one replace a contour, but not clear it. Draw the line of another field instead.'
    : fixedContours;
}

const fixedContours = 'This release lets no client change contours.';

function refused(refusal: string): Judgement {
  return { refusal, cautions: [] };
}

function contourJudged(wired: Wired, { to }: Wire, { definable }: WiringLimits): Judgement {
  const evaluation = evaluationOf(wired.definitions, to);
  if (evaluation === undefined) return refused(`The scanner has no evaluation ${to}.`);
  if (definable === 'nothing') return refused(fixedContours);
  if (evaluation.Points.length === 0) return { cautions: [] };
  return {
    cautions: [`An evaluation watches one field: this one takes the place of the one that it has now.`],
  };
}

function outputJudged(wired: Wired, wire: Wire, { definable, lacksPort }: WiringLimits): Judgement {
  const port = wired.ports?.[wire.to - 1];
  if (port === undefined) return refused(`Port ${wire.to} is not known yet.`);
  if (port.PortType !== PortType.OUTPUT) {
    const use = port.PortType === PortType.INPUT ? 'an input' : 'a connection of an encoder';
    return refused(`Port ${wire.to} is ${use}. Make it an output first, on the page Ports.`);
  }
  const evaluation = evaluationOf(wired.definitions, wire.from);
  if (evaluation?.Type === EvaluationGroupType.PERPENDICULAR_DISTANCE) {
    return refused('A perpendicular distance is a number. It switches no output.');
  }
  const refusal = refusalBy(PortConfiguration, withWire(wired, wire).ports);
  if (refusal !== undefined) return refused(`The scanner would refuse it: ${refusal.reason}.`);
  const isInNoGroup = definable === 'all' && groupsOf(wired.definitions, wire.from).length === 0;
  return {
    cautions: [
      ...(lacksPort(wire.to) ? [`The plug of this scanner has no port ${wire.to}.`] : []),
      ...(isInNoGroup ? [`Evaluation ${wire.from} is in no group, so it is never active.`] : []),
      ...otherSources(wired, wire.to),
    ],
  };
}

/** Sources of an output beside fields: that of the factory makes it active all the time, for example. */
function otherSources({ ports }: Wired, number: number): readonly string[] {
  const output = ports?.[number - 1]?.OutputSettings;
  if (output === undefined) return [];
  const others = output.Sources.filter(({ Name }) => {
    const kind = outputSourceOf(Name)?.kind;
    return kind !== undefined && kind !== 'FE';
  });
  if (others.length === 0) return [];
  const words = others.map((source) => sourceWords(source)).join(', ');
  const how =
    output.Combination === SourceCombination.OR ? 'is active, too, while' : 'also depends on whether';
  return [`Port ${number} ${how} ${words}.`];
}
