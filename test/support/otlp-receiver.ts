import { createServer } from 'node:http'
import { addressOf } from './api.ts'

/** A trace span as OTLP encodes it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly isFailure: boolean
}

/** A receiver of traces that implements the part of OTLP that the service needs. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: () => readonly ReceivedSpan[]
  /** The bodies and headers of the trace exports, as they arrived. */
  readonly text: () => string
  /** Makes the receiver stop responding to trace exports. */
  hang(): void
  close(): void
}

/** The status code by which OTLP marks a failed span. */
const statusError = 2

export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const texts: string[] = []
  const spans: ReceivedSpan[] = []
  let isHanging = false
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString()
    texts.push(JSON.stringify(message.headers), body)
    if (message.url === '/v1/traces') spans.push(...spansIn(body))
    if (!isHanging) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}`,
    spans: () => spans,
    text: () => texts.join('\n'),
    hang: () => {
      isHanging = true
    },
    close: () => void server.close().closeAllConnections(),
  }
}

interface EncodedSpan extends Omit<ReceivedSpan, 'attributes' | 'links' | 'isFailure'> {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly links?: ReceivedSpan['links']
  readonly status?: { readonly code?: number }
}

interface EncodedTraces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly EncodedSpan[] }[] }[]
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans }: EncodedTraces = JSON.parse(body)
  const encoded = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return encoded.map(({ attributes, links = [], status, ...span }) => ({
    ...span,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    links,
    isFailure: status?.code === statusError,
  }))
}
