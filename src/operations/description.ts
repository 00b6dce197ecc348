import { readFileSync } from 'node:fs'
import { implement } from './execute/implement.ts'

/**
 * The released OpenAPI document, served byte for byte as it was reviewed. The process reads the document at its start,
 * so that the document always describes the running code. Without the document, the process does not start. The
 * document is stored as bytes, because a string with characters outside Latin-1 takes twice the memory.
 */
const released = readFileSync(new URL('../../openapi.json', import.meta.url))

export const getOpenApiDocument = implement('getOpenApiDocument', async () => released.toString())
