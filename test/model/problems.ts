/**
 * Selects every order of a merchant whose open problems contradict its amounts or units, with the violated rule. The
 * model has no disputes, so the retained amount of an order is its payments minus its paid refunds.
 */
export const wrongProblems = `
  with money as (
    select
      *, paid_kobo - refunded_kobo as kept_kobo,
      (
        select coalesce(array_agg(kind order by kind), '{}') from notifications
        where notifications.merchant_id = orders.merchant_id and resolved_at is null and data ->> 'orderId' = orders.id
      ) as open_kinds,
      paid_kobo >= total_kobo and refunded_kobo + refund_pending_kobo >= paid_kobo as is_fully_refunded
    from orders
    where merchant_id = $1
  ), problems as (
    select
      money.id, kind, status = 'cancelled' as is_cancelled, kind = any(open_kinds) as is_reported, resolved_at is null as is_open,
      exists (
        select from payments
        where payments.merchant_id = money.merchant_id
          and payments.order_id = money.id
          and payments.created_at >= resolved_at
      ) as is_paid_again,
      case kind
        when 'payment.overpaid' then kept_kobo > (data ->> 'allowedKobo')::bigint
        when 'order.paid_above_price' then kept_kobo > total_kobo and status <> 'cancelled'
        when 'order.partly_paid' then status in ('pending', 'on_hold') and paid_kobo < total_kobo
        else status = 'cancelled' and kept_kobo > 0
      end as lasts
    from money
    join notifications on notifications.merchant_id = money.merchant_id and data ->> 'orderId' = money.id
    where kind in (
      'payment.overpaid', 'order.paid_above_price', 'order.partly_paid', 'payment.of_cancelled_order', 'order.cancelled_unrefunded'
    )
  )
  select id, 'an open problem lasts: ' || kind as rule from problems where is_open and not lasts
  union all
  select id, 'a problem that lasts is open: ' || kind
  from problems
  where lasts
    and not is_reported
    and (
      kind = 'order.partly_paid'
      -- A later payment above the price is a problem of its own, unless the member who recorded it has accepted the excess.
      or kind = 'order.paid_above_price' and not is_paid_again
      or kind = 'payment.overpaid' and not is_cancelled
    )
  union all
  select id, 'a cancelled order that keeps payments is reported'
  from money
  where status = 'cancelled'
    and kept_kobo > 0
    and not open_kinds && array['payment.of_cancelled_order', 'order.cancelled_unrefunded']
  union all
  select id, 'a refunded order is reported while its units are reserved, and only then'
  from money
  where (status <> 'cancelled' and is_fully_refunded and item_quantity > fulfilled_quantity)
    <> ('order.refunded_unshipped' = any(open_kinds))
  union all
  select id, 'a paid order whose units are not sent any more is reported after its refund failed'
  from money
  where kept_kobo > 0
    and not is_fully_refunded
    and status <> 'cancelled'
    and exists (
      select from refunds
      where refunds.merchant_id = money.merchant_id
        and refunds.order_id = money.id
        and refunds.status = 'failed'
        and refunds.failed_at > money.returned_at
    )
    and not 'order.paid_unshippable' = any(open_kinds)`
