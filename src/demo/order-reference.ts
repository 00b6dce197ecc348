/** The reference marks a demo order. The next seeding run continues after the last reference. */
export function demoReference(position: number): string {
  return `${prefix}${String(position).padStart(digits, '0')}`
}

export function positionAfter(reference: string | undefined): number {
  return reference === undefined ? 0 : Number(reference.slice(prefix.length)) + 1
}

const prefix = 'demo-'
// Number of digits of the position in the reference of a demo order. The number is fixed, so that references sort by
// position.
const digits = 10
