import type { IncomingMessage } from 'node:http';
import { HostAndOrigin } from './admission.js';
import type { AllowedNames } from './cross-origin.js';

/** Only own pages, and never those that --allowed-origin admits. */
const own = new HostAndOrigin();

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Headers that proxies add, and neither browsers nor our own programs do. */
const ofProxies = new RegExp(
  `^(?:${[
    'forwarded|via|client-ip|remote-addr|traceparent|b3|x-b3-.+',
    'x-forwarded(?:-.+)?|z-forwarded-.+|x-original-.+|x-(?:host|remote-addr|varnish)',
    'x-(?:real|client|cluster-client|remote|originating|proxyuser)-ip|x-(?:request|correlation)-id',
    'x-(?:envoy|amzn|appengine|azure|arr|proxy)-.+|(?:wl-)?proxy-.+',
    '(?:cf|cdn|true|fastly|incap|akamai|ali-cdn)-.+',
  ].join('|')})$`,
  'i',
);

/** Requests of gateways: they tell by themselves, with X-Forwarded-For, whether a request has come to them from elsewhere. */
const vouched = new WeakSet<IncomingMessage>();

/** Requests that came to a port behind a proxy. */
const behindProxy = new WeakSet<IncomingMessage>();

/** A gateway that knows the key of the deployment has sent this request: it counts as one of a program on this computer. */
export function vouchFor(request: IncomingMessage): void {
  vouched.add(request);
}

/** The port that this request has come to is behind a proxy: it counts as one from elsewhere. */
export function noteProxy(request: IncomingMessage): void {
  behindProxy.add(request);
}

/**
 * Does this request come from a program on this computer, or from a page of the scanner that this computer shows? The address of
 * the peer decides, and never a header: headers can only tell that the request is from elsewhere. A proxy on this computer has a
 * loopback address, too. It shows by a header of proxies, by another host than those of loopback, or by HTTP/1.0, which proxies
 * speak that nobody has told otherwise.
 */
export function isFromThisComputer(request: IncomingMessage): boolean {
  const { headers, httpVersionMinor, rawHeaders, socket } = request;
  return (
    (vouched.has(request) || loopbackAddress.test(socket.remoteAddress ?? '')) &&
    !behindProxy.has(request) &&
    httpVersionMinor > 0 &&
    loopbackHost.test(headers.host ?? '') &&
    !rawHeaders.some((name, index) => index % 2 === 0 && ofProxies.test(name)) &&
    own.refusalOf(request) === undefined
  );
}

/**
 * Do programs on this computer have rights of their own at a port? A name that others know it by means that a proxy is in front
 * of it, which need not show: then nobody has them, unless `localRights` says so.
 */
export function hasLocalRights({ hosts = [], localRights }: AllowedNames = {}): boolean {
  return localRights ?? hosts.length === 0;
}
