import { expect } from 'vitest'
import { runImport } from '../../../src/commerce/imports/run-import.ts'
import type { TestApi } from '../../support/api.ts'
import { shopifyDress, shopifyFile } from '../../support/commerce/import-files.ts'
import { formOf, type PageReply, type SignedInMember } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import type { Shop } from '../../support/shop.ts'

export const path = '/dashboard/imports'

interface Opened {
  readonly shop: Shop
  readonly member: SignedInMember
}

interface Upload {
  readonly name?: string
  readonly bytes?: Buffer
  readonly by?: SignedInMember
  /** The hidden fields of the form. By default, those of a new form. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Returns functions that upload files in the dashboard as a member, and run and read the imports of a shop. */
export function importActions(api: () => TestApi, opened: () => Opened) {
  async function formFields(by = opened().member): Promise<Record<string, string>> {
    return formOf((await by.get(path)).text, path)
  }

  async function upload(given: Upload = {}): Promise<PageReply> {
    const { name = 'products.csv', bytes = shopifyFile(shopifyDress), by = opened().member, fields } = given
    const form = new FormData()
    for (const [key, value] of Object.entries(fields ?? (await formFields(by)))) form.append(key, value)
    form.append('file', new Blob([bytes], { type: 'text/csv' }), name)
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    return by.send(path, body, { 'content-type': encoded.headers.get('content-type') ?? '' })
  }

  return {
    formFields,
    upload,
    /** Uploads a file that is accepted. Returns the path of the import. */
    uploaded: async (given: Upload = {}): Promise<string> => {
      const { status, location = '', text } = await upload(given)
      expect(status, text).toBe(303)
      return location.split('?')[0] ?? ''
    },
    work: (stopping?: AbortSignal) => runImport({ ...api().context, stopping }, opened().shop.merchantId),
    imports: () =>
      select(
        api(),
        `select status, length(file) as bytes, leased_until is not null as is_leased, report
          from product_imports where merchant_id = $1 order by id`,
        [opened().shop.merchantId],
      ),
  }
}
