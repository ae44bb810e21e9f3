/** A client of a league's API, typed by its OpenAPI description. It has no dependencies. */

import type { components, paths } from "./schema.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Taking<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [m in M]: { responses: unknown } } ? P : never;
}[keyof paths];
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;
type Answers<O> = O extends { responses: infer All } ? All : never;
export type Answer<O> = {
  [S in keyof Answers<O>]: S extends 200 | 201 | 202 | 204 ? Json<Answers<O>[S]> : never;
}[keyof Answers<O>];
type At<O, Place extends "path" | "query"> = O extends {
  parameters: { [p in Place]: infer Given };
}
  ? { [p in Place]: Given }
  : O extends { parameters: { [p in Place]?: infer Given } }
    ? { [p in Place]?: Given }
    : unknown;
type Kinds<T> = T extends { content: infer Each } ? keyof Each : never;
type Form<T> = "multipart/form-data" extends Kinds<T> ? FormData : never;
type Sendable<T> = ("application/json" extends Kinds<T> ? Json<T> : never) | Form<T>;
type Body<O> = O extends { requestBody: infer Sent }
  ? { body: Sendable<Sent> }
  : O extends { requestBody?: infer Sent }
    ? { body?: Sendable<NonNullable<Sent>> }
    : unknown;
export type Input<O> = At<O, "path"> & At<O, "query"> & Body<O>;
type Loose = {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

export type Schemas = components["schemas"];

/** A request that the league refused, with the reason for people and for programs. */
export class Refused extends Error {
  readonly problem: Schemas["Problem"];

  constructor(problem: Schemas["Problem"]) {
    super(problem.detail);
    this.problem = problem;
  }
}

const ATTEMPTS = 5;
const BUSY = new Set([429, 502, 503, 504]);
/** Their answers have a secret, which a league does not keep, so they take no Idempotency-Key. */
const SECRETIVE = new Set<string>(["/api/v1/tokens/", "/api/v1/webhooks/", "/api/v1/webhooks/{id}/secret/"]);

const pause = (seconds: number) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** The seconds that a busy league asks for. Dates, which proxies may send, count as none. */
function asked(answer: Response | undefined): number {
  const seconds = Number(answer?.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(seconds) ? Math.min(seconds, 60) : 0;
}

export class Laurel {
  readonly #address: string;
  readonly #token: string | undefined;

  /** Without a token, only what visitors may see can be read. */
  constructor(address: string, token?: string) {
    this.#address = address;
    this.#token = token;
  }

  /**
   * Send a request, and return the answer.
   *
   * After a lost connection, or if the league is busy, it tries again, up to five times in all. A repeated write
   * has the same Idempotency-Key, so it takes effect once. Uploads, and requests that return a secret, take no key
   * and are sent only once. Throws `Refused` if the league says no.
   */
  async call<M extends Method, P extends Taking<M>>(
    method: M,
    path: P,
    input: Input<paths[P][M]>,
  ): Promise<Answer<paths[P][M]>> {
    const { path: places = {}, query = {}, body } = input as Loose;
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(places[name])),
    );
    const url = new URL(filled, this.#address);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.#token) headers["Authorization"] = `Bearer ${this.#token}`;
    const isUpload = body instanceof FormData;
    const takesKey = method !== "get" && !isUpload && !(method === "post" && SECRETIVE.has(path));
    if (takesKey) headers["Idempotency-Key"] = crypto.randomUUID();
    if (body !== undefined && !isUpload) headers["Content-Type"] = "application/json";
    const request: RequestInit = { method: method.toUpperCase(), headers };
    if (body !== undefined) request.body = isUpload ? body : JSON.stringify(body);
    const answer = await this.#send(url, request, method === "get" || takesKey ? ATTEMPTS : 1);
    const text = await answer.text();
    if (!answer.ok) throw new Refused(this.#problem(text, answer));
    return (text ? JSON.parse(text) : undefined) as Answer<paths[P][M]>;
  }

  async #send(url: URL, request: RequestInit, attempts: number): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      let answer: Response | undefined;
      try {
        answer = await fetch(url, request);
        if (attempt === attempts || !BUSY.has(answer.status)) return answer;
      } catch (error) {
        if (attempt === attempts) throw error;
      }
      await pause(Math.max(asked(answer), 0.5 * 2 ** attempt));
    }
  }

  /** What went wrong. A proxy in between may answer with something other than the API's JSON. */
  #problem(text: string, answer: Response): Schemas["Problem"] {
    if (answer.headers.get("Content-Type")?.startsWith("application/problem+json")) {
      return JSON.parse(text) as Schemas["Problem"];
    }
    const title = answer.statusText || String(answer.status);
    const instance = new URL(answer.url).pathname;
    return { type: "about:blank", title, status: answer.status, detail: title, instance, code: "", errors: [] };
  }
}
