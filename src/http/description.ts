import { readFile } from 'node:fs/promises'
import { implement } from './pipeline/implement.ts'

const released = new URL('../../openapi.json', import.meta.url)

/**
 * The released OpenAPI document, served byte for byte as it was reviewed. It is read at its first request, because it takes
 * megabytes of memory; the pipeline keeps the response. A release must therefore not replace the files of a running process, as it
 * must not for the dashboard, which is loaded at its first request too.
 */
export const getOpenApiDocument = implement('getOpenApiDocument', () => readFile(released, 'utf8'))
