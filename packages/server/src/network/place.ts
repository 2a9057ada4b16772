/** Where something listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The URL that a server answers under. */
export function urlOf({ host, port }: Place, scheme: 'http' | 'https' | 'tcp'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
