import { describe, expect, test } from 'vitest';
import { ChangeHistory } from '../../src/connection/history.js';
import { unsavedHere } from '../../src/connection/unsaved-here.js';

const stored = new Set(['LocationName', 'ScanDataEnable']);

function changed(act: (history: ChangeHistory) => void): readonly string[] {
  const history = new ChangeHistory(() => ({ url: 'http://192.168.0.1', level: 'Service' }));
  act(history);
  return unsavedHere(history.changes.value, (name) => stored.has(name));
}

describe('what this visit has changed and not saved', () => {
  test('is each parameter once, however often it was written', () => {
    const names = changed((history) => {
      history.written('LocationName', 'a', 'b');
      history.written('LocationName', 'b', 'c');
      history.written('ScanDataEnable', false, true);
    });
    expect(names).toEqual(['LocationName', 'ScanDataEnable']);
  });

  test('is nothing after a write of a variable that no save stores', () => {
    expect(changed((history) => history.written('FindMe', 0, 1))).toEqual([]);
  });

  test.each(['LoadFactoryDefaults', 'RestoreParameterBackup', 'SetFieldEvaluationContour'])(
    'is %s, which changes parameters',
    (name) => {
      expect(changed((history) => history.called(name, undefined))).toEqual([name]);
    },
  );

  test.each(['WriteEeprom', 'SoftReset', 'RebootDevice'])('is nothing after %s', (name) => {
    const names = changed((history) => {
      history.written('LocationName', 'a', 'b');
      history.called(name, undefined);
    });
    expect(names).toEqual([]);
  });

  test('begins anew after a save', () => {
    const names = changed((history) => {
      history.written('LocationName', 'a', 'b');
      history.called('WriteEeprom', undefined);
      history.written('ScanDataEnable', false, true);
    });
    expect(names).toEqual(['ScanDataEnable']);
  });
});
