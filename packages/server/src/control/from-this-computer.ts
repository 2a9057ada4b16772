import type { IncomingMessage } from 'node:http';
import { HostAndOrigin } from '../http/admission.js';

/** Only own pages, and never those that --allowed-origin admits. */
const own = new HostAndOrigin();

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Does this request come from a program on this computer, or from a page of the scanner that this computer shows? A browser
 * names the host that it asks: another name than those of loopback means that a proxy or a foreign page is behind it.
 */
export function isFromThisComputer(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    own.refusalOf(request) === undefined
  );
}
