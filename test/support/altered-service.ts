import { createServer } from 'node:http'
import { apiRoot } from '../../registry/endpoint.ts'

export interface AlteredAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Alteration {
  /** What is served as the document in place of the service’s own. */
  readonly document?: object
  /** What is answered in place of what the service answers. */
  readonly answer?: (asked: { readonly method: string; readonly path: string }, answer: AlteredAnswer) => AlteredAnswer
}

/** The service as it would be with one thing changed, for as long as `use` takes: everything else is the real one. */
export async function withAltered<Result>(
  serviceUrl: string,
  { document, answer }: Alteration,
  use: (url: URL) => Promise<Result>,
): Promise<Result> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming
    if (document !== undefined && path === `${apiRoot}/openapi.json`) {
      outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Request-Id': 'req_altered' })
      return outgoing.end(JSON.stringify(document))
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { host: _, connection: __, ...headers } = incoming.headers
    const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const response = await fetch(serviceUrl + path, { method, headers: entries, ...(hasBody ? { body } : {}) })
    const real = { status: response.status, headers: new Headers(response.headers), text: await response.text() }
    const altered = answer === undefined ? real : answer({ method, path }, real)
    altered.headers.delete('content-length')
    outgoing.writeHead(altered.status, Object.fromEntries(altered.headers))
    return outgoing.end(altered.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  try {
    return await use(new URL(`http://127.0.0.1:${address.port}`))
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  }
}
