import { Scanner } from '@azimuth/client';
import type { SiteScanner } from '@azimuth/http/site';
import { TimeRole } from '@azimuth/model';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SiteActions } from '../../src/site-actions/site-actions.js';
import { clockAct, findAct, firmwareAct } from '../../src/site-actions/site-acts.js';

const row: SiteScanner = {
  ...{ path: '/s/0', url: 'http://10.0.0.1', name: 'Gate 1', group: '', state: 'Measuring' },
  ...{ severity: 'good', trouble: [] },
};

/** A client of a scanner in this process. */
async function clientOf(options: TestScannerOptions = {}): Promise<Scanner> {
  const { httpPort } = await TestScanner.start({ legacy: 'closed', ...options });
  return new Scanner({ url: `http://127.0.0.1:${httpPort}`, user: 'Service', password: 'servicelevel' });
}

test('the clock of a scanner that follows a server is not set by hand, also if the scanner tells its role alone', async () => {
  const client = await clientOf({ asDevice: true });
  expect(await clockAct.plan(client, row)).toMatchObject({ kind: 'changes' });
  await client.write('TSCRole', TimeRole.TX_CLIENT);
  expect(await clockAct.plan(client, row)).toEqual({
    ...{ kind: 'cannot', why: 'Its clock follows a server or a master.' },
  });
});

test('nobody else gets the login after a plan was cancelled', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    asked.push(String(url));
    throw new TypeError('nobody answers');
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const rows = Array.from({ length: 40 }, (_, index) => ({ ...row, path: `/s/${index}` }));
  const actions = new SiteActions((path) => `http://here${path}`);
  const checked = actions.check(findAct, rows, { user: 'Service', password: 'servicelevel' });
  actions.close();
  await checked;
  expect(new Set(asked.map((url) => /s\/(\d+)/.exec(url)?.[1])).size).toBeLessThanOrEqual(4);
  expect(actions.stage.value.kind).toBe('idle');
});

test('a file that is no firmware by its size is sent to nobody', async () => {
  const client = await clientOf();
  const empty = firmwareAct(new File([], 'empty.spk'));
  await expect(empty.plan(client, row)).rejects.toThrow('empty.spk');
  const some = firmwareAct(new File(['x'], 'x.spk'));
  expect(await some.plan(client, { ...row, firmware: '2.4.4' })).toEqual({
    ...{ kind: 'changes', lines: ['2.4.4 → x.spk'] },
  });
});
