-- Issues the receipts of the orders that were paid during the upgrade, before the triggers existed. The same statement as in
-- 0247_receipts_of_paid_orders: a payment of a merchant waits at most for the 200 receipts of one transaction.
do $$
declare
  due record;
  issued integer := 0;
begin
  for due in
    select orders.merchant_id, orders.id
    from orders
    left join receipts on receipts.merchant_id = orders.merchant_id and receipts.order_id = orders.id
    where orders.paid_at is not null and receipts.order_id is null
    order by orders.merchant_id, orders.paid_at, orders.id
  loop
    perform issue_receipt(due.merchant_id, due.id);
    issued := issued + 1;
    if issued % 200 = 0 then
      commit;
    end if;
  end loop;
end
$$;
