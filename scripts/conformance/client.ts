import { type RawHeader, sendRaw } from './raw-request.ts'

/** The only thing here that connects: to one origin, so many times and so long. */

export interface Asked {
  readonly method: string
  /** Below the root of the API, its query included. */
  readonly path: string
  /** Which of the tokens given, by its name; none is sent where it is left out. */
  readonly as?: TokenName | undefined
  /** A text that is no token of anybody. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is sent as it is, whether JSON or not. */
  readonly rawBody?: string
  /**
   * Headers that follow all others and may repeat them. If present, even empty, the request is written byte by byte and
   * its path keeps dot segments.
   */
  readonly rawHeaders?: readonly RawHeader[]
}

export type TokenName = 'token' | 'other-token' | 'narrow-token'

export const tokenNames = ['token', 'other-token', 'narrow-token'] as const satisfies readonly TokenName[]

/** The variables that hold them: a token on a command line is shown to all who list processes. */
export const tokenVariables: Readonly<Record<TokenName, string>> = {
  token: 'COMMERCE_TOKEN',
  'other-token': 'COMMERCE_OTHER_TOKEN',
  'narrow-token': 'COMMERCE_NARROW_TOKEN',
}

export interface Answered {
  readonly asked: Asked
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly body: unknown
}

export interface Client {
  ask(asked: Asked): Promise<Answered>
  /** A page of the service beside the API; undefined where it is of another host, which is not asked. */
  open(address: string): Promise<{ readonly status: number } | undefined>
  /** What is at the address that an answer gives; undefined where that is not in the API. */
  follow(address: string): Promise<Answered | undefined>
  curl(asked: Asked): string
  readonly requests: () => number
}

/** Thrown when the requests or the seconds allowed are used up. */
export class Exhausted extends Error {}

/** Longer than any operation holds an answer back for news. */
const requestTimeoutMs = 45_000

export interface ClientOptions {
  readonly root: URL
  readonly tokens: Readonly<Partial<Record<TokenName, string>>>
  readonly maxRequests: number
  readonly maxSeconds: number
}

export function openClient({ root, tokens, maxRequests, maxSeconds }: ClientOptions): Client {
  const endsAt = performance.now() + maxSeconds * 1000
  let requests = 0
  const base = root.href.replace(/\/$/, '')
  /** Counts a request, and returns how many milliseconds it may take. */
  const begin = (): number => {
    const leftMs = Math.floor(endsAt - performance.now())
    if (leftMs <= 0) throw new Exhausted(`The ${maxSeconds} seconds allowed are over.`)
    if (requests >= maxRequests) throw new Exhausted(`The ${maxRequests} requests allowed are used up.`)
    requests += 1
    return Math.min(leftMs, requestTimeoutMs)
  }
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    if (url.origin !== root.origin) throw new Error(`${url.origin} is not the service.`)
    // A redirect could lead anywhere, and is an answer like any other.
    return fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(begin()) })
  }
  const ask = async (asked: Asked): Promise<Answered> => {
    const token = asked.token ?? (asked.as === undefined ? undefined : tokens[asked.as])
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headersOf(asked),
    }
    if (asked.rawHeaders !== undefined) {
      const target = new URL(base).pathname.replace(/\/$/, '') + asked.path
      const all = [...Object.entries(headers), ...asked.rawHeaders]
      const raw = await sendRaw(root, { method: asked.method, target, headers: all, body: bodyOf(asked).body }, begin())
      return { asked, ...raw, body: parsed(raw.text) }
    }
    const response = await send(new URL(base + asked.path), { method: asked.method, headers, ...bodyOf(asked) })
    const text = await response.text()
    return { asked, status: response.status, headers: response.headers, text, body: parsed(text) }
  }
  return {
    requests: () => requests,
    ask,
    follow: async (address) => {
      const { href } = new URL(address, root)
      return href.startsWith(`${base}/`)
        ? ask({ method: 'GET', path: href.slice(base.length), as: 'token' })
        : undefined
    },
    open: async (address) => {
      const url = new URL(address, root)
      if (url.origin !== root.origin) return undefined
      const response = await send(url, { method: 'GET' })
      await response.body?.cancel()
      return { status: response.status }
    },
    curl: (asked) => curlOf(base, asked),
  }
}

function headersOf(asked: Asked): Record<string, string> {
  const hasBody = asked.body !== undefined || asked.rawBody !== undefined
  return { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...asked.headers }
}

function bodyOf({ body, rawBody }: Asked): { body?: string } {
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

/** A body longer than this is cut in what is printed: a terminal holds no megabyte. */
const shownBodyMax = 8_000

/** The request as a line to paste. Tokens stay out of it: it ends up in logs. */
function curlOf(base: string, asked: Asked): string {
  const bearer =
    asked.token === undefined
      ? asked.as && `-H "Authorization: Bearer $${tokenVariables[asked.as]}"`
      : `-H ${quoted(`Authorization: Bearer ${asked.token}`)}`
  const sent = [...Object.entries(headersOf(asked)), ...(asked.rawHeaders ?? [])]
  const headers = sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const { body } = bodyOf(asked)
  const method = asked.method === 'HEAD' ? '-I' : `-X ${asked.method}`
  const data = body === undefined ? [] : [`--data-raw ${quoted(body.slice(0, shownBodyMax))}`]
  const asIs = asked.rawHeaders === undefined ? undefined : '--path-as-is'
  return ['curl -i', asIs, method, quoted(base + asked.path), bearer, ...headers, ...data].filter(Boolean).join(' ')
}

/** Control characters are escaped, because a terminal would execute them. */
function quoted(text: string): string {
  const controls = /[^\P{Cc}\t\n\r]/gu
  if (controls.test(text)) {
    const escaped = text.replaceAll(/[\\']/g, '\\$&')
    return `$'${escaped.replaceAll(controls, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`
  }
  return `'${text.replaceAll("'", `'\\''`)}'`
}
