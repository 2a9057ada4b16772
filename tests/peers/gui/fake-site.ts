import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { respondText, type SiteScanner, sendGui, siteListOf } from '@azimuth/http';
import { onTestFinished } from 'vitest';

const folder = fileURLToPath(new URL('../../../packages/web/dist', import.meta.url));

/** A server of the pages whose list of scanners the test decides. It reaches none of them. */
export interface FakeSite {
  /** Of its pages. */
  readonly url: string;
  /** The list from now on. */
  show(scanners: readonly SiteScanner[]): void;
  /** Answers the next queries with this text in place of a list; undefined ends that. */
  answer(text: string | undefined): void;
  /** The queries so far. */
  readonly queries: readonly string[];
}

/** A row of a scanner that measures and about which everything is known. */
export function rowOf(number: number, changes: Partial<SiteScanner> = {}): SiteScanner {
  return {
    ...{ path: `/s/${number}`, url: `http://10.0.${number >> 8}.${number & 255}`, name: `Gate ${number}` },
    ...{ group: `Hall ${number % 7}`, location: `North ${number}`, state: 'Measuring', severity: 'good' },
    ...{ serialNumber: `24${String(number).padStart(5, '0')}`, firmware: '2.4.4.0R', trouble: [] },
    ...{ unsaved: 0, drift: 0, clockOffset: 0.2, temperature: 41.5 },
    certificateUntil: Date.now() + 400 * 86_400_000,
    scans: { rate: 15, expectedRate: 15, lossShare: 0 },
    ...changes,
  };
}

/** A list that the test decides, until the test ends. */
export async function fakeSite(scanners: readonly SiteScanner[]): Promise<FakeSite> {
  let list = scanners;
  let instead: string | undefined;
  const queries: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://here');
    if (pathname === '/site') {
      queries.push(search);
      response.setHeader('Content-Type', 'application/json');
      response.end(instead ?? JSON.stringify(siteListOf(list, searchParams, { history: false, log: false })));
    } else if (pathname.startsWith('/s/')) respondText(response, 502, 'It does not answer.');
    else void sendGui(folder, pathname, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}/?scanners`,
    queries,
    show: (rows) => {
      list = rows;
    },
    answer: (text) => {
      instead = text;
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens nowhere');
  return address.port;
}
