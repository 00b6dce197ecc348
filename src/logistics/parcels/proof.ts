import type { ProofInput } from '../../../registry/logistics/proof.ts'
import type { Capabilities, ProofKind } from '../../partners/carriers/carrier.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'

/** Returns the kinds of proof of delivery that a request asks for. */
export function requestedProof(proof: ProofInput | undefined): readonly ProofKind[] {
  if (proof === undefined) return []
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== 'none' })
}

/** Returns the kinds of proof of delivery that a shipment requires. */
export function proofOf({ proof }: Pick<StoredShipment, 'proof'>): readonly ProofKind[] {
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== null })
}

function kindsOf(required: Readonly<Record<ProofKind, boolean>>): readonly ProofKind[] {
  const all = ['photo', 'signature', 'pin'] as const
  return all.filter((kind) => required[kind])
}

/** Returns the first required kind of proof of delivery that the carrier does not support. */
export function missingProof(
  { proof }: Pick<Capabilities, 'proof'>,
  required: readonly ProofKind[],
): ProofKind | undefined {
  return required.find((kind) => !proof.includes(kind))
}
