/** The carriers with which a merchant can connect an account. Each has an adapter in `src/partners/carriers/`. */
export const carriers = [
  { code: 'chowdeck', name: 'Chowdeck Relay' },
  { code: 'fez', name: 'Fez Delivery' },
  { code: 'shipbubble', name: 'Shipbubble' },
] as const

export type ConnectableCarrier = (typeof carriers)[number]['code']

export const connectableCarriers = carriers.map(({ code }) => code)
