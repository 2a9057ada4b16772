/** Headers by which proxies show: those of RFC 7239 and RFC 9110, and those of programs and services that are in wide use. */
export const forwardingHeaders: readonly string[] = [
  ...['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Server'],
  ...[
    'X-Forwarded',
    'X-Real-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Original-Forwarded-For',
    'X-Original-URL',
  ],
  ...['CF-Connecting-IP', 'CF-Ray', 'True-Client-IP', 'Fastly-Client-IP', 'Akamai-Origin-Hop', 'CDN-Loop'],
  ...[
    'X-Envoy-External-Address',
    'X-Amzn-Trace-Id',
    'X-Azure-ClientIP',
    'X-Appengine-User-IP',
    'X-Request-Id',
  ],
  ...[
    'Proxy-Authorization',
    'Proxy-Connection',
    'Client-IP',
    'WL-Proxy-Client-IP',
    'Traceparent',
    'x-FORWARDED-for',
  ],
];
