import { isObject } from '@azimuth/model';
import type { Placing } from './placing.js';

/** A picture as this browser keeps it. */
interface StoredPicture {
  readonly name: string;
  readonly picture: Blob;
  readonly placing: Placing;
}

/** Names in the storage. */
const place = { database: 'azimuth', store: 'pictures', key: 'background' } as const;
const placingKey = 'background-placing';

export async function storedPicture(): Promise<StoredPicture | undefined> {
  const found: unknown = await inStore('readonly', (store) => store.get(place.key));
  if (!isObject(found)) return undefined;
  const { name, picture, placing } = found;
  if (typeof name !== 'string' || !(picture instanceof Blob) || !isObject(placing)) return undefined;
  return { name, picture, placing: placingOf(storedPlacing(name) ?? placing) };
}

/** Stores a picture in place of the one before; undefined removes it. */
export async function storePicture(picture: StoredPicture | undefined): Promise<void> {
  // Requests of one page reach the database one after the other: the last picture stays.
  if (picture === undefined) localStorage.removeItem(placingKey);
  else storePlacing(picture.name, picture.placing);
  await inStore('readwrite', (store) =>
    picture === undefined ? store.delete(place.key) : store.put(picture, place.key),
  );
}

/**
 * Stores where the picture of this name is now. It is stored when this returns: a page that is closed at once would lose
 * what it has only begun to write into a database.
 */
export function storePlacing(name: string, placing: Placing): void {
  localStorage.setItem(placingKey, JSON.stringify({ name, placing }));
}

function storedPlacing(name: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(placingKey) ?? 'null');
    return isObject(json) && json.name === name && isObject(json.placing) ? json.placing : undefined;
  } catch {
    return undefined;
  }
}

/** Members that are no numbers become NaN. */
function placingOf({ scale, x, y, turn, opacity }: Readonly<Record<string, unknown>>): Placing {
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
  return { scale: number(scale), x: number(x), y: number(y), turn: number(turn), opacity: number(opacity) };
}

async function inStore(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(place.database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(place.store);
  const database = await resultOf(opening);
  try {
    return await resultOf<unknown>(act(database.transaction(place.store, mode).objectStore(place.store)));
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('not stored'));
  });
}
