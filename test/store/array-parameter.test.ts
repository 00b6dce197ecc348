import { expect, test } from 'vitest'
import { type ArrayElementType, encodeArray } from '../../src/store/core/array-parameter.ts'
import { useDatabase } from '../support/database.ts'

/** Tests arrays that PostgreSQL receives in its binary format. */

const opened = useDatabase()

async function readBack(type: ArrayElementType, elements: readonly unknown[]) {
  const { rows } = await opened().database.pool.query(
    `select coalesce(array_agg(to_jsonb(element) order by position), '{}') as read
     from unnest($1::${type}[]) with ordinality as elements (element, position)`,
    [encodeArray(type, elements)],
  )
  return rows[0].read
}

test.each([
  ['quotes, backslashes and commas', ['a "quoted" one', 'back\\slash', 'a, b', '{}', '']],
  ['several bytes per character', ['Adé', '₦5,000', '👗', 'NULL']],
  ['a document', [JSON.stringify({ name: 'Adire "Lagos"', tags: ['a\\b', '\u00e9'] })]],
  ['a null', [null, 'text', undefined]],
  ['no element', []],
  ['a text of more than 64 kB', ['₦'.repeat(70_000), 'after']],
] as const)('an SQL array parameter of the type text[] is read back unchanged from PostgreSQL: %s', async (_, elements) => {
  expect(await readBack('text', elements)).toEqual(elements.map((element) => element ?? null))
})

test.each([
  ['bigint', [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]],
  ['integer', [0, -1, 2 ** 31 - 1, -(2 ** 31), null]],
] as const)('an array parameter of type %s with the smallest and the largest numbers is read back unchanged', async (type, elements) => {
  expect(await readBack(type, elements)).toEqual(elements)
})

test('an array parameter of type boolean is read back unchanged, with the elements true, false and null', async () => {
  expect(await readBack('boolean', [true, false, null])).toEqual([true, false, null])
})

test('an array parameter of type bytea is read back unchanged, including a zero byte and an empty element', async () => {
  expect(await readBack('bytea', [Buffer.from([0, 92, 255]), Buffer.alloc(0), null])).toEqual([
    '\\x005cff',
    '\\x',
    null,
  ])
})

test.each([
  ['text', 5],
  ['text', true],
  ['text', { kobo: 5 }],
  ['bigint', '5'],
  ['bigint', 5n],
  ['bigint', 0.5],
  ['bigint', Number.NaN],
  ['bigint', 2 ** 63],
  ['integer', 2 ** 31],
  ['integer', 0.5],
  ['bytea', 'bytes'],
  ['boolean', 1],
  ['boolean', 'true'],
] as const)('an element of an array parameter of type %s cannot be %o', (type, element) => {
  expect(() => encodeArray(type, [element])).toThrow(/must be|out of range/)
})

test('PostgreSQL rejects a null character in an element of a text array, as it does in a single text parameter', async () => {
  await expect(readBack('text', ['a\0b'])).rejects.toMatchObject({ code: '22021' })
})
