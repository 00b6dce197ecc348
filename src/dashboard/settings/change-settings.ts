import { z } from 'zod'
import { type SettingsChange, updateShownSettings } from '../../commerce/merchants/update-merchant.ts'
import { action } from '../kit/route.ts'
import { type GeneralSettings, generalFields, ShownSettings } from './general-fields.ts'
import { settingPaths } from './paths.ts'
import { settingsContent } from './show.ts'
import { staleMessage } from './stale-message.ts'

/**
 * Changes only the settings that the member changed in the form, so that two members can change different settings at
 * once. A setting that another member changed in the meantime is not overwritten.
 */
export const changeSettings = action({
  path: settingPaths.general,
  permission: 'settings:write',
  done: 'The settings are saved. They apply to new orders.',
  question: null,
  fields: z.strictObject({ ...generalFields, shown: ShownSettings }),
  form: (visit, _params, draft) => settingsContent(visit, { general: draft }),
  run: async (visit, _params, { shown, ...sent }) => {
    if (shown === undefined) return { is: 'refused', message: 'The form is incomplete. Open the page Settings again.' }
    const change = changeOf(shown, sent)
    if (Object.values(change).every((value) => value === undefined))
      return { is: 'refused', message: 'Nothing was changed. Change at least one setting.' }
    const outcome = await updateShownSettings(visit.context, visit.actor, visit.tenant, {
      change: { ...change, defaultPickup: undefined },
      isCurrent: (stored) => namesOf(shown).every((name) => change[name] === undefined || stored[name] === shown[name]),
    })
    switch (outcome.is) {
      case 'updated':
        return { is: 'done', to: settingPaths.page }
      case 'stale':
        return { is: 'refused', message: staleMessage }
    }
  },
})

function namesOf(settings: GeneralSettings): (keyof GeneralSettings)[] {
  return Object.keys(settings).filter((name): name is keyof GeneralSettings => Object.hasOwn(settings, name))
}

function changeOf(shown: GeneralSettings, sent: GeneralSettings): Omit<SettingsChange, 'defaultPickup'> {
  const ifChanged = <Name extends keyof GeneralSettings>(name: Name) =>
    sent[name] === shown[name] ? undefined : sent[name]
  return {
    defaultState: ifChanged('defaultState'),
    isTaxRegistered: ifChanged('isTaxRegistered'),
    taxRateBps: ifChanged('taxRateBps'),
    isTaxInclusive: ifChanged('isTaxInclusive'),
    lowStockThreshold: ifChanged('lowStockThreshold'),
    pendingOrderTtlMinutes: ifChanged('pendingOrderTtlMinutes'),
    autoConfirmsPayOnDelivery: ifChanged('autoConfirmsPayOnDelivery'),
  }
}
