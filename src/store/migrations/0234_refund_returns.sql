alter table refunds add column return_id record_id;
alter table refunds
add constraint refund_is_for_a_return foreign key (merchant_id, return_id)
references returns (merchant_id, id) not valid;

comment on column refunds.return_id is 'The return that the refund is for. Null if the refund names no return.';
