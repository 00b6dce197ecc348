import { createServer } from 'node:http'
import { apiRoot } from '../../registry/endpoint.ts'

export interface AlteredAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface AlteredRequest {
  readonly method: string
  readonly path: string
  /** As the client sent them; what is changed in them is what the service is sent. */
  readonly headers: Headers
}

export interface Alteration {
  /** What is served as the document in place of the service’s own. */
  readonly document?: object
  /** What the service is asked in place of what the client asks. */
  readonly ask?: (asked: AlteredRequest) => AlteredRequest
  /** What is answered in place of what the service answers, to what the client asked. */
  readonly answer?: (asked: AlteredRequest, answer: AlteredAnswer) => AlteredAnswer
}

/** The service as it would be with one thing changed, for as long as `use` takes: everything else is the real one. */
export async function withAltered<Result>(
  serviceUrl: string,
  { document, ask = (asked) => asked, answer = (_, real) => real }: Alteration,
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
    const { host: _, connection: __, ...sent } = incoming.headers
    const headers = new Headers(Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]))
    const asked = { method, path, headers }
    const forwarded = ask({ ...asked, headers: new Headers(headers) })
    const hasBody = forwarded.method !== 'GET' && forwarded.method !== 'HEAD'
    const response = await fetch(serviceUrl + forwarded.path, {
      ...{ method: forwarded.method, headers: forwarded.headers },
      ...(hasBody ? { body } : {}),
    })
    const real = { status: response.status, headers: new Headers(response.headers), text: await response.text() }
    const altered = answer(asked, real)
    altered.headers.delete('content-length')
    // `fetch` has undone it.
    altered.headers.delete('content-encoding')
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
