import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { methodsOf } from './method.js';
import { variablesOf } from './values-of-variable.js';

const place = 'Azimuth: paths outside of the interface';

/** Cases about what scanners of Azimuth have beside the interface. Other scanners are not tested. */
export function descriptionCases(subject: CheckSubject): readonly ConformanceCase[] {
  return [openApi(subject), ...pages];
}

/** The description names what the scanner has, and nothing that it does not have. */
function openApi(subject: CheckSubject): ConformanceCase {
  const there = [...variablesOf(subject), ...methodsOf(subject)].map(({ name }) => name);
  const all = [...subject.known.variables, ...subject.known.methods].map(({ name }) => name);
  const absent = all.filter((name) => !there.includes(name));
  return {
    id: 'interface.description',
    clause: '/openapi.json describes the names that the scanner has, and no others of the interface.',
    place,
    level: 'informational',
    stage: 'read',
    steps: [
      get('/openapi.json', { http: 200 }, { requires: 'there is no /openapi.json' }),
      get('/openapi.json', {
        body: {
          has: {
            paths: {
              has: {
                ...Object.fromEntries(there.map((name) => [`/api/${name}`, { present: true }])),
                ...Object.fromEntries(absent.map((name) => [`/api/${name}`, { absent: true }])),
              },
            },
          },
        },
      }),
    ],
  };
}

function page(id: string, path: string, clause: string, type: string): ConformanceCase {
  return {
    id: `interface.${id}`,
    clause,
    place,
    level: 'informational',
    stage: 'read',
    steps: [
      get('/openapi.json', { http: 200 }, { requires: 'there is no /openapi.json' }),
      get(path, { http: 200, headers: { 'content-type': { pattern: type } } }),
    ],
  };
}

const pages: readonly ConformanceCase[] = [
  page('healthz', '/healthz', '/healthz answers HTTP 200 while the scanner is up.', '.'),
  page('docs', '/docs', '/docs is a page for browsers that shows the description.', '^text/html'),
  page('metrics', '/metrics', '/metrics has counters as Prometheus reads them.', '^text/plain'),
  {
    id: 'interface.extension-envelope',
    clause: 'A name under /x/ that does not exist answers as under /api/: HTTP 200 with status 5.',
    place,
    level: 'informational',
    stage: 'read',
    steps: [
      get('/openapi.json', { http: 200 }, { requires: 'there is no /openapi.json' }),
      get('/x/ThereIsNoSuchName', { status: 5 }),
    ],
  },
  {
    id: 'interface.stored',
    clause: '/x/stored has the stored value of each parameter.',
    place,
    level: 'informational',
    stage: 'read',
    steps: [
      get('/openapi.json', { http: 200 }, { requires: 'there is no /openapi.json' }),
      get('/x/stored', {
        status: 0,
        data: { has: { LocationName: { ofVariable: 'LocationName' } } },
      }),
    ],
  },
];
