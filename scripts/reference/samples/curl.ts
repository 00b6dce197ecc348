import { type Dialect, layOut } from './layout.ts'
import type { SampledOperation, SampleRequest } from './request.ts'

const json: Dialect = {
  indent: '  ',
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  constants: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  trailingComma: '',
}

/** Returns a code sample for any POSIX shell with curl. */
export function curlSample({ request, preparation }: SampledOperation): string {
  if (preparation === undefined) return curl('curl', request)
  const { noun, idPrefix } = preparation
  const id = `${curl('curl -s', preparation.request)} | grep -o '${idPrefix}[0-9a-z]*' | head -n 1`
  return `${noun}=$(${id})\n\n${curl('curl', request, noun)}`
}

function curl(command: string, { method, url, isPublic, body, idempotencyKey }: SampleRequest, noun = ''): string {
  const words = [
    `${command} ${isImplied(method, body) ? '' : `-X ${method} `}${quotedUrl(url.replace('{id}', `$${noun}`))}`,
  ]
  // In the sample, the token is in double quotes, because the shell expands variables in double quotes but not in
  // single quotes.
  if (!isPublic) words.push('-H "Authorization: Bearer $COMMERCE_TOKEN"')
  if (idempotencyKey !== undefined) words.push(`-H 'Idempotency-Key: ${idempotencyKey}'`)
  if (body !== undefined) {
    words.push("-H 'Content-Type: application/json'", `-d '${layOut(body, json, 1).replaceAll("'", "'\\''")}'`)
  }
  return words.join(' \\\n  ')
}

function isImplied(method: SampleRequest['method'], body: object | undefined): boolean {
  return method === (body === undefined ? 'GET' : 'POST')
}

function quotedUrl(url: string): string {
  if (url.includes('$')) return `"${url}"`
  return url.includes('?') ? `'${url}'` : url
}
