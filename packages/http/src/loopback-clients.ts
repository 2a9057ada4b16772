import { HostAndOrigin } from './admission.js';
import type { RequestContext } from './connection.js';
import type { AllowedNames } from './cors.js';

/** Only pages of this scanner, not those that --allowed-origin admits. */
const ownPages = new HostAndOrigin();

const loopbackAddress = /^(?:::ffff:)?127\.|^::1$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Headers that proxies add, and that neither browsers nor our own programs send. */
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
 * Returns true if this request comes from a program on this computer, or from a page of the scanner that this computer
 * shows. The address of the peer decides. A header can only show that the request is from elsewhere. A proxy on this
 * computer has a loopback address, too. It is recognised by a header of proxies, by a host other than those of
 * loopback, or by HTTP/1.0, which proxies use by default.
 */
export function isFromThisComputer({
  request,
  isFromGateway: isVouched,
  isBehindProxy,
}: RequestContext): boolean {
  const { headers, httpVersionMinor, rawHeaders, socket } = request;
  return (
    (isVouched || loopbackAddress.test(socket.remoteAddress ?? '')) &&
    !isBehindProxy &&
    httpVersionMinor > 0 &&
    loopbackHost.test(headers.host ?? '') &&
    !rawHeaders.some((name, index) => index % 2 === 0 && ofProxies.test(name)) &&
    ownPages.refusalOf(request) === undefined
  );
}

/**
 * Returns true if programs on this computer have rights of their own at a port. If the port has a name that others
 * know, a proxy is in front of it, which may not show. Programs then have no such rights, unless `localRights` says so.
 */
export function hasLocalRights({ hosts = [], localRights }: AllowedNames = {}): boolean {
  return localRights ?? hosts.length === 0;
}
