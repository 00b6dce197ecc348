/** The page of a record for each prefix of ids that has such a page. */
const pages: Readonly<Record<string, string>> = {
  ord: '/orders',
  prd: '/products',
  var: '/stock',
  shp: '/shipments',
  rfd: '/refunds',
  ret: '/returns',
  cus: '/customers',
  dsc: '/discounts',
  evt: '/events',
  dlv: '/deliveries',
  whe: '/webhooks',
  tok: '/tokens',
  req: '/requests',
}

const idPattern = /^([a-z]{3})_[0-9a-z]{26}$/

/** Returns the page of the record with an id. Undefined if the text is no id, or if the record has no page. */
export function recordPathOf(text: string): string | undefined {
  const prefix = idPattern.exec(text)?.[1]
  const path = prefix === undefined ? undefined : pages[prefix]
  return path === undefined ? undefined : `${path}/${text}`
}
