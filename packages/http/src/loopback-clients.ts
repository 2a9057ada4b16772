import { HostAndOrigin } from './admission.js';
import type { RequestContext } from './connection.js';
import type { AllowedNames } from './cors.js';

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

/**
 * Does this request come from a program on this computer, or from a page of the scanner that this computer shows? The address of
 * the peer decides, and never a header: headers can only tell that the request is from elsewhere. A proxy on this computer has a
 * loopback address, too. It shows by a header of proxies, by another host than those of loopback, or by HTTP/1.0, which proxies
 * speak that nobody has told otherwise.
 */
export function isFromThisComputer({ request, isVouched, isBehindProxy }: RequestContext): boolean {
  const { headers, httpVersionMinor, rawHeaders, socket } = request;
  return (
    (isVouched || loopbackAddress.test(socket.remoteAddress ?? '')) &&
    !isBehindProxy &&
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
