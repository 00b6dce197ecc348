import type { Exchange } from './exchange.ts'
import { noStore } from './respond.ts'
import { isClosed, nextEvent, type Stream, type Streams } from './streams.ts'

/** Each part of the stream is generated when the client has read most of the previous part. */
export async function sendStream(
  streams: Streams,
  exchange: Exchange,
  { mediaType, fileName, parts }: Stream,
): Promise<undefined> {
  const { outgoing, requestId, headers } = exchange
  const supervised = streams.supervise(exchange, parts)
  outgoing.writeHead(200, {
    // The media types of JSON have no charset, because JSON is always in UTF-8.
    'Content-Type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Request-Id': requestId,
    ...noStore,
    ...headers,
  })
  for await (const part of supervised) {
    if (!outgoing.write(part)) await nextEvent(exchange, ['drain', 'close'])
    if (isClosed(exchange)) break
  }
  outgoing.end()
}
