-- Issues the receipts of the orders that were paid during the upgrade, before the triggers existed. The same loop as in
-- 0247_receipts_of_paid_orders. A payment of a merchant waits for the counter while one transaction issues 200 receipts. It gets the
-- counter next, because the loop pauses after each commit: without the pause, payments waited for up to 3.7 seconds.
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
      perform pg_sleep(0.002);
    end if;
  end loop;
end
$$;
