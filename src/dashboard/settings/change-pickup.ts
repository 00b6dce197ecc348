import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { PlaceInput } from '../../../registry/logistics/place.ts'
import { issueMessage } from '../../base/issue-message.ts'
import { updateShownSettings } from '../../commerce/merchants/update-merchant.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import { textMaxLength } from '../kit/fields.ts'
import { action } from '../kit/route.ts'
import { settingPaths } from './paths.ts'
import { pickupVersion } from './pickup-version.ts'
import { settingsContent } from './show.ts'
import { staleMessage } from './stale-message.ts'

const text = z.string().max(textMaxLength).optional()

const degrees = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,10})?$/, { error: 'Enter the coordinate in decimal degrees, such as 6.4281.' })
  .transform(Number)
  .optional()

const fields = z.strictObject({
  ...{ name: text, phone: text, email: text, line1: text, line2: text, area: text, lga: text, state: text },
  ...{ landmark: text, plusCode: text, instructions: text, lat: degrees, lng: degrees },
})

/** Maximum length of the pickup address version in a form. A version is a hash, which is shorter. */
const versionMaxLength = 64

type Fields = z.output<typeof fields>

export const changePickup = action({
  path: settingPaths.pickup,
  permission: 'settings:write',
  done: 'The default pickup address is saved. It applies to new shipments.',
  question: null,
  fields: fields.extend({ version: z.string().max(versionMaxLength) }),
  form: (visit, _params, draft) => settingsContent(visit, { pickup: draft }),
  run: async (visit, _params, { version, ...sent }) => {
    const read = placeOf(sent)
    if (read.is === 'invalid') return { is: 'refused', field: read.field, message: read.message }
    const { context, actor, tenant } = visit
    const { defaultPickup } = await getMerchantSettings(context.database, tenant.merchantId)
    if (isDeepStrictEqual(read.place, defaultPickup)) return { is: 'done', to: settingPaths.page }
    const outcome = await updateShownSettings(context, actor, tenant, {
      change: { ...unchanged, defaultPickup: read.place },
      isCurrent: (stored) => pickupVersion(stored.defaultPickup) === version,
    })
    switch (outcome.is) {
      case 'updated':
        return { is: 'done', to: settingPaths.page }
      case 'stale':
        return { is: 'refused', message: staleMessage }
    }
  },
})

const unchanged = {
  defaultState: undefined,
  isTaxRegistered: undefined,
  taxRateBps: undefined,
  isTaxInclusive: undefined,
  lowStockThreshold: undefined,
  pendingOrderTtlMinutes: undefined,
  autoConfirmsPayOnDelivery: undefined,
}

type PlaceRead =
  | { readonly is: 'place'; readonly place: PlaceInput | null }
  | { readonly is: 'invalid'; readonly field: string; readonly message: string }

function placeOf({ lat, lng, ...sent }: Fields): PlaceRead {
  const isEmpty = [lat, lng, ...Object.values(sent)].every((value) => value === undefined)
  if (isEmpty) return { is: 'place', place: null }
  if (sent.line1 === undefined) return { is: 'invalid', field: 'line1', message: 'Fill in this field.' }
  if ((lat === undefined) !== (lng === undefined)) {
    const field = lat === undefined ? 'lat' : 'lng'
    return { is: 'invalid', field, message: 'Fill in the latitude and the longitude, or neither.' }
  }
  const place = { ...sent, ...(lat === undefined ? {} : { location: { lat, lng } }) }
  const parsed = PlaceInput.safeParse(place, { error: issueMessage })
  if (parsed.success) return { is: 'place', place: parsed.data }
  return { is: 'invalid', ...firstProblem(parsed.error.issues, 'line1') }
}

/**
 * Returns the first problem of a pickup address, with the name of its form field. For a value that may be null, Zod
 * reports one problem and nests the actual problems in it. The paths of the nested problems are relative to this value.
 */
function firstProblem(
  [issue]: readonly z.core.$ZodIssue[],
  parent: string,
): { readonly field: string; readonly message: string } {
  const field = String(issue?.path.at(-1) ?? parent)
  const nested = issue?.code === 'invalid_union' ? issue.errors[0] : undefined
  if (nested !== undefined) return firstProblem(nested, field)
  return { field, message: issue?.message ?? 'Check the address.' }
}
