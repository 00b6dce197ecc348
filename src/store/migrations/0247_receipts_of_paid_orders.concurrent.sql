-- Issues the receipts of the orders that are already paid, in the order of payment. Commits after each 200 orders: neither reads nor
-- writes of orders wait for it. If it is interrupted, it continues with the orders that have no receipt.
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
