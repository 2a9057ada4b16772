import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import type { Journal } from '@azimuth/device/journal';
import { type Bodies, type RequestContext, respondForbidden, respondJson, type Traffic } from '@azimuth/http';
import { extensionPrefix, simulationPath } from '@azimuth/model';
import type { ControlInterface } from '../control/control-interface.js';
import type { PageTable } from '../pages/pages.js';
import { RestInterface } from '../rest/rest-interface.js';

interface Options {
  readonly device: Device;
  readonly traffic: Traffic;
  readonly bodies: Bodies;
  readonly journal: Journal | undefined;
  /** Pages of the scanner. Those under `/x/` are not served here. */
  readonly pageAt: PageTable;
  /** The control interface for pages of the scanner; undefined for none. */
  readonly simulation: ControlInterface | undefined;
  /** Returns true if a request comes from this computer. */
  readonly isLocal: (context: RequestContext) => boolean;
}

const extensionPath = `/${extensionPrefix}`;

/** Serves what is under `/x/`, which devices do not have: extensions, and the simulation. */
export class OwnPaths {
  readonly #options: Options;
  readonly #extensions: RestInterface;

  constructor(options: Options) {
    const { device, traffic, bodies, journal } = options;
    this.#options = options;
    this.#extensions = new RestInterface({ device, traffic, bodies, journal, names: 'extensions' });
  }

  /** Responds to a request for one of these paths. Returns false for any other request. */
  serves(path: string, context: RequestContext, response: ServerResponse): boolean {
    const { simulation, traffic, pageAt } = this.#options;
    if (isSimulation(path) && simulation?.isOpen === true) {
      this.#simulate(simulation, path, context, response);
      return true;
    }
    // Pages check for a simulation. That is not a mistake, which a browser would log.
    if (path === simulationPath && context.request.method === 'GET') {
      respondJson(response, 200, {});
      traffic.countPage(simulationPath, response.statusCode);
      return true;
    }
    // Clients that request an extension expect JSON: an unknown extension is refused like an unknown name under /api/.
    if (!path.startsWith(extensionPath) || pageAt(path) !== undefined) return false;
    this.#extensions.handle(path.slice(extensionPath.length), context, response);
    return true;
  }

  /** Serves the control port for pages of the scanner: only for browsers on this computer, as the port itself. */
  #simulate(
    simulation: ControlInterface,
    path: string,
    context: RequestContext,
    response: ServerResponse,
  ): void {
    const { request } = context;
    const { device, traffic, isLocal } = this.#options;
    if (!isLocal(context)) {
      request.resume();
      traffic.countRefusal('origin');
      respondForbidden(
        response,
        'the simulation is controlled from the computer on which the scanner runs, and not through a proxy; with --allowed-host, only if --local-rights says so',
      );
      return;
    }
    const release = context.hold();
    device.errors.contain(
      'control',
      async () => {
        try {
          await simulation.respond(path.slice(simulationPath.length + 1), request, response);
        } finally {
          traffic.countPage(simulationPath, response.statusCode);
          release();
        }
      },
      () => response.destroy(),
    );
  }
}

function isSimulation(path: string): boolean {
  return path === simulationPath || path.startsWith(`${simulationPath}/`);
}
