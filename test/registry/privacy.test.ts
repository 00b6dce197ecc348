import { expect, test } from 'vitest'
import { allTextFields } from '../support/contract/text-fields.ts'

test('every text field of a request, a reply or an event is classified as personal or not', () => {
  const fields = allTextFields()
  expect(fields.length).toBeGreaterThan(500)
  expect(fields.filter(({ isPersonal }) => isPersonal === undefined).map(({ path }) => path)).toEqual([])
})

test('the fields classified as personal are those that name, locate or describe a person', () => {
  const names = allTextFields()
    .filter(({ isPersonal }) => isPersonal === true)
    .map(({ path }) => path.replace(/(\[\]|\.\*)+$/, '').replace(/^.*[. ]/, ''))
  expect([...new Set(names)].sort()).toMatchInlineSnapshot(`
    [
      "accountName",
      "accountNumber",
      "area",
      "cancelNote",
      "customerEmail",
      "customerNote",
      "description",
      "email",
      "externalReference",
      "failureMessage",
      "instructions",
      "labelUrl",
      "landmark",
      "line1",
      "line2",
      "message",
      "metadata",
      "name",
      "note",
      "phone",
      "pin",
      "plateLastFour",
      "plusCode",
      "postalCode",
      "q",
      "recipientName",
      "tag",
      "tags",
      "text",
      "trackingUrl",
      "url",
    ]
  `)
})
