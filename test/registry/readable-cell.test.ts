import { expect, test } from 'vitest'
import { readableText } from '../../registry/kit/readable-cell.ts'
import { orderExample } from '../../registry/orders/order-example.ts'

test('a spreadsheet export writes the items of an order or a refund as one text, with amounts in naira', () => {
  const [item] = orderExample.items
  const second = { ...item, quantity: 2, title: 'Wrapper', variantTitle: '', unitPriceKobo: 7 }
  expect(readableText([{ ...item, quantity: 1, unitPriceKobo: 1_500_000 }, second])).toBe(
    `1 × ${item.title} ${item.variantTitle} at ₦15,000.00; 2 × Wrapper at ₦0.07`,
  )
  const refunded = { itemId: 'itm_1', quantity: 1, restock: true, amountKobo: 123_456_789 }
  expect(readableText([refunded])).toBe('1 × itm_1 for ₦1,234,567.89')
})

test('a spreadsheet cell shows a discount, a shipment or an address as one line of text, and omits its empty fields', () => {
  const discount = { discountId: 'dsc_1', code: 'EID25', type: 'percentage', amountKobo: -50_000, allocations: [] }
  expect(readableText([discount])).toBe('EID25: -₦500.00')
  expect(readableText([{ id: 'shp_1', status: 'delivered', items: [], trackingUrl: null }])).toBe('delivered')
  const address = {
    recipientName: 'Ada',
    phone: null,
    line1: '1 Allen Avenue',
    area: 'Ikeja',
    city: '',
    state: 'Lagos',
  }
  expect(readableText([address])).toBe('Ada, 1 Allen Avenue, Ikeja, Lagos')
})

test('a spreadsheet cell shows an object without a special format as field names and values, and omits fields that are null', () => {
  expect(readableText({ size: 'M', colour: null, feeKobo: 100, list: ['a', 'b'] })).toBe(
    'size: M, fee: ₦1.00, list: a; b',
  )
  expect([readableText(null), readableText([]), readableText({})]).toEqual(['', '', ''])
})

test('a spreadsheet cell shows every entry of a metadata map, even if the map has the same field names as a discount or a shipment', () => {
  const metadata = { status: 'gift', trackingUrl: 'https://example.com/1', note: 'ribbon' }
  expect(readableText(metadata)).toBe('status: gift, trackingUrl: https://example.com/1, note: ribbon')
  expect(readableText({ code: 'A', amountKobo: 'none' })).toBe('code: A, amountKobo: none')
})
