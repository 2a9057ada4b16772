import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import {
  checkScanner,
  editionSubject,
  htmlReport,
  jsonReport,
  junitReport,
  sarifReport,
  tableLines,
} from '../src/index.js';

const token = 'f3b0c442-98fc-4c14-9afb-f4c8996fb924';
const password = 'hangar-7-service';

/** A scanner that repeats all that it was sent, and says that everything is fine. */
async function echo(): Promise<{ readonly url: string; readonly proofs: ReadonlySet<string> }> {
  const proofs = new Set<string>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const sent = Buffer.concat(pieces).toString();
      for (const [, proof = ''] of sent.matchAll(/"response":"([^"]{20,})"/g)) proofs.add(proof);
      const { authorization = '' } = request.headers;
      if (authorization.length > 20) proofs.add(authorization.replace('Basic ', ''));
      const challenge = {
        ...{ realm: 'r', nonce: randomBytes(32).toString('hex') },
        ...{ opaque: randomBytes(32).toString('hex'), salt: [1, 2, 3] },
      };
      const data = { Token: token, SessionToken: token, authorization, password, sent };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ header: { status: 0, message: 'Ok' }, challenge, data }));
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, proofs };
}

test('no report has a password, a proof of one, or a token, also if the scanner repeats them', async () => {
  const { url, proofs } = await echo();
  const target = {
    ...{ url, passwords: { Service: password }, patienceSeconds: 0, timeoutMs: 1000 },
    clock: { now: () => Date.now(), wait: async () => undefined },
  };
  const scanner = {
    ...{ url, name: 'echo', version: '2.4.4.0R', serialNumber: '1', deviceType: 'x', orderNumber: '1' },
    release: '2.4.4',
    variant: 'full',
  } as const;
  const report = await checkScanner(
    target,
    { scanner, subject: editionSubject('2.4.4', 'full') },
    {
      stages: new Set(['read', 'write']),
      only: (id) => /^(auth|method\.CreateSessionToken)\./.test(id),
    },
  );
  const tool = { name: 'azimuth', version: '0' };
  const texts = [
    tableLines(report).join('\n'),
    JSON.stringify(jsonReport([report], tool)),
    junitReport([report]),
    JSON.stringify(sarifReport([report], tool)),
    htmlReport([report], tool),
  ];
  expect(report.counts.fail).toBeGreaterThan(20);
  expect(proofs.size).toBeGreaterThan(10);
  for (const text of texts)
    for (const secret of [password, token, ...proofs]) {
      const at = text.indexOf(secret);
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 60)).toBe('');
    }
});
