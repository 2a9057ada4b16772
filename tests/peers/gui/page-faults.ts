import type { Page } from 'playwright-core';

/** What a page does that it must not do: errors, warnings of the browser, requests to others. */
export class PageFaults {
  readonly #faults: string[] = [];

  /**
   * @param origin the only one that the page may talk to, such as `http://127.0.0.1:8080`
   * @param expected faults that are no faults in this test
   * @param follows another host where it goes, if it is to
   */
  constructor(page: Page, origin: string, expected: readonly RegExp[], follows?: string) {
    const hosts: readonly (string | undefined)[] = [new URL(origin).host, follows];
    const note = (fault: string) => {
      if (!expected.some((pattern) => pattern.test(fault))) this.#faults.push(fault);
    };
    // Violations of the Content-Security-Policy are console errors.
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!hosts.includes(url.host) && !['data:', 'blob:'].includes(url.protocol)) {
        note(`request to another host: ${request.url()}`);
      }
    });
    page.on('websocket', (socket) => {
      if (!hosts.includes(new URL(socket.url()).host)) note(`WebSocket to another host: ${socket.url()}`);
    });
  }

  get all(): readonly string[] {
    return this.#faults;
  }
}
