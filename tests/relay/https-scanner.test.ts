import { once } from 'node:events';
import { createServer } from 'node:https';
import { openControl } from '@azimuth/bridge/control';
import { Timeline } from '@azimuth/bridge/timeline';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { expect, onTestFinished, test } from 'vitest';

test('a scanner with HTTPS is asked only if its certificate is trusted, or nobody checks it', async () => {
  const issued = issue();
  const { contentCertificateBundle: cert, contentPrivateKey: key } = bundleOf([issued]);
  const server = createServer({ cert, key }, (_, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const statusThrough = async (trust: { readonly isUnchecked?: boolean; readonly ca?: string }) => {
    const control = await openControl({
      ...{ host: '127.0.0.1', ports: { http: 0 }, timeline: new Timeline(), target: { url, ...trust } },
      failed: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => control.close());
    return (await fetch(`http://127.0.0.1:${control.ports.http}/api/LocationName`)).status;
  };
  expect(await statusThrough({})).toBe(502);
  expect(await statusThrough({ ca: issued.certificate })).toBe(200);
  expect(await statusThrough({ isUnchecked: true })).toBe(200);
});
