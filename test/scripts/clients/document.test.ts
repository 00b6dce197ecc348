import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { documentForClients } from '../../../scripts/clients/document.ts'

const schemas = {
  Parcel: {
    type: 'object',
    required: ['status', 'carrier', 'size'],
    properties: {
      status: { $ref: '#/components/schemas/ParcelStatus' },
      carrier: { anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { type: 'null' }] },
      size: { type: 'object', properties: { box: { type: 'object', properties: { lengthCm: { type: 'integer' } } } } },
    },
  },
  ParcelStatus: { type: 'string', enum: ['sent', 'lost'], description: 'Status of the parcel.' },
  WebhookEvent: { type: 'object', properties: { id: { type: 'string' } } },
  MissingError: { type: 'object', properties: { error: { type: 'object', properties: {} } } },
}

const reply = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})
const paths = { '/parcels': { get: { responses: { 200: reply('Parcel'), 404: reply('MissingError') } } } }
const changed = JSON.parse(documentForClients(JSON.stringify({ paths, components: { schemas } })))

describe('the OpenAPI document for the generators of clients', () => {
  test('a named enumeration is a string, and its description lists the values', () => {
    expect(changed.components.schemas.ParcelStatus).toEqual({
      type: 'string',
      description: 'Status of the parcel. Values: `sent`, `lost`.',
    })
  })

  test('an object in a property is a named schema, at every depth', () => {
    const { Parcel, ParcelSize, ParcelSizeBox } = changed.components.schemas
    expect(Parcel.properties.size).toEqual({ $ref: '#/components/schemas/ParcelSize' })
    expect(ParcelSize.properties.box).toEqual({ $ref: '#/components/schemas/ParcelSizeBox' })
    expect(ParcelSizeBox.properties).toEqual({ lengthCm: { type: 'integer' } })
  })

  test('a nullable object is a named schema and an optional property', () => {
    const { Parcel } = changed.components.schemas
    expect(Parcel.properties.carrier.anyOf).toEqual([{ $ref: '#/components/schemas/ParcelCarrier' }, { type: 'null' }])
    expect(Parcel.required).toEqual(['status', 'size'])
  })

  test('the document has no error responses and no schemas that only errors reference', () => {
    expect(Object.keys(changed.paths['/parcels'].get.responses)).toEqual(['200'])
    expect(changed.components.schemas).not.toHaveProperty('MissingError')
    expect(changed.components.schemas).toHaveProperty('WebhookEvent')
  })

  test('every reference in the service’s OpenAPI document for generators points to a schema of the same document', async () => {
    const text = documentForClients(await readFile('openapi.json', 'utf8'))
    const names = Object.keys(JSON.parse(text).components.schemas)
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((name = '') => !names.includes(name))).toEqual([])
  })
})
