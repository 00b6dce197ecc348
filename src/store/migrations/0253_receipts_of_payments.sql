-- An order becomes paid by a payment, a credit or an edit, or is created without an amount due. Each sets paid_at. The triggers fire
-- at the commit, so that the counter is the last lock of the transaction and is held for as short as possible.
create constraint trigger paid_orders_have_receipts
after insert on orders
deferrable initially deferred
for each row
when (new.paid_at is not null)
execute function issue_receipt_of_row();

create constraint trigger orders_get_receipts_with_their_payment
after update of paid_at on orders
deferrable initially deferred
for each row
when (old.paid_at is null and new.paid_at is not null)
execute function issue_receipt_of_row();
