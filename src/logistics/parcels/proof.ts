import type { ProofInput } from '../../../registry/logistics/proof.ts'
import type { Capabilities, ProofKind } from '../../partners/carriers/carrier.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'

/** Which proof a shipment asks for, and whether a carrier can give it. The same for a quote, a dispatch and a failover. */

export function proofWanted(proof: ProofInput | undefined): readonly ProofKind[] {
  if (proof === undefined) return []
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== 'none' })
}

export function proofOf({ proof }: Pick<StoredShipment, 'proof'>): readonly ProofKind[] {
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== null })
}

function kindsOf(wanted: Readonly<Record<ProofKind, boolean>>): readonly ProofKind[] {
  const all = ['photo', 'signature', 'pin'] as const
  return all.filter((kind) => wanted[kind])
}

/** The first that the carrier does not give. */
export function missingProof(
  { proof }: Pick<Capabilities, 'proof'>,
  wanted: readonly ProofKind[],
): ProofKind | undefined {
  return wanted.find((kind) => !proof.includes(kind))
}
