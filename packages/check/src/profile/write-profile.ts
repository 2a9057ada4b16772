import { concurrently } from '@azimuth/async';
import {
  builtInInterface,
  type Declaration,
  describedInterface,
  type KnownInterface,
  type OwnMethod,
  type OwnVariable,
  type RangeDefinition,
  sameJson,
} from '@azimuth/model';
import { isServed, type ScannerFacts, subjectOf } from '../run/identify.js';
import type { CheckTarget } from '../scanner/checked-scanner.js';
import { HttpExchange, NoAnswer } from '../wire/http-exchange.js';
import { jsonIn } from '../wire/json-answer.js';
import type { MeasuredLimits, ScannerProfile } from './scanner-profile.js';
import { memberDefinitions, narrowerRange, typeDefinition } from './shape-definition.js';

/** Largest description of a scanner that is read, in bytes, and longest time for it in ms. */
const longestDescription = 16 * 1024 * 1024;
const usualTimeout = 10_000;

/** Number of reads at the same time, and of those whose time is measured. */
const atOnce = 4;
const measuredReads = 20;

/**
 * Writes down what a scanner says of itself: which names it has, and by its own description, if there is one, its own names and
 * narrower ranges. @param tool what writes it: `azimuth 0.1.0`
 * @throws NoAnswer
 */
export async function writtenProfile(
  target: CheckTarget,
  found: ScannerFacts,
  tool: string,
): Promise<ScannerProfile> {
  const http = new HttpExchange(target.url, target.timeoutMs ?? usualTimeout, longestDescription);
  try {
    const described = await descriptionOf(http);
    const scanner = { ...found, ...editionOfProduct(described) };
    const absent = await absentNames(scanner, described, http);
    const lacking = new Set(absent);
    const present = declarations(builtInInterface).filter(
      ({ name }) => subjectOf(scanner).has(name) && !lacking.has(name),
    );
    const { name, version, release, variant } = scanner;
    return {
      ...{ azimuthProfile: 1, tool, name, version, release, variant },
      groups: [...new Set(present.map(({ group }) => group))],
      absent,
      own: described === undefined ? {} : ownOf(described, lacking),
      measured: await measured(http),
      deviations: [],
    };
  } finally {
    http.close();
  }
}

/** Returns the release that a product of its own states: its versions do not tell it. */
function editionOfProduct(described: KnownInterface | undefined): Partial<Pick<ScannerFacts, 'release'>> {
  const { product, release } = described?.scanner ?? {};
  return product === undefined || release === undefined ? {} : { release };
}

/** Returns what a scanner describes; undefined if it describes nothing. */
async function descriptionOf(http: HttpExchange): Promise<KnownInterface | undefined> {
  try {
    const answer = await http.get('/openapi.json');
    return answer.status === 200 ? describedInterface(jsonIn(answer)) : undefined;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/**
 * Returns the names that a scanner of its edition has, and this one does not: variables that answer that they are not found;
 * methods and files that its description lacks, or whose whole group is absent.
 */
async function absentNames(
  scanner: ScannerFacts,
  described: KnownInterface | undefined,
  http: HttpExchange,
): Promise<readonly string[]> {
  const subject = subjectOf(scanner);
  const expected = declarations(builtInInterface).filter(({ name }) => subject.has(name));
  const variables = builtInInterface.variables.filter(({ name }) => subject.has(name));
  const answers = await concurrently(atOnce, variables, ({ name }) => isServed(name, http));
  const missing = new Set(variables.filter((_, index) => !answers[index]).map(({ name }) => name));
  const groupsThere = new Set(variables.filter(({ name }) => !missing.has(name)).map(({ group }) => group));
  const groupsOfVariables = new Set(variables.map(({ group }) => group));
  const isAbsent = ({ name, group }: Declaration) => {
    if (builtInInterface.variable(name) !== undefined) return missing.has(name);
    if (described !== undefined) return described.lacks(name);
    return groupsOfVariables.has(group) && !groupsThere.has(group);
  };
  return expected.filter(isAbsent).map(({ name }) => name);
}

function declarations({ variables, methods, files }: KnownInterface): readonly Declaration[] {
  return [...variables, ...methods, ...files];
}

/** Returns what a description states beyond the model, or narrower than it. */
function ownOf(described: KnownInterface, lacking: ReadonlySet<string>): ScannerProfile['own'] {
  const variables: Record<string, OwnVariable> = {};
  const methods: Record<string, OwnMethod> = {};
  const ranges: Record<string, RangeDefinition> = {};
  const defaults: Record<string, unknown> = {};
  const groups = new Set<string>();
  for (const { name, group, type, facts, isEvent } of described.variables) {
    const ofModel = builtInInterface.variable(name);
    if (ofModel === undefined) {
      const { text, write, unit } = facts;
      const typed = typeDefinition(type.shape, type.initial);
      variables[name] = { group, text: text || name, type: typed, write, unit, event: isEvent || undefined };
      groups.add(group);
    } else if (ofModel.stored && !lacking.has(name)) {
      const range = narrowerRange(type.shape, ofModel.type.shape);
      if (range === undefined) continue;
      ranges[name] = range;
      if (!sameJson(type.initial, ofModel.type.initial)) defaults[name] = type.initial;
    }
  }
  for (const { name, group, request, response, facts } of described.methods) {
    if (builtInInterface.method(name) !== undefined) continue;
    const { text, level, loses } = facts;
    methods[name] = {
      ...{ group, text: text || name, level, loses },
      request: memberDefinitions(request.shape),
      response: memberDefinitions(response.shape),
    };
    groups.add(group);
  }
  const known = new Set(declarations(builtInInterface).map(({ group }) => group));
  const added = [...groups].filter((group) => !known.has(group)).map((group) => [group, {}] as const);
  return { groups: { added: Object.fromEntries(added) }, variables, methods, ranges, defaults };
}

async function measured(http: HttpExchange): Promise<MeasuredLimits> {
  const times: number[] = [];
  for (let read = 0; read < measuredReads; read++) {
    const begin = performance.now();
    await http.get('/api/DeviceIdent');
    times.push(performance.now() - begin);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const rounded = (index: number) => Math.round((sorted[index] ?? 0) * 10) / 10;
  return { medianAnswerMs: rounded(measuredReads / 2), longestAnswerMs: rounded(measuredReads - 1) };
}
