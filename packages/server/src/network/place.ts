/** Where something listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Does a listener there have all addresses of this machine? */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The URL that a server answers under. */
export function urlOf({ host, port }: Place, scheme: 'http' | 'https' | 'tcp'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
