import { setTimeout as wait } from 'node:timers/promises'
import { type RawHeader, sendRaw } from './raw-request.ts'

/**
 * The HTTP client of the conformance run. It connects to one origin only, and limits the number of requests and the
 * duration of the run.
 */

export interface ApiRequest {
  readonly method: string
  /** Path of the request below the root of the API, with the query. */
  readonly path: string
  /** Name of the configured token to send. Undefined sends no token at all. */
  readonly as?: TokenName | undefined
  /** Invalid token to send in place of a configured one. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Request body that is sent unchanged, whether or not it is JSON. */
  readonly rawBody?: string
  /**
   * Additional headers. They are sent last and may repeat earlier ones. If this list is set, even to an empty list, the
   * request is written directly to the socket, and dot segments in its path are sent unchanged.
   */
  readonly rawHeaders?: readonly RawHeader[]
}

export type TokenName = 'token' | 'other-token' | 'narrow-token'

export const tokenNames = ['token', 'other-token', 'narrow-token'] as const satisfies readonly TokenName[]

/**
 * Environment variable of each token. A token among the command line arguments would be visible to every user who can
 * list processes.
 */
export const tokenVariables: Readonly<Record<TokenName, string>> = {
  token: 'COMMERCE_TOKEN',
  'other-token': 'COMMERCE_OTHER_TOKEN',
  'narrow-token': 'COMMERCE_NARROW_TOKEN',
}

export interface ApiResponse {
  readonly request: ApiRequest
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed JSON body. Undefined when the text is not JSON. */
  readonly body: unknown
}

export interface Client {
  send(request: ApiRequest): Promise<ApiResponse>
  /**
   * Requests a documentation page that is not part of the API. Returns undefined, and sends no request, when the page
   * is on another host.
   */
  open(address: string): Promise<{ readonly status: number } | undefined>
  /** Requests the URL in a `Location` header. Returns undefined when the URL is outside the API. */
  follow(address: string): Promise<ApiResponse | undefined>
  curl(request: ApiRequest): string
  readonly requests: () => number
}

/** Thrown when the conformance run has used up its number of requests or its time. */
export class Exhausted extends Error {}

/**
 * Timeout of a request: longer than the longest wait timeout that a client may request from a long-polling operation.
 */
const requestTimeoutMs = 45_000

/**
 * Maximum wait after a 429 response. A run may exceed the rate limits of a service, so it waits as long as the response
 * says.
 */
const limitedMaxSeconds = 60
const limitedMaxAttempts = 10

export interface ClientOptions {
  readonly root: URL
  readonly tokens: Readonly<Partial<Record<TokenName, string>>>
  readonly maxRequests: number
  readonly maxSeconds: number
  readonly onResponse?: ((response: ApiResponse) => void) | undefined
}

export function openClient({ root, tokens, maxRequests, maxSeconds, onResponse }: ClientOptions): Client {
  const endsAt = performance.now() + maxSeconds * 1000
  let requests = 0
  const base = root.href.replace(/\/$/, '')
  /** Counts a request against the limit of the run and returns the request's timeout in milliseconds. */
  const begin = (): number => {
    const leftMs = Math.floor(endsAt - performance.now())
    if (leftMs <= 0) throw new Exhausted(`The time limit of ${maxSeconds} s is over.`)
    if (requests >= maxRequests) throw new Exhausted(`The limit of ${maxRequests} requests is reached.`)
    requests += 1
    return Math.min(leftMs, requestTimeoutMs)
  }
  const fetchUrl = async (url: URL, init: RequestInit): Promise<Response> => {
    if (url.origin !== root.origin) throw new Error(`${url.origin} is not the origin of the service.`)
    // Redirects are not followed, because they could lead to another host. A redirect is validated like any other
    // response.
    return fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(begin()) })
  }
  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    for (let attempt = 1; ; attempt++) {
      const response = await sendOnce(request)
      onResponse?.(response)
      const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
      const isLimited = response.status === 429 && seconds >= 1 && seconds <= limitedMaxSeconds
      if (!isLimited || attempt >= limitedMaxAttempts) return response
      await wait(seconds * 1000)
    }
  }
  const sendOnce = async (request: ApiRequest): Promise<ApiResponse> => {
    const token = request.token ?? (request.as === undefined ? undefined : tokens[request.as])
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headersOf(request),
    }
    if (request.rawHeaders !== undefined) {
      const target = new URL(base).pathname.replace(/\/$/, '') + request.path
      const all = [...Object.entries(headers), ...request.rawHeaders]
      const raw = await sendRaw(
        root,
        { method: request.method, target, headers: all, body: bodyOf(request).body },
        begin(),
      )
      return { request, ...raw, body: parsed(raw.text) }
    }
    const response = await fetchUrl(new URL(base + request.path), {
      method: request.method,
      headers,
      ...bodyOf(request),
    })
    const text = await response.text()
    return { request, status: response.status, headers: response.headers, text, body: parsed(text) }
  }
  return {
    requests: () => requests,
    send,
    follow: async (address) => {
      const { href } = new URL(address, root)
      return href.startsWith(`${base}/`)
        ? send({ method: 'GET', path: href.slice(base.length), as: 'token' })
        : undefined
    },
    open: async (address) => {
      const url = new URL(address, root)
      if (url.origin !== root.origin) return undefined
      const response = await fetchUrl(url, { method: 'GET' })
      await response.body?.cancel()
      return { status: response.status }
    },
    curl: (request) => curlOf(base, request),
  }
}

function headersOf(request: ApiRequest): Record<string, string> {
  const hasBody = request.body !== undefined || request.rawBody !== undefined
  return { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...request.headers }
}

function bodyOf({ body, rawBody }: ApiRequest): { body?: string } {
  if (rawBody !== undefined) return { body: rawBody }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Longer bodies are truncated in the output, so that the terminal stays readable. */
const shownBodyMax = 8_000

/**
 * Returns the request as a curl command. Configured tokens appear as shell variables, because the output may be logged.
 */
function curlOf(base: string, request: ApiRequest): string {
  const bearer =
    request.token === undefined
      ? request.as && `-H "Authorization: Bearer $${tokenVariables[request.as]}"`
      : `-H ${quoted(`Authorization: Bearer ${request.token}`)}`
  const sent = [...Object.entries(headersOf(request)), ...(request.rawHeaders ?? [])]
  const headers = sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const { body } = bodyOf(request)
  const method = request.method === 'HEAD' ? '-I' : `-X ${request.method}`
  const data = body === undefined ? [] : [`--data-raw ${quoted(body.slice(0, shownBodyMax))}`]
  const asIs = request.rawHeaders === undefined ? undefined : '--path-as-is'
  return ['curl -i', asIs, method, quoted(base + request.path), bearer, ...headers, ...data].filter(Boolean).join(' ')
}

/** Quotes a text for the shell. Control characters are escaped, because a terminal would interpret them. */
function quoted(text: string): string {
  const controls = /[^\P{Cc}\t\n\r]/gu
  if (controls.test(text)) {
    const escaped = text.replaceAll(/[\\']/g, '\\$&')
    return `$'${escaped.replaceAll(controls, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`
  }
  return `'${text.replaceAll("'", `'\\''`)}'`
}
