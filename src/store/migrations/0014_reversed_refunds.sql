-- A provider tells that a refund came back without saying which; those of the payment that succeeded are then looked into.
alter table refunds
drop constraint refund_is_looked_into_only_under_way,
add constraint refund_is_looked_into_only_while_it_may_move check (
  next_look_at is null or status not in ('failed', 'cancelled')
);
