/**
 * JSON Schema of an OpenAPI 3.1 document, limited to what this service uses. No installed package contains the
 * published schema, and tests must not need the network. Members that are not listed are rejected.
 */
export const openapiStructure = {
  $id: 'openapi-structure',
  ...closed({
    required: ['openapi', 'info', 'servers', 'tags', 'components', 'paths', 'webhooks'],
    properties: {
      openapi: { const: '3.1.0' },
      info: closed({
        required: ['title', 'version'],
        properties: {
          title: words(),
          version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
          description: words(),
          contact: closed({ required: ['name'], properties: { name: words() } }),
          license: closed({ required: ['name'], properties: { name: words(), identifier: words() } }),
        },
      }),
      servers: listOf(closed({ required: ['url'], properties: { url: words(), description: words() } })),
      tags: listOf(closed({ required: ['name', 'description'], properties: { name: words(), description: words() } })),
      components: closed({
        properties: {
          securitySchemes: {
            additionalProperties: closed({
              required: ['type', 'scheme'],
              properties: { type: { const: 'http' }, scheme: words(), bearerFormat: words(), description: words() },
            }),
          },
          schemas: { propertyNames: { pattern: '^[A-Z][A-Za-z0-9]*$' }, additionalProperties: schema() },
        },
      }),
      paths: { propertyNames: { pattern: '^/' }, additionalProperties: { $ref: '#/$defs/item' } },
      webhooks: { additionalProperties: { $ref: '#/$defs/item' } },
    },
  }),
  $defs: {
    item: closed({
      properties: {
        get: { $ref: '#/$defs/operation' },
        post: { $ref: '#/$defs/operation' },
        patch: { $ref: '#/$defs/operation' },
        delete: { $ref: '#/$defs/operation' },
      },
    }),
    operation: closed({
      required: ['operationId', 'tags', 'summary', 'security', 'responses'],
      properties: {
        operationId: words(),
        tags: { type: 'array', minItems: 1, maxItems: 1, items: words() },
        summary: words(),
        description: words(),
        security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array' } } },
        parameters: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/parameter' } },
        requestBody: closed({
          required: ['content'],
          properties: { description: words(), required: { type: 'boolean' }, content: content() },
        }),
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[1-5](\\d\\d|XX)$' },
          additionalProperties: closed({
            required: ['description'],
            properties: {
              description: words(),
              headers: {
                type: 'object',
                additionalProperties: closed({
                  required: ['schema'],
                  properties: { description: words(), required: { const: true }, schema: schema() },
                }),
              },
              content: content(),
            },
          }),
        },
      },
    }),
    parameter: {
      ...closed({
        required: ['name', 'in', 'required', 'schema', 'description'],
        properties: {
          name: words(),
          in: { enum: ['path', 'query', 'header'] },
          required: { type: 'boolean' },
          schema: schema(),
          description: words(),
          style: { enum: ['form', 'simple'] },
          explode: { type: 'boolean' },
        },
      }),
      if: { properties: { in: { const: 'path' } } },
      // biome-ignore lint/suspicious/noThenProperty: this is JSON Schema's own keyword.
      then: { properties: { required: { const: true } } },
    },
  },
}

/** Allows the listed members, and extension members, whose names start with x-. */
function closed(listed: { required?: readonly string[]; properties: object }) {
  return { type: 'object', ...listed, patternProperties: { '^x-': true }, additionalProperties: false }
}

function content() {
  const json = closed({
    required: ['schema'],
    properties: { schema: schema(), example: true, examples: { type: 'object' } },
  })
  return { type: 'object', required: ['application/json'], additionalProperties: json }
}

function listOf(items: object) {
  return { type: 'array', minItems: 1, items }
}

function words() {
  return { type: 'string', minLength: 1 }
}

function schema() {
  return { $ref: 'https://json-schema.org/draft/2020-12/schema' }
}
