import { hash } from 'node:crypto';
import { objectIn, parse, stringIn } from '../json.js';
import { drive } from './drive.js';
import type { Exchange } from './exchange.js';
import { hash1Of } from './hash1.js';
import type { LoadResult, PostJob } from './jobs.js';
import { postRequest } from './requests.js';

/**
 * Each connection fetches a challenge and answers it with the POST, again and again. What depends on the password and
 * the salt alone is computed once, as any client would; two hashes are left for each operation.
 */
export async function postLoad(job: PostJob): Promise<LoadResult> {
  const { endpoint, user, password, payloads } = job;
  const path = `/api/${endpoint}`;
  const challengeRequest = postRequest('/api/getChallenge', JSON.stringify({ data: { user } }));
  let hash1 = '';
  let turn = 0;

  function answerOf(reply: string): string {
    const challenge = objectIn(parse(reply), 'challenge');
    const realm = stringIn(challenge, 'realm');
    const nonce = stringIn(challenge, 'nonce');
    const opaque = stringIn(challenge, 'opaque');
    if (hash1 === '') hash1 = hash1Of(user, realm, password, saltOf(challenge.salt));
    const response = hash('sha256', `${hash1}:${nonce}:${hash('sha256', `POST:${endpoint}`)}`);
    const header = JSON.stringify({ user, realm, nonce, opaque, response });
    const payload = payloads[turn++ % payloads.length];
    return postRequest(path, `{"header":${header}${payload === undefined ? '' : `,"data":${payload}`}}`);
  }

  return drive(job, (exchange: Exchange, again, window) => {
    let begun = 0;
    let lastBegun = 0;
    const challenged = (reply: string) => {
      const answer = answerOf(reply);
      lastBegun = performance.now();
      exchange.ask(answer, answered);
    };
    const answered = (reply: string) => {
      if (reply !== job.reply) throw new Error(`${endpoint} was refused: ${reply.slice(0, 200)}`);
      window.count(begun, lastBegun);
      if (again()) begin();
    };
    const begin = () => {
      begun = performance.now();
      exchange.ask(challengeRequest, challenged);
    };
    begin();
  });
}

function saltOf(salt: unknown): Uint8Array {
  if (!Array.isArray(salt)) throw new Error('salt: an array was expected');
  return Uint8Array.from(salt.map(Number));
}
