import type { Server, ServerResponse } from 'node:http';
import {
  Admission,
  type Closable,
  Connections,
  errorLineOf,
  errorReport,
  HostAndOrigin,
  HttpPort,
  listen,
  processText,
  prometheusText,
  prometheusType,
  type RequestContext,
  respondJson,
  respondSite,
  respondText,
  type Site,
  sendBytes,
  siteAnswer,
  sitePaths,
  TimedCache,
  Traffic,
} from '@azimuth/http';
import { mostLocalConnections } from '@azimuth/http/limits';
import type { Monitor } from '../monitor.js';
import { scannerJson } from '../page/scanner-list.js';
import { statusPage, statusPolicy } from '../page/status-page.js';
import { monitorMetrics } from './monitor-metrics.js';

export interface MonitorPortOptions {
  readonly monitor: Monitor;
  /** What the monitor knows of its scanners, for pages. */
  readonly site: Site;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Host names besides those of this computer under which it may be requested. */
  readonly allowedHosts?: readonly string[];
  readonly reportError: (error: unknown) => void;
}

/** Something that the port shows. */
interface Content {
  readonly mediaType: string;
  /** Policy that tells a browser what it may load for it. */
  readonly policy?: string;
  readonly text: () => Promise<string>;
}

/**
 * The port of a monitor: a page with all scanners, the same as JSON, their history and the log for other pages, `/metrics` and
 * `/healthz`. It has no login.
 */
export class MonitorPort {
  readonly #options: MonitorPortOptions;
  readonly #contents: ReadonlyMap<string, Content>;
  #server: (Server & Closable) | undefined;

  constructor(options: MonitorPortOptions) {
    this.#options = options;
    this.#contents = contentsOf(options.monitor);
  }

  /** Opens it, and returns its port. @throws PortTaken */
  async open(): Promise<number> {
    const { host, port, allowedHosts = [], reportError } = this.#options;
    const errors = errorReport((_, error) => reportError(error));
    const hostAndOrigin = new HostAndOrigin({ hosts: allowedHosts });
    const http = new HttpPort({
      errors,
      connections: new Connections(mostLocalConnections, reportError),
      admission: new Admission({
        check: (context, head) => hostAndOrigin.refusalOf(context.request, head),
        counts: new Traffic(),
        respond: (response, { httpStatus, why }) => respondJson(response, httpStatus, { error: why }),
      }),
      serve: (context, response) =>
        context.respondInTurn(response, () =>
          errors.contain(
            'http',
            () => this.#serve(context, response),
            () => response.destroy(),
          ),
        ),
      refusalBody: errorLineOf,
    });
    this.#server = http.listener();
    return listen(this.#server, host, port, '--port');
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #serve({ request }: RequestContext, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    const [path = ''] = url.split('?', 1);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      respondText(response, 405, `expected GET, got ${request.method}`);
      return;
    }
    if (sitePaths.includes(path)) {
      request.resume();
      return respondSite(response, await siteAnswer(this.#options.site, url));
    }
    const content = this.#contents.get(path);
    if (content === undefined) {
      const known = [...this.#contents.keys(), ...sitePaths].join(', ');
      respondText(response, 404, `Nothing is at ${path.slice(0, 200)}; expected one of ${known}`);
      return;
    }
    request.resume();
    const body = Buffer.from(await content.text());
    if (content.policy !== undefined) response.setHeader('Content-Security-Policy', content.policy);
    sendBytes(response, content.mediaType, body);
  }
}

/** Returns the contents by their paths. Each is made at most once a second, for all clients. */
function contentsOf(monitor: Monitor): ReadonlyMap<string, Content> {
  const contents: Readonly<Record<string, Content>> = {
    '/': {
      mediaType: 'text/html; charset=utf-8',
      policy: statusPolicy,
      text: async () => statusPage(monitor.snapshots, monitor.now),
    },
    '/scanners': {
      mediaType: 'application/json',
      text: async () => `${JSON.stringify(monitor.snapshots.map(scannerJson))}\n`,
    },
    '/metrics': {
      mediaType: prometheusType,
      text: async () => (await prometheusText(monitorMetrics(monitor))) + (await processText()),
    },
    '/healthz': { mediaType: 'text/plain; charset=utf-8', text: async () => 'ok\n' },
  };
  return new Map(
    Object.entries(contents).map(([path, content]) => {
      const cache = new TimedCache(content.text);
      return [path, { ...content, text: () => cache.get() }];
    }),
  );
}
