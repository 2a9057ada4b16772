import { z } from 'zod';
import { sceneFile } from './scene-file.js';

/** The JSON Schema (draft 7, which editors know) of scene files, as in scenes/scene.schema.json. */
export function sceneJsonSchema(): object {
  return z.toJSONSchema(sceneFile, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // A draft 7 tuple may be shorter than its items unless it says how long it is.
      if (zodSchema._zod.def.type !== 'tuple' || !Array.isArray(jsonSchema.items)) return;
      jsonSchema.minItems = jsonSchema.items.length;
      jsonSchema.maxItems = jsonSchema.items.length;
    },
  });
}
