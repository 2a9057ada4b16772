import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { shown, unknownWords } from './fault-words.js';
import { jsonFault } from './json-fault.js';
import { parseScene } from './parse-scene.js';
import { SceneError } from './scene-error.js';
import type { Scene } from './scene-file.js';

/** The scenes that come with it. */
export const readyScenes: readonly string[] = [
  'empty-room',
  'warehouse-aisle',
  'conveyor',
  'gate',
  'vehicle-profile',
];

/** Bytes of the largest scene file that is read. */
const largestFile = 8 * 1024 * 1024;

/** @throws SceneError for a name that no ready scene has */
export function readyScene(name: string): Scene {
  if (!readyScenes.includes(name)) throw new SceneError(unknownScene(name));
  return sceneOf(readFileSync(fileOf(name), 'utf8'), `${name}.json`);
}

/**
 * A ready scene by its name, or a scene from a file. What looks like a path (a slash, or an end like .json) is one.
 * @throws SceneError for an unknown name, a file that cannot be read or is no JSON, and a scene with faults
 */
export async function loadScene(nameOrPath: string): Promise<Scene> {
  if (readyScenes.includes(nameOrPath)) return readyScene(nameOrPath);
  const looksLikePath = /[/\\]|\.\w+$/.test(nameOrPath);
  return sceneOf(await textOf(nameOrPath, looksLikePath), basename(nameOrPath));
}

function fileOf(name: string): URL {
  return new URL(`../../scenes/${name}.json`, import.meta.url);
}

function unknownScene(name: string): string {
  return `${unknownWords('scene ', [name], readyScenes)}; the ready scenes are ${readyScenes.join(', ')}`;
}

async function textOf(path: string, looksLikePath: boolean): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > largestFile)
      throw new SceneError(`${path}: expected at most ${largestFile} bytes, got ${size}`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof SceneError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw new SceneError(looksLikePath ? `${path}: there is no such file` : unknownScene(path));
    }
    throw new SceneError(`${path}: cannot be read (${String(code ?? error)})`);
  }
}

function sceneOf(text: string, name: string): Scene {
  // Editors of some systems put a byte order mark in front.
  const json = text.replace(/^\uFEFF/, '');
  return parseScene(parsed(json, name), name);
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    const { line, column, found } = jsonFault(json) ?? { line: 1, column: 1, found: undefined };
    const what = found === undefined ? 'the file ends too early' : `did not expect ${shown(found)}`;
    throw new SceneError(`${name}: line ${line}, column ${column}: no JSON, ${what}`);
  }
}
