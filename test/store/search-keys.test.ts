import { expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'

/** The search key by which PostgreSQL compares texts, independent of the locale of the server. */

const opened = useDatabase()

async function keyOf(text: string | null): Promise<string | null> {
  const { rows } = await opened().database.pool.query('select search_key($1) as key', [text])
  return rows[0].key
}

test.for<[string, string]>([
  ['Ọláyínká', 'olayinka'],
  ['Ṣẹ́gun Ẹ̀yìnfẹ́ọ̀', 'segun eyinfeo'],
  ['Ụ̀kà Ńgọ́zị ṅwa', 'uka ngozi nwa'],
  ['ƁALA Ɗanjuma Ƙofar Ƴau', 'bala danjuma kofar yau'],
  ['Ǝdo Ŋgas Ɣa Ɛwe Ɔkɔ', 'edo ngas ga ewe oko'],
  ['Adaeze’s ʼYar ‘Dua', "adaeze's 'yar 'dua"],
  ['Ænima Œuvre Straße Øre Łódź', 'ænima œuvre straße ore lodz'],
  ['ΈΛΛΗΝΑΣ Ёлка ЇЖАК', 'ελληνασ елка іжак'],
  ['Ａｎｋａｒａ 𝓐𝓷𝓴𝓪𝓻𝓪 ﬁt', 'ankara ankara fit'],
  ['安卡拉 Size 10', '安卡拉 size 10'],
  ['', ''],
])('the search key of %s is %s, whether the text is composed, decomposed or in lower case', async ([text, key]) => {
  expect(await keyOf(text)).toBe(key)
  expect(await keyOf(text.normalize('NFD'))).toBe(key)
  expect(await keyOf(text.normalize('NFC').toLowerCase())).toBe(key)
})

test('a null value has no search key', async () => {
  expect(await keyOf(null)).toBeNull()
})

test('the upper-case and lower-case forms of each Latin, Greek or Cyrillic letter in use today have the same search key', async () => {
  // The Latin letters of Europe, and those of Africa that Unicode does not decompose.
  const latin = Array.from({ length: 0x180 }, (_, point) => String.fromCodePoint(point))
  const capitals = [
    ...latin,
    ...'ƁƊƘƳƝŊƎƏƐƆƟƖƱƓƔƇƤƬƲƉƑẞ',
    ...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ',
    ...'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
  ]
  const different = []
  for (const letter of capitals.filter((each) => /\p{Lu}/u.test(each))) {
    if ((await keyOf(letter)) !== (await keyOf(letter.toLowerCase()))) different.push(letter)
  }
  expect(different).toEqual([])
})

test('a search pattern matches percent signs, underscores and backslashes literally, even when they are full-width', async () => {
  const { rows } = await opened().database.pool.query('select search_pattern($1) as pattern', ['50%_％＿\\'])
  expect(rows[0].pattern).toBe('%50\\%\\_\\%\\_\\\\%')
})
