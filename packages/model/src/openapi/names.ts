/** The path that everything of the specification stands under. */
export const basePath = '/api/';

/** An endpoint's name as a part of another one: `crown/file` is `CrownFile`. */
export function capitalised(name: string): string {
  return name
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** Names of operations; stable, since generated clients call their functions by them. */
export const operationIds = {
  read: (name: string) => `read${capitalised(name)}`,
  write: (name: string) => `write${capitalised(name)}`,
  call: (name: string) => `call${capitalised(name)}`,
  file: {
    GET: (name: string) => `download${capitalised(name)}`,
    PUT: (name: string) => `upload${capitalised(name)}`,
    POST: (name: string) => `post${capitalised(name)}`,
  },
} as const;
