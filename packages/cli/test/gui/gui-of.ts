import { GuiServer } from '../../src/gui/gui-server.js';
import { WatchedSite } from '../../src/gui/watched-site.js';

/** The server of `azimuth gui` for scanners at these addresses. @param folder of the pages */
export function guiOf(folder: string, ...urls: readonly string[]): GuiServer {
  const scanners = urls.map((url) => ({ url, name: url, group: '' }));
  return new GuiServer({ folder, host: '127.0.0.1', port: 0, scanners, site: new WatchedSite(scanners) });
}
