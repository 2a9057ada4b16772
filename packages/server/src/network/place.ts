/** Where something listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The URL that a web server answers under. */
export function urlOf({ host, port }: Place): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
