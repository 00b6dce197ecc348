import { z } from 'zod'
import { apiRoot, bodyLimitsOf, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { headerParameters } from '../../../registry/kit/headers.ts'

/**
 * A part of a request that can contain a text of the client, and a function that builds a request with a given text in
 * this part.
 */
export interface TextInput {
  readonly place: string
  /**
   * Maximum number of characters of this part of a request. The service rejects a longer text before it validates the
   * request.
   */
  readonly maxCharacters: number
  /** Whether this part of the request is a body field for free text, with neither a pattern nor a format. */
  readonly isForPeople?: boolean
  request(text: string): Sendable
}

export interface Sendable {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Maximum number of characters of a text in the request head: half of Node.js's limit for the request target and all
 * headers. The rest is for other headers.
 */
export const headCharacters = 8 * 1024

const anyId = '01jd3f8q6hf5n8v1zr4c7e2m9k'

/** Returns every part of an operation's request that can contain a text, according to the operation's declaration. */
export function textInputsOf(endpoint: Endpoint): TextInput[] {
  return [...pathInputs(endpoint), ...queryInputs(endpoint), ...headerInputs(endpoint), ...bodyInputs(endpoint)]
}

const placeholders = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function pathInputs(endpoint: Endpoint): TextInput[] {
  return placeholders(endpoint.path).map((name) => ({
    place: `path.${name}`,
    maxCharacters: headCharacters,
    request: (text) => ({ ...usual(endpoint), path: pathOf(endpoint, { [name]: text }) }),
  }))
}

function queryInputs(endpoint: Endpoint): TextInput[] {
  const named = Object.keys(endpoint.query?.shape ?? {})
  const inputs = named.map((name): TextInput => {
    const request = (text: string) => ({ ...usual(endpoint), path: `${pathOf(endpoint)}?${name}=${encode(text)}` })
    return { place: `query.${name}`, maxCharacters: headCharacters, request }
  })
  const request = (text: string) => ({ ...usual(endpoint), path: `${pathOf(endpoint)}?${encode(text)}=1` })
  return [...inputs, { place: 'a query parameter’s name', maxCharacters: headCharacters, request }]
}

/** Headers that every request may carry in addition to the declared ones. */
const usualHeaders = ['Authorization', 'Content-Type', 'Content-Encoding', 'Accept-Encoding', 'User-Agent']

function headerInputs(endpoint: Endpoint): TextInput[] {
  const declared = headerParameters(endpoint).map((schema) => String(Object(schema.meta()?.param).name))
  return [...declared, ...usualHeaders].map((name) => ({
    place: `header.${name}`,
    maxCharacters: headCharacters,
    request: (text) => {
      const { headers, ...rest } = usual(endpoint)
      const value = name === 'Authorization' ? `Bearer ${inHeader(text)}` : inHeader(text)
      return { ...rest, headers: { ...headers, [name]: value } }
    },
  }))
}

/**
 * Replaces each character that a header value cannot contain, such as a line break or a non-ASCII character, with `~`.
 */
function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '~')
}

function bodyInputs(endpoint: Endpoint): TextInput[] {
  if (endpoint.body === undefined) return []
  const root = z.toJSONSchema(endpoint.body.schema, { io: 'input', unrepresentable: 'any' })
  const { example } = endpoint.body
  const maxCharacters = bodyLimitsOf(endpoint).bytes - JSON.stringify(example).length
  const unknown: Leaf = { path: [mark], kind: 'name' }
  return [...leavesOf(root, root, []), unknown].map(({ path, kind, isForPeople = false }) => ({
    isForPeople,
    place: `body.${path.join('.').replace(mark, '(a name)')}${kind === 'number' ? ' as a number' : ''}`,
    maxCharacters,
    request: (text) => ({ ...usual(endpoint), body: bodyWith(example, { path, kind }, text) }),
  }))
}

interface Leaf {
  readonly path: readonly string[]
  readonly kind: 'text' | 'number' | 'name'
  readonly isForPeople?: boolean
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Placeholder in the body. After the body is written as JSON, the placeholder is replaced with the text. */
const mark = 'the text goes here'

function leavesOf(schema: JsonSchema, root: JsonSchema, path: readonly string[]): Leaf[] {
  const name = schema.$ref?.replace('#/$defs/', '')
  if (name !== undefined) return leavesOf(Object(root.$defs?.[name]), root, path)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => leavesOf(Object(each), root, path))
  switch (schema.type) {
    case 'string':
      return [
        {
          path,
          kind: 'text',
          isForPeople:
            schema.pattern === undefined && schema.format === undefined && (schema.enum ?? schema.const) === undefined,
        },
      ]
    case 'integer':
    case 'number':
      return [{ path, kind: 'number' }]
    case 'array':
      return leavesOf(Object(schema.items), root, [...path, '0'])
    case 'object': {
      const { properties = {}, additionalProperties } = schema
      const members = Object.entries(properties).flatMap(([key, each]) => leavesOf(Object(each), root, [...path, key]))
      const isMap = typeof additionalProperties === 'object'
      return isMap
        ? [...members, { path: [...path, 'key'], kind: 'text' }, { path: [...path, mark], kind: 'name' }]
        : members
    }
    default:
      return []
  }
}

/**
 * Returns a copy of the example in which the value at the path is the text. Objects on this path are added if they are
 * missing.
 */
function bodyWith(example: unknown, { path, kind }: Leaf, text: string): string {
  const body = placed(example, path, kind === 'name' ? 'value' : mark)
  const literal = kind === 'number' ? `1.${inNumber(text)}1` : JSON.stringify(text)
  return JSON.stringify(body).replace(JSON.stringify(mark), () => literal)
}

function placed(value: unknown, [first, ...rest]: readonly string[], leaf: string): unknown {
  if (first === undefined) return leaf
  if (first === '0') return [placed(Array.isArray(value) ? value[0] : undefined, rest, leaf)]
  const record: Record<string, unknown> = Object(value)
  return { ...record, [first]: placed(record[first], rest, leaf) }
}

function inNumber(text: string): string {
  return text.replaceAll(/\D/g, '0')
}

function usual(endpoint: Endpoint): Sendable {
  const body = endpoint.body === undefined ? {} : { body: JSON.stringify(endpoint.body.example) }
  return { method: endpoint.method, path: pathOf(endpoint), headers: {}, ...body }
}

/**
 * Returns the path of an operation with ids that belong to no record. If the rest of the request is valid, the response
 * is a 404.
 */
function pathOf({ path }: Endpoint, texts: Readonly<Record<string, string>> = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(texts[name] ?? `ord_${anyId}`))
  return apiRoot + filled
}

/**
 * Percent-encodes only the characters that a request target must not contain, so that the text can be as long as
 * possible.
 */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%2B', '+').replaceAll('%40', '@')
}
