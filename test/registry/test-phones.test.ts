import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { shipmentStatuses } from '../../registry/logistics/shipment-states.ts'
import { testCarrierCodes, testCarrierStatuses, testCarriers, testLives } from '../../registry/service/test-carriers.ts'
import {
  callbackBehaviourOf,
  callbackDigitsOf,
  callbackFaults,
  callbackPhonePrefix,
  cashOutcomeOf,
  cashOutcomes,
  cashPhonePrefix,
  deliveryOutcomeOf,
  deliveryOutcomes,
  deliveryPhonePrefix,
  dispatchFaultOf,
  dispatchFaults,
  dispatchPhonePrefix,
  quoteFaultOf,
  quoteFaults,
  quotePhonePrefix,
} from '../../registry/service/test-phones.ts'
import { PhoneInput } from '../../registry/values/phone.ts'

const page = await readFile(new URL('../../generated/reference/guides/test-mode.md', import.meta.url), 'utf8')

test.for([
  dispatchPhonePrefix,
  quotePhonePrefix,
  callbackPhonePrefix,
])('each test phone number with the prefix %s is valid in Nigeria’s numbering plan', (prefix) => {
  const numbers = Array.from({ length: 1_000 }, (_, digits) => prefix + String(digits).padStart(3, '0'))
  expect(numbers.filter((number) => !PhoneInput.safeParse(number).success)).toEqual([])
})

test('the last three digits of a recipient’s test phone number select the simulated faults of the first three dispatch attempts; later attempts succeed', () => {
  const phone = `${dispatchPhonePrefix}129`
  expect([1, 2, 3, 4, 0, 100].map((attempt) => dispatchFaultOf(phone, attempt))).toEqual([
    ...['couriers_busy', 'timeout_after_acceptance', 'late_acceptance'],
    ...['none', 'none', 'none'],
  ])
})

test.for([
  '+2348035551129',
  '+2348031234567',
  '+23480355501290',
  '+234803555012',
  '+1348035550129',
])('the phone number %s is not a test number for dispatch faults, so no fault is simulated', (phone) =>
  expect(dispatchFaultOf(phone, 1)).toBeUndefined())

test('each of the last three digits of a test phone number determines how one simulated carrier responds to a quote request', () => {
  expect([0, 1, 2].map((index) => quoteFaultOf(`${quotePhonePrefix}134`, index))).toEqual([
    'timeout',
    'out_of_area',
    'no_offers',
  ])
  expect(quoteFaultOf(null, 0)).toBe('none')
  expect(quoteFaultOf(`${quotePhonePrefix}999`, 0)).toBe('none')
})

test('the last three digits of a sender’s test phone number determine the sequence, the repetition and the signature of simulated callbacks', () => {
  expect(callbackDigitsOf(`${callbackPhonePrefix}112`)).toBe('112')
  expect(callbackBehaviourOf('112')).toEqual({ sequence: 'exchanged', copies: 'twice', signature: 'wrong' })
  expect(callbackBehaviourOf('000')).toEqual({ sequence: 'in_order', copies: 'once', signature: 'right' })
  expect(callbackDigitsOf('+2348031234567')).toBeUndefined()
})

test('the last digit of a recipient’s test phone number determines how much cash on delivery a simulated rider collects', () => {
  expect(cashOutcomes.map(({ digit }) => cashOutcomeOf(cashPhonePrefix + digit))).toEqual(
    cashOutcomes.map(({ name }) => name),
  )
  for (const other of [`${cashPhonePrefix}9`, `${cashPhonePrefix}11`, '+2348031234561']) {
    expect(cashOutcomeOf(other)).toBe('collected')
  }
})

test('the last digit of a recipient phone number selects the outcome of the first carrier request, and has no effect on later requests', () => {
  const phones = deliveryOutcomes.map(({ digit }) => deliveryPhonePrefix + digit)
  expect(phones.map((phone) => deliveryOutcomeOf(phone, 1))).toEqual(deliveryOutcomes.map(({ name }) => name))
  expect(phones.map((phone) => deliveryOutcomeOf(phone, 2))).toEqual(phones.map(() => undefined))
  expect(phones.filter((phone) => !PhoneInput.safeParse(phone).success)).toEqual([])
  for (const other of [`${deliveryPhonePrefix}0`, `${deliveryPhonePrefix}11`, '+2348031234561']) {
    expect(deliveryOutcomeOf(other, 1)).toBeUndefined()
  }
})

test('in each table of test phone numbers, every digit and every simulated result occurs only once', () => {
  for (const table of [dispatchFaults, deliveryOutcomes, quoteFaults, cashOutcomes, ...Object.values(callbackFaults)]) {
    expect(new Set(table.map(({ digit }) => digit)).size).toBe(table.length)
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length)
  }
})

test('the steps of each simulated delivery are shipment statuses in the order of the life cycle', () => {
  for (const status of Object.values(testCarrierStatuses)) expect(shipmentStatuses).toContain(status)
  for (const life of Object.values(testLives)) {
    const steps = life.map(([, step]) => step)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(life[0]).toEqual(['accepted', 0])
  }
})

test('the test mode guide lists every test phone number, digit and simulated carrier', () => {
  const prefixes = [dispatchPhonePrefix, deliveryPhonePrefix, quotePhonePrefix, cashPhonePrefix, callbackPhonePrefix]
  for (const prefix of prefixes) expect(page).toContain(prefix)
  for (const table of [dispatchFaults, deliveryOutcomes, quoteFaults, cashOutcomes, ...Object.values(callbackFaults)]) {
    for (const { digit, meaning } of table) expect(page).toContain(`| ${digit} | ${meaning} |`)
  }
  for (const code of testCarrierCodes) expect(page).toContain(testCarriers[code].character)
})
