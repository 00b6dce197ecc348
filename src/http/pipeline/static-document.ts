import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { cacheControlOf, type Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import { type Coding, codingOf } from './coding.ts'
import { isListed } from './etag.ts'
import type { Answer } from './exchange.ts'

/** A document that changes only with a release, in every supported content coding. */
interface StaticDocument {
  /** The ETag of a document is weak, because all its content codings share it. */
  readonly etag: string
  readonly bytes: Readonly<Record<Coding, Uint8Array>>
}

/**
 * Brotli quality for static documents. Higher qualities take ten times as long and reduce the size by only a few
 * percent.
 */
const brotliQuality = 6

/** Each static document is compressed once, in the thread pool, so that no other request waits. */
const documents = new WeakMap<Operation, Promise<StaticDocument>>()

export async function answerStatic(operation: Operation, message: IncomingMessage): Promise<Answer> {
  const { endpoint } = operation
  const { etag, bytes } = await documentOf(operation)
  const headers = headersOf(endpoint, etag)
  if (isListed(etag, message)) return { status: 304, body: undefined, headers }
  const coding = codingOf(message.headers['accept-encoding'])
  const encoding = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  return { status: 200, body: bytes[coding], headers: { ...headers, ...encoding } }
}

function headersOf(endpoint: Endpoint, etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': cacheControlOf(endpoint), Vary: 'Accept-Encoding' }
}

function documentOf(operation: Operation): Promise<StaticDocument> {
  const document = documents.get(operation) ?? createDocument(operation)
  documents.set(operation, document)
  return document
}

async function createDocument(operation: Operation): Promise<StaticDocument> {
  const identity = Buffer.from(await operation.answerPublic())
  const [gzipped, br] = await Promise.all([
    promisify(gzip)(identity),
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ])
  const etag = `W/"${hash('sha256', identity, 'base64url').slice(0, 22)}"`
  return { etag, bytes: { identity, gzip: gzipped, br } }
}
