import {
  allEndpoints,
  allFiles,
  allVariables,
  corrections,
  type Declaration,
  FileEndpoint,
  Method,
  Variable,
} from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { differences } from '@azimuth/test-support/interface/differences';
import { readPublished } from '@azimuth/test-support/interface/published-notation';
import { notation } from '@azimuth/test-support/interface/type-notation';
import { newest } from '@azimuth/test-support/openapi-scanner';
import { describe, expect, test } from 'vitest';
import { declarationsOf } from './declarations-of.js';

const declared = [...allEndpoints, ...allFiles];
const described = declarationsOf(openApi(newest));
const { release } = newest;

/** A declaration in short: group, types, ranges, defaults, enumerations, levels, transfers. */
function summaryOf(declaration: Declaration): unknown {
  const { group } = declaration;
  if (declaration instanceof Variable) {
    const initial = declaration.factoryValue({ release, createdWith: release });
    return { group, type: notation(declaration.type.shape), initial, write: declaration.facts.write };
  }
  if (declaration instanceof Method) {
    const { request, response, facts } = declaration;
    const types = { request: notation(request.shape), response: notation(response.shape) };
    const { level, responseMember = 'data' } = facts;
    return {
      group,
      ...types,
      takes: request.initial,
      gives: response.initial,
      level,
      answersIn: responseMember,
    };
  }
  if (!(declaration instanceof FileEndpoint)) return { group };
  return Object.entries(declaration.facts.verbs).map(([verb, { accepts = [], query = [] }]) => ({
    verb,
    accepts,
    query,
  }));
}

describe('the description', () => {
  const there = declared.filter((declaration) => declaration.isIn(newest));

  test('has every endpoint of its edition', () => {
    expect([...described.keys()].sort()).toEqual(there.map(({ name }) => name).sort());
  });

  test.each(there.map((declaration) => [declaration.name, declaration] as const))(
    'contains all declared facts of %s',
    (name, declaration) => {
      const read = described.get(name);
      expect(read === undefined ? undefined : summaryOf(read)).toEqual(summaryOf(declaration));
    },
  );
});

describe('the published descriptions', () => {
  // An alias is served, but not described.
  const aliases = allVariables.flatMap(({ name, facts }) => {
    const variable = described.get(name);
    return variable === undefined ? [] : (facts.aliases ?? []).map((alias) => [alias, variable] as const);
  });
  const served = new Map<string, Declaration>([...described, ...aliases]);
  const gone = declared.filter((declaration) => !declaration.isIn(newest)).map(({ name }) => name);

  test('differ from ours by exactly the corrections', () => {
    const corrected = corrections
      .filter(({ name }) => !gone.includes(name))
      .map(({ name, what }) => `${name}: ${what}`);
    expect(differences(readPublished(), served).sort()).toEqual(corrected.sort());
  });
});
