/**
 * Selects every source of credits (a provider payment, or all manual payments of an order) whose credits have a wrong
 * loss. If a loss exceeds the amount that is left in the source, the excess must be assigned to the credits, as far as
 * they suffice. Also selects credits that are refundable although their source is disputed.
 */
export const wrongLosses = `
  with sources as (
    select
      order_id, case when provider <> 'manual' then id end as payment_id, sum(amount_kobo) as amount_kobo,
      sum(dispute_lost_kobo) as lost_kobo, sum(case when disputed_at is null then dispute_lost_kobo else amount_kobo end) as at_risk_kobo
    from payments
    where merchant_id = $1 and voided_at is null
    group by 1, 2
  ), moved as (
    select
      refund.order_id, refund.payment_id, sum(refund.amount_kobo) as refunded_kobo, sum(credit.amount_kobo) as credit_kobo,
      sum(credit.dispute_lost_kobo) as lost_kobo,
      sum(case when credit.disputed_at is null then credit.dispute_lost_kobo else credit.amount_kobo end) as at_risk_kobo
    from refunds refund
    left join payments credit on credit.merchant_id = refund.merchant_id and credit.refund_id = refund.id
    where refund.merchant_id = $1 and refund.status not in ('failed', 'cancelled')
    group by 1, 2
  )
  select source.order_id, source.payment_id
  from sources source
  join moved on moved.order_id = source.order_id and moved.payment_id is not distinct from source.payment_id
  where coalesce(moved.lost_kobo, 0)
      <> least(coalesce(credit_kobo, 0), greatest(0, source.lost_kobo - source.amount_kobo + refunded_kobo))
    or coalesce(moved.at_risk_kobo, 0)
      < least(coalesce(credit_kobo, 0), greatest(0, source.at_risk_kobo - source.amount_kobo + refunded_kobo))`
