import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { reasonOf } from '../firmware/reason.js';

/** The JSON object in a file, or on stdin for `-`. @throws CommandFailure */
export async function objectInFile(path: string): Promise<object> {
  const name = path === '-' ? 'stdin' : path;
  const content = await contentOf(path, name);
  try {
    const json: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    if (isObject(json)) return json;
  } catch (error) {
    throw new CommandFailure(`${name} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new CommandFailure(`${name} is no JSON object`);
}

async function contentOf(path: string, name: string): Promise<string> {
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandFailure(`${name} cannot be read: ${reasonOf(error)}`);
  }
}
