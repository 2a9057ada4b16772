import { raw } from '../../steps/index.js';
import { caseList } from '../case-list.js';
import { getHead, ok, refused } from './requests.js';

const call = 'POST /api/GetWebserverEnabled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

/** A read with so many lines of headers, Host included. */
function withHeaders(count: number): string {
  const lines = Array.from({ length: count - 1 }, (_, index) => `h${index}: \r\n`);
  return `${getHead}${lines.join('')}\r\n`;
}

/** Limits of requests. */
export const limitCases = caseList(
  'http.limit',
  { place: 'Azimuth: limits.md, Sizes', level: 'should', stage: 'read' },
  {
    id: 'headers',
    clause: 'Headers of 15 KiB are read.',
    steps: [raw(`${getHead}A: ${'a'.repeat(15 * 1024)}\r\n\r\n`, ok)],
  },
  {
    id: 'long-headers',
    clause: 'Headers of more than 16 KiB are refused with HTTP 431.',
    steps: [refused(`${getHead}A: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 431)],
  },
  {
    id: 'long-path',
    clause: 'A request line of more than 16 KiB is refused with HTTP 431.',
    steps: [refused(`GET /api/${'a'.repeat(17 * 1024)} HTTP/1.1\r\nHost: {host}\r\n\r\n`, 431)],
  },
  { id: 'header-lines', clause: '200 lines of headers are read.', steps: [raw(withHeaders(200), ok)] },
  {
    id: 'many-header-lines',
    clause: 'More than 200 lines of headers are refused with HTTP 431.',
    steps: [refused(withHeaders(201), 431)],
  },
  {
    id: 'waiting-requests',
    clause: '100 POSTs that come at once on a connection are all answered.',
    place: 'Azimuth: limits.md, Pipelining',
    steps: [
      raw(
        { repeat: call, times: 100 },
        Array.from({ length: 100 }, () => ok),
      ),
    ],
  },
);
