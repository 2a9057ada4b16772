import type { IncomingMessage } from 'node:http';
import { HostAndOrigin } from '../http/admission.js';

/** Only own pages, and never those that --allowed-origin admits. */
const own = new HostAndOrigin();

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Requests of gateways: they tell by themselves, with X-Forwarded-For, whether a request has come to them from elsewhere. */
const vouched = new WeakSet<IncomingMessage>();

/** A gateway that knows the key of the deployment has sent this request: it counts as one of a program on this computer. */
export function vouchFor(request: IncomingMessage): void {
  vouched.add(request);
}

/**
 * Does this request come from a program on this computer, or from a page of the scanner that this computer shows? A browser
 * names the host that it asks: another name than those of loopback means that a proxy or a foreign page is behind it.
 */
export function isFromThisComputer(request: IncomingMessage): boolean {
  const { headers, socket } = request;
  return (
    (vouched.has(request) || loopbackAddress.test(socket.remoteAddress ?? '')) &&
    loopbackHost.test(headers.host ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    own.refusalOf(request) === undefined
  );
}
