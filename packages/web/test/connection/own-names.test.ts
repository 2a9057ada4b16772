import { describedInterface, type KnownInterface, measurementDataOutput, status } from '@azimuth/model';
import { ownDescription } from '@azimuth/test-support/own-description';
import { describe, expect, test } from 'vitest';
import {
  declaredVariable,
  editionOf,
  factoryValueOf,
  levelFor,
  variableNamed,
  variablesOf,
} from '../../src/connection/declarations.js';
import { grouped } from '../../src/parameters/unsaved.js';
import { availableIn } from '../../src/shell/pages.js';
import { entriesOf } from '../../src/shell/search-entries.js';

const known = described();
const edition = editionOf('5.0.1', [], known);
const { StartScanMerge } = measurementDataOutput.members;

describe('the names that a scanner describes', () => {
  test('have forms, in groups of their own, with their factory values', () => {
    const groups = grouped(variablesOf(edition));
    expect(groups.map(({ name }) => name)).toContain('Laser');
    const own = groups.find(({ name }) => name === 'Laser')?.variables.map(({ name }) => name);
    expect(own).toEqual(['LaserHours', 'GateName', 'LaserPower', 'LaserState']);
    const power = variableNamed('LaserPower', edition);
    expect(power && factoryValueOf(power, edition)).toBe(0);
  });

  test('are found by the search, also by the names of their values', () => {
    const entries = entriesOf([], edition, () => '');
    expect(entries.find(({ title }) => title === 'LaserPower')?.parts).toContain('0 LOW (Low)');
    expect(entries.find(({ title }) => title === 'CalibrateLaser')?.text).toContain('Calibrates the laser.');
  });

  test('state the level for a write and a call', () => {
    expect([levelFor('LaserPower', known), levelFor('ReadPulses', known)]).toEqual(['Maintenance', 'Run']);
    expect(declaredVariable('LaserHours', known)?.unitOf('')).toBe('h');
  });

  test('take the place of all others: what the scanner lacks has no form and no page', () => {
    expect(variableNamed('DeviceStatus', edition)).toBeUndefined();
    expect(status.members.DeviceStatus.isIn(edition)).toBe(false);
    const pages = [{ needs: StartScanMerge }, {}];
    expect(
      availableIn(pages, { isOpen: true, edition, simulation: false, others: false, history: false }),
    ).toEqual([{}]);
  });

  test('come with the release that the scanner states, whatever its version is', () => {
    const { release, version } = editionOf('5.0.1', [], described('2.2.0'));
    expect([release, version]).toEqual(['2.2.0', '5.0.1']);
  });
});

function described(release = '2.4.4'): KnownInterface {
  const document = {
    ...JSON.parse(ownDescription()),
    info: { 'x-edition': { release, variant: 'full', product: 'GateScan', version: '5.0.1' } },
  };
  const found = describedInterface(document);
  if (found === undefined) throw new TypeError('the document describes no scanner');
  return found;
}
