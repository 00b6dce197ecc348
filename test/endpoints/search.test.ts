import { beforeAll, describe, expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../support/api.ts'
import { createdCustomer, customersPath, orderOf } from '../support/commerce/customer.ts'
import { discount } from '../support/commerce/discount.ts'
import { makeProduct, productsPath } from '../support/commerce/product.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** A search ignores case, accents and the Unicode normal form, and finds a phone number in any spelling. */

const started = useApi()
const ordersPath = '/api/v1/orders'
const discountsPath = '/api/v1/discounts'

let shop: Shop
beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  const customers = [
    { name: 'Ọláyínká Ṣadé', phone: '+2348031234567' },
    { name: 'ƁALA Ɗanjuma', email: '08035551234@example.com', phone: null },
    { name: 'Adaeze Okafor', phone: '+2347012345678' },
  ]
  for (const { phone, ...more } of customers) {
    const { id } = await createdCustomer(api, shop, phone === null ? more : { ...more, phone })
    await orderOf(api, shop, id)
  }
  // The second product title is stored with decomposed letters.
  await makeProduct(api, shop, { title: 'Aṣọ Ọláyínká', category: 'ÌRÓ ÀTI BÙBÁ' })
  await makeProduct(api, shop, { title: 'Gèlè Ọláyínká'.normalize('NFD'), category: 'Gèlè' })
  await makeProduct(api, shop, { title: 'Linen shirt' })
  await discount(api, shop, { title: 'Ẹ̀dínwó Ọláyínká' })
  await discount(api, shop, { title: 'Detty December' })
})

async function found(path: string, name: string, value: string): Promise<ReplyBody[]> {
  const { body } = await started().send('GET', `${path}?${name}=${encodeURIComponent(value)}`, { token: shop.token })
  return body.data
}

const titles = (records: ReplyBody[]) => records.map(({ title }) => title.normalize('NFC')).toSorted()
const customerNames = async (q: string) => (await found(customersPath, 'q', q)).map(({ name }) => name)
const orderNames = async (q: string) => (await found(ordersPath, 'q', q)).map(({ customer }) => customer.name)

describe('a search finds records regardless of spelling', () => {
  test.for<[string, string]>([
    ['in lower case', 'ọláyínká'],
    ['in upper case', 'ỌLÁYÍNKÁ'],
    ['without marks', 'olayinka'],
    ['without marks, in upper case', 'OLAYINKA'],
    ['decomposed', 'ọláyínká'.normalize('NFD')],
    ['with some of the marks', 'Olayínka'],
    ['in part', 'láyín'],
    ['in two letters', 'ỌL'],
  ])('a search finds the same customers and orders when the text is written %s', async ([, q]) => {
    expect(await customerNames(q)).toEqual(['Ọláyínká Ṣadé'])
    expect(await orderNames(q)).toEqual(['Ọláyínká Ṣadé'])
    expect(titles(await found(productsPath, 'q', q))).toEqual(['Aṣọ Ọláyínká', 'Gèlè Ọláyínká'])
    expect(titles(await found(discountsPath, 'q', q))).toEqual(['Ẹ̀dínwó Ọláyínká'])
  })
})

test.for([
  'ɓala ɗanjuma',
  'BALA DANJUMA',
  'Bala Ɗan',
])('a search treats the hooked letters of Hausa like plain letters, as in the text %s', async (q) => {
  expect(await customerNames(q)).toEqual(['ƁALA Ɗanjuma'])
  expect(await orderNames(q)).toEqual(['ƁALA Ɗanjuma'])
})

test.for([
  'iro ati buba',
  'Ìró àti bùbá',
  'ÌRÓ ÀTI BÙBÁ'.normalize('NFD'),
])('a product search by category matches regardless of spelling: %s', async (category) => {
  expect(titles(await found(productsPath, 'category', category))).toEqual(['Aṣọ Ọláyínká'])
})

test('a full-width percent sign in a search is not a wildcard', async () => {
  expect(await customerNames('％％')).toEqual([])
})

describe('a search by phone number', () => {
  test.for([
    '08031234567',
    '0803 123 4567',
    '0803-123-4567',
    '(0803) 123.4567',
    '+234 803 123 4567',
    '+2348031234567',
    '2348031234567',
    '234 (0) 803 123 4567',
    '00234 803 123 4567',
    '8031234567',
    '+234\u00a0803\u00a0123\u00a04567',
    '0803 123',
    '0312345',
  ])('a search finds the same records by the phone number %s', async (q) => {
    expect(await customerNames(q)).toEqual(['Ọláyínká Ṣadé'])
    expect(await orderNames(q)).toEqual(['Ọláyínká Ṣadé'])
  })

  test('a search for a phone number also finds a customer whose e-mail address contains the number', async () => {
    expect(await customerNames('0803 555 1234')).toEqual(['ƁALA Ɗanjuma'])
    expect(await orderNames('08035551234')).toEqual(['ƁALA Ɗanjuma'])
  })

  test.for([
    '08031234567',
    '+234 803 123 4567',
    '234-803-123-4567',
    '00234 8031234567',
  ])('the filter phone finds a customer by the number in the notation %s', async (phone) => {
    expect((await found(customersPath, 'phone', phone)).map(({ name }) => name)).toEqual(['Ọláyínká Ṣadé'])
  })
})
