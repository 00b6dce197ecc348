import { z } from 'zod'
import { read } from '../kit/endpoint.ts'

/** The OpenAPI document (spec 4.8). It is public, so that clients and CI can read it without a token. */
export const getOpenApiDocument = read({
  id: 'getOpenApiDocument',
  path: '/openapi.json',
  tag: 'Description',
  summary: 'Get the OpenAPI document',
  description:
    'Returns the OpenAPI 3.1 document of this API. No token is needed. The bytes equal `openapi.json` in the ' +
    'repository.',
  access: 'public',
  reply: {
    body: z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.1 document.' }),
    meaning: 'The OpenAPI document, byte for byte as released.',
    example: { openapi: '3.1.0', info: { title: 'Commerce Service', version: '0.2.0' }, paths: {} },
  },
})
